use crate::reach::{Reach, slot_key};
use crate::{AssociationGraph, EntityGraph, FIRST_ENTITY, NO_NODE, TemporalChain, relations};
use alloc::vec;
use alloc::vec::Vec;

/// The graphs that a walk goes over.
pub struct Over<'a> {
    /// What was together.
    pub associations: &'a AssociationGraph,
    /// What came next.
    pub chain: &'a TemporalChain,
    /// What is named.
    pub entities: &'a EntityGraph,
}

/// How to rank: see the port.
pub struct Rank {
    /// The part of a rank that goes on.
    pub damping: f32,
    /// The change at which an iteration is the last.
    pub epsilon: f32,
    /// Weights of edges by kind.
    pub entity: f32,
    /// Of all relations of an entity.
    pub relation: f32,
    /// Of all associations of a slot.
    pub association: f32,
    /// Of the edge to the next slot.
    pub forward: f32,
    /// Of the edge to the previous slot.
    pub backward: f32,
    /// Iterations at most.
    pub iterations: u32,
    /// Steps from the seeds.
    pub hops: u32,
    /// Edges at most.
    pub edges: usize,
    /// An entity of more slots has no edges to them.
    pub fan: usize,
    /// Nodes of the answer.
    pub most: usize,
    /// What the answer is of: slots (1), entities (2).
    pub answer: u32,
}

/// An edge: a node and a weight, later the number of the node and its part of all weights.
type Edge = (u32, f32);

impl Over<'_> {
    fn key_of(&self, node: u32) -> u64 {
        if node < FIRST_ENTITY { slot_key(node) } else { self.entities.hash(node - FIRST_ENTITY) }
    }

    /// Adds the edges from a node that have a weight; more than there is room for, not all of them.
    fn edges_of(&self, node: u32, rank: &Rank, room: usize, edges: &mut Vec<Edge>) {
        let mut add = |to: u32, weight: f32| {
            if weight > 0.0 {
                edges.push((to, weight));
            }
        };
        if node < FIRST_ENTITY {
            for (to, weight) in
                [(self.chain.step(node, false), rank.backward), (self.chain.step(node, true), rank.forward)]
            {
                if to != NO_NODE {
                    add(to, weight);
                }
            }
            let neighbours = self.associations.neighbours(node);
            divided(neighbours.as_flattened(), 2, rank.association, &mut add);
            for entity in self.entities.entities_of(node) {
                add(FIRST_ENTITY + entity, rank.entity * self.entities.specificity(entity));
            }
        } else {
            let entity = node - FIRST_ENTITY;
            let count = self.entities.references(entity);
            if count <= rank.fan {
                let weight = rank.entity / count as f32;
                let mut added = 0;
                self.entities.each_slot(entity, 0, &mut |slot| {
                    add(slot, weight);
                    added += 1;
                    // All of them would be too many: one more than there is room for says so.
                    count <= room || added <= room
                });
            }
            let relations = self.entities.relations(entity);
            divided(relations, relations::WORDS, rank.relation, &mut |to, weight| add(FIRST_ENTITY + to, weight));
        }
    }
}

/// Edges that have so much weight together: their words, the first of each the node, the last the weight.
fn divided(edges: &[u32], words: usize, all: f32, add: &mut dyn FnMut(u32, f32)) {
    let weight_of = |edge: &[u32]| f32::from_bits(edge[words - 1]);
    let sum = edges.chunks_exact(words).fold(0.0, |sum, edge| sum + weight_of(edge));
    edges.chunks_exact(words).for_each(|edge| add(edge[0], all * weight_of(edge) / sum));
}

/// The nodes that seeds reach, and the edges between them.
struct Subgraph {
    reach: Reach,
    /// Numbers in the order in which they are worked on: by steps, then as nodes are ordered.
    order: Vec<u32>,
    edges: Vec<Edge>,
    /// Where those of each number begin and end.
    rows: Vec<(usize, usize)>,
}

fn subgraph(over: &Over, mut reach: Reach, rank: &Rank) -> Subgraph {
    let mut order = reach.level(0);
    let mut edges: Vec<Edge> = Vec::new();
    let mut rows = vec![(0, 0); reach.items.len()];
    let mut level = 0..order.len();
    for _ in 0..rank.hops {
        let reached = reach.items.len();
        for &number in &order[level.clone()] {
            let start = edges.len();
            let room = rank.edges - start;
            over.edges_of(reach.items[number as usize].node, rank, room, &mut edges);
            if edges.len() > rank.edges {
                edges.truncate(start);
                continue;
            }
            let sum = edges[start..].iter().fold(0.0, |sum, edge| sum + edge.1);
            // Edges to nodes that are too many are left out.
            let mut end = start;
            for i in start..edges.len() {
                let (to, weight) = edges[i];
                let found = reach.number_of(to).or_else(|| reach.add(to, over.key_of(to), 0.0, number));
                if let Some(to) = found {
                    edges[end] = (to, weight / sum);
                    end += 1;
                }
            }
            rows[number as usize] = (start, end);
        }
        rows.resize(reach.items.len(), (0, 0));
        let start = order.len();
        order.extend(reach.level(reached));
        level = start..order.len();
    }
    Subgraph { reach, order, edges, rows }
}

impl Subgraph {
    fn row(&self, number: u32) -> &[Edge] {
        let (start, end) = self.rows[number as usize];
        &self.edges[start..end]
    }

    /// Power iteration. Every sum is taken in the order of the numbers.
    fn ranks(&self, rank: &Rank) -> Vec<f32> {
        let strength = |&&number: &&u32| self.reach.items[number as usize].hops == 0;
        let of_seeds = || self.order.iter().filter(strength);
        let all = of_seeds().fold(0.0, |sum, &number| sum + self.reach.items[number as usize].activation);
        let mut seeds = vec![0.0; self.rows.len()];
        for &number in of_seeds() {
            seeds[number as usize] = self.reach.items[number as usize].activation / all;
        }
        let mut ranks = seeds.clone();
        let mut next = seeds.clone();
        for _ in 0..rank.iterations {
            let bare = self.order.iter().filter(|&&number| self.row(number).is_empty());
            let bare = bare.fold(0.0, |sum, &number| sum + ranks[number as usize]);
            let back = (1.0 - rank.damping) + rank.damping * bare;
            for (next, part) in next.iter_mut().zip(&seeds) {
                *next = back * part;
            }
            for &number in &self.order {
                let gives = rank.damping * ranks[number as usize];
                for &(to, share) in self.row(number) {
                    next[to as usize] += gives * share;
                }
            }
            let change = |sum: f32, &number: &u32| {
                let difference = next[number as usize] - ranks[number as usize];
                sum + f32::from_bits(difference.to_bits() & !(1 << 31))
            };
            let change = self.order.iter().fold(0.0, change);
            core::mem::swap(&mut ranks, &mut next);
            if change <= rank.epsilon {
                break;
            }
        }
        ranks
    }
}

/// Personalised PageRank over what the seeds reach: see the port.
pub fn page_rank(over: &Over, seeds: &[u32], strengths: &[f32], rank: &Rank) -> Vec<u32> {
    let mut reach = Reach::default();
    for (&seed, &strength) in seeds.iter().zip(strengths) {
        reach.seed(seed, over.key_of(seed), strength);
    }
    let mut graph = subgraph(over, reach, rank);
    let ranks = graph.ranks(rank);
    for (item, &rank) in graph.reach.items.iter_mut().zip(&ranks) {
        item.activation = rank;
    }
    for &number in &graph.order {
        let (start, end) = graph.rows[number as usize];
        for &(to, share) in &graph.edges[start..end] {
            if graph.reach.items[to as usize].hops == graph.reach.items[number as usize].hops + 1 {
                graph.reach.through(to, ranks[number as usize] * share, number);
            }
        }
    }
    graph.reach.answer(rank.most, rank.answer | 4)
}
