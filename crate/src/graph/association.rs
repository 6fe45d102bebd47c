use crate::image::{Reader, must, write};
use crate::pages::Pages;
use crate::reach::{Reach, slot_key};
use crate::{LEAST_WEIGHT, MAX_NEIGHBOURS, MAX_NODE, is_weight};
use alloc::vec::Vec;

/// Words of a node: degree, and slot and weight of each neighbour.
const WORDS: usize = 1 + 2 * MAX_NEIGHBOURS;

/// Undirected edges between slots, at most [`MAX_NEIGHBOURS`] a slot, ascending by neighbour: 164 bytes a node.
pub struct AssociationGraph {
    pages: Pages,
    nodes: usize,
    edges: usize,
}

impl Default for AssociationGraph {
    fn default() -> AssociationGraph {
        AssociationGraph { pages: Pages::new(WORDS), nodes: 0, edges: 0 }
    }
}

fn weight_of(edge: &[u32; 2]) -> f32 {
    f32::from_bits(edge[1])
}

/// Bits of weights are ordered as weights are: none is negative.
fn weakest_of(edges: &[[u32; 2]]) -> [u32; 2] {
    edges.iter().fold([0, u32::MAX], |weakest, &edge| if edge[1] <= weakest[1] { edge } else { weakest })
}

impl AssociationGraph {
    /// Slots that have an edge.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Edges.
    pub fn edges(&self) -> usize {
        self.edges
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.pages.bytes()
    }

    /// Neighbours, ascending, each with the bits of its weight.
    pub fn neighbours(&self, slot: u32) -> &[[u32; 2]] {
        let Some((&degree, edges)) = self.pages.node(slot).and_then(|node| node.split_first()) else { return &[] };
        &edges.as_chunks().0[..degree as usize]
    }

    fn find(&self, slot: u32, to: u32) -> Option<usize> {
        self.neighbours(slot).iter().position(|edge| edge[0] == to)
    }

    /// The weight of an edge; 0 where there is none.
    pub fn weight(&self, a: u32, b: u32) -> f32 {
        self.find(a, b).map_or(0.0, |i| weight_of(&self.neighbours(a)[i]))
    }

    /// Gives an edge a weight, which answers; 0 where it did not stay.
    pub fn set(&mut self, a: u32, b: u32, weight: f32) -> f32 {
        if a == b {
            return 0.0;
        }
        if weight < LEAST_WEIGHT {
            self.remove_edge(a, b);
            return 0.0;
        }
        let known = self.find(a, b).is_some();
        let stays = known || self.admits(a, b, weight) && self.admits(b, a, weight);
        if !stays {
            return 0.0;
        }
        for (from, to) in [(a, b), (b, a)] {
            match self.find(from, to) {
                Some(i) => self.pages.node_mut(from)[2 + 2 * i] = weight.to_bits(),
                None => self.insert(from, to, weight),
            }
        }
        self.edges += usize::from(!known);
        weight
    }

    /// Whether a new edge would stay: it is not the weakest of more than there may be.
    fn admits(&self, slot: u32, to: u32, weight: f32) -> bool {
        let edges = self.neighbours(slot);
        let [other, bits] = weakest_of(edges);
        edges.len() < MAX_NEIGHBOURS || (bits, to) < (weight.to_bits(), other)
    }

    fn insert(&mut self, slot: u32, to: u32, weight: f32) {
        let edges = self.neighbours(slot);
        if edges.len() == MAX_NEIGHBOURS {
            let [other, _] = weakest_of(edges);
            self.remove_edge(slot, other);
        }
        let edges = self.neighbours(slot);
        let degree = edges.len();
        let at = 1 + 2 * edges.iter().filter(|edge| edge[0] < to).count();
        if degree == 0 {
            self.pages.take(slot);
            self.nodes += 1;
        }
        let node = self.pages.node_mut(slot);
        node.copy_within(at..1 + 2 * degree, at + 2);
        node[at] = to;
        node[at + 1] = weight.to_bits();
        node[0] += 1;
    }

    /// Whether there was one.
    pub fn remove_edge(&mut self, a: u32, b: u32) -> bool {
        let removed = self.drop_end(a, b) && self.drop_end(b, a);
        self.edges -= usize::from(removed);
        removed
    }

    fn drop_end(&mut self, slot: u32, to: u32) -> bool {
        let Some(i) = self.find(slot, to) else { return false };
        let node = self.pages.node_mut(slot);
        let end = 1 + 2 * node[0] as usize;
        node.copy_within(3 + 2 * i..end, 1 + 2 * i);
        node[end - 2..end].fill(0);
        node[0] -= 1;
        if node[0] == 0 {
            self.pages.release(slot);
            self.nodes -= 1;
        }
        true
    }

    /// Multiplies the weights of the edges whose lower slot is from `from` to before `end`.
    pub fn decay(&mut self, factor: f32, from: u32, end: u32) {
        let mut at = from;
        while let Some(slot) = self.pages.next(at).filter(|&slot| slot < end) {
            at = slot + 1;
            for i in (0..self.neighbours(slot).len()).rev() {
                let edge = self.neighbours(slot)[i];
                if edge[0] > slot {
                    self.set(slot, edge[0], weight_of(&edge) * factor);
                }
            }
        }
    }

    /// Spreads activation from seeds: see the port.
    pub fn activate(&self, seeds: &[u32], strengths: &[f32], depth: u32, most: usize, attenuation: f32) -> Vec<u32> {
        let mut reach = Reach::default();
        for (&seed, &strength) in seeds.iter().zip(strengths) {
            reach.seed(seed, slot_key(seed), strength);
        }
        let mut start = 0;
        for _ in 0..depth {
            let level = reach.level(start);
            start = reach.items.len();
            for number in level {
                let item = &reach.items[number as usize];
                let edges = self.neighbours(item.node);
                let sum = edges.iter().fold(0.0, |sum, edge| sum + weight_of(edge));
                let gives = item.activation * attenuation;
                for edge in edges {
                    reach.give(edge[0], slot_key(edge[0]), gives * weight_of(edge) / sum, number, false);
                }
            }
        }
        reach.answer(most, 1)
    }

    /// The body of what is saved: each edge once, with its lower slot.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut at = 0;
        while let Some(slot) = self.pages.next(at) {
            at = slot + 1;
            let edges = self.neighbours(slot);
            let upper = &edges[edges.iter().filter(|edge| edge[0] < slot).count()..];
            if !upper.is_empty() {
                write(&mut bytes, &[slot, upper.len() as u32]);
                write(&mut bytes, upper.as_flattened());
            }
        }
        bytes
    }

    /// Makes an empty graph what was saved; none where it was not saved so.
    pub fn load(&mut self, body: &[u8], count: usize) -> Option<()> {
        let mut reader = Reader(body);
        let mut least = 0;
        while !reader.ended() {
            let slot = reader.word()?;
            let degree = reader.word()?;
            must(slot >= least && slot <= MAX_NODE && degree > 0)?;
            least = slot + 1;
            let mut last = slot;
            for _ in 0..degree {
                let to = reader.word()?;
                let weight = f32::from_bits(reader.word()?);
                must(to > last && to <= MAX_NODE && is_weight(weight))?;
                must([slot, to].iter().all(|&end| self.neighbours(end).len() < MAX_NEIGHBOURS))?;
                self.set(slot, to, weight);
                last = to;
            }
        }
        must(self.edges == count)
    }
}
