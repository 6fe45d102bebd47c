//! What must hold for all histories of graphs, against the shortest code that could be right.

use agidb_kernel::{AssociationGraph, EntityGraph, Over, Rank, TagTable, TemporalChain, page_rank};
use quickcheck::{Arbitrary, Gen, QuickCheck};
use std::collections::{BTreeMap, BTreeSet};

const LEAST: f32 = 1.0 / 1024.0;

fn strengthen(graph: &mut AssociationGraph, a: u32, b: u32, weight: f32) {
    let sum = graph.weight(a, b) + weight;
    graph.set(a, b, sum);
}

fn remove(graph: &mut AssociationGraph, slot: u32) {
    let neighbours: Vec<u32> = graph.neighbours(slot).iter().map(|edge| edge[0]).collect();
    neighbours.iter().for_each(|&other| assert_eq!(graph.set(slot, other, 0.0), 0.0));
}

fn follow(chain: &TemporalChain, slot: u32, forward: bool) -> Vec<u32> {
    let mut slots = vec![slot];
    while chain.step(slots[slots.len() - 1], forward) != u32::MAX {
        slots.push(chain.step(slots[slots.len() - 1], forward));
    }
    slots.split_off(1)
}

/// Few slots, so that nodes get full, and some on other pages.
#[derive(Clone, Copy, Debug)]
struct Slot(u32);

impl Arbitrary for Slot {
    fn arbitrary(g: &mut Gen) -> Slot {
        let far = *g.choose(&[1023, 1024, 5000, 0x7fff_fffe]).unwrap();
        let near = u32::from(u8::arbitrary(g) % 26);
        Slot(if u8::arbitrary(g) < 25 && far < 10_000 { far } else { near })
    }
}

#[derive(Clone, Debug)]
enum Change {
    Set(Slot, Slot, u8),
    Strengthen(Slot, Slot, u8),
    Remove(Slot),
    Decay(u8),
}

impl Arbitrary for Change {
    fn arbitrary(g: &mut Gen) -> Change {
        let (a, b, w) = (Slot::arbitrary(g), Slot::arbitrary(g), u8::arbitrary(g));
        match u8::arbitrary(g) % 16 {
            0 => Change::Remove(a),
            1 => Change::Decay(w),
            n if n < 8 => Change::Set(a, b, w % 8),
            _ => Change::Strengthen(a, b, w % 8),
        }
    }
}

/// Edges by their ends, the lower first.
#[derive(Default)]
struct Edges(BTreeMap<(u32, u32), f32>);

impl Edges {
    fn of(&self, slot: u32) -> Vec<(u32, f32)> {
        let ends = self.0.iter().filter_map(|(&(a, b), &w)| match slot {
            s if s == a => Some((b, w)),
            s if s == b => Some((a, w)),
            _ => None,
        });
        let mut edges: Vec<(u32, f32)> = ends.collect();
        edges.sort_by_key(|edge| edge.0);
        edges
    }

    fn set(&mut self, a: u32, b: u32, weight: f32) {
        let key = (a.min(b), a.max(b));
        if a == b {
            return;
        }
        if weight < LEAST {
            self.0.remove(&key);
        } else {
            self.0.insert(key, weight);
        }
    }

    /// What goes where a slot has too many.
    fn weakest(&self, slot: u32) -> Option<(u32, u32)> {
        let mut edges = self.of(slot);
        if edges.len() <= 20 {
            return None;
        }
        edges.sort_by(|x, y| x.1.total_cmp(&y.1).then(y.0.cmp(&x.0)));
        let other = edges[0].0;
        Some((slot.min(other), slot.max(other)))
    }

    fn evict(&mut self, a: u32, b: u32) {
        let key = (a.min(b), a.max(b));
        // Where the new edge is the weakest at one end, it goes, and nothing else.
        let over: Vec<(u32, u32)> = [a, b].into_iter().filter_map(|end| self.weakest(end)).collect();
        if over.contains(&key) {
            self.0.remove(&key);
        } else {
            for gone in over {
                self.0.remove(&gone);
            }
        }
    }
}

#[test]
fn an_association_graph_is_the_strongest_edges_of_its_history() {
    fn law(changes: Vec<Change>, seeds: Vec<Slot>) -> bool {
        let (mut graph, mut model) = (AssociationGraph::default(), Edges::default());
        for change in changes {
            match change {
                Change::Set(Slot(a), Slot(b), w) => {
                    let weight = f32::from(w) / 4.0;
                    model.set(a, b, weight);
                    model.evict(a, b);
                    graph.set(a, b, weight);
                }
                Change::Strengthen(Slot(a), Slot(b), w) => {
                    let weight = f32::from(w) / 4.0;
                    let before = model.0.get(&(a.min(b), a.max(b))).copied().unwrap_or(0.0);
                    model.set(a, b, before + weight);
                    model.evict(a, b);
                    strengthen(&mut graph, a, b, weight);
                }
                Change::Remove(Slot(slot)) => {
                    model.0.retain(|&(a, b), _| a != slot && b != slot);
                    remove(&mut graph, slot);
                }
                Change::Decay(w) => {
                    let factor = f32::from(w) / 255.0;
                    model.0.values_mut().for_each(|weight| *weight *= factor);
                    model.0.retain(|_, &mut weight| weight >= LEAST);
                    graph.decay(factor, 0, u32::MAX);
                }
            }
        }
        let same = (0..26).chain([1023, 1024, 5000]).all(|slot| {
            let edges = graph.neighbours(slot).iter().map(|&[to, bits]| (to, f32::from_bits(bits)));
            edges.eq(model.of(slot))
        });
        let mut loaded = AssociationGraph::default();
        let seeds: Vec<u32> = seeds.iter().map(|seed| seed.0).collect();
        let reached = graph.activate(&seeds, &vec![1.0; seeds.len()], 3, 100, 0.5);
        same && graph.edges() == model.0.len()
            && loaded.load(&graph.save(), graph.edges()).is_some()
            && loaded.save() == graph.save()
            && reached.chunks_exact(12).all(|node| !seeds.contains(&node[0]) && f32::from_bits(node[1]).is_finite())
    }
    QuickCheck::new().tests(300).quickcheck(law as fn(Vec<Change>, Vec<Slot>) -> bool);
}

#[test]
fn the_episodes_of_an_entity_are_a_sorted_set_and_so_are_the_entities_of_an_episode() {
    fn law(changes: Vec<(u8, u16, bool)>) -> bool {
        let (mut graph, mut model) = (EntityGraph::default(), BTreeSet::new());
        let entities: Vec<u32> = (0..3).map(|hash| graph.add(hash, hash << 24, 0)).collect();
        // One that stays, so that none is gone.
        entities.iter().for_each(|&entity| assert!(graph.link(entity, 1 << 20)));
        for (entity, slot, linked) in changes {
            let (entity, slot) = (entities[usize::from(entity) % 3], u32::from(slot) % 300);
            let changed = if linked { graph.link(entity, slot) } else { graph.unlink(entity, slot) };
            let expected = if linked { model.insert((entity, slot)) } else { model.remove(&(entity, slot)) };
            assert_eq!(changed, expected);
        }
        let slots_of = |entity: u32| {
            let mut slots = Vec::new();
            graph.each_slot(entity, 0, &mut |slot| {
                slots.push(slot);
                true
            });
            slots.pop();
            slots
        };
        let by_slot = |slot: u32| model.iter().filter(move |link| link.1 == slot).map(|link| link.0);
        entities
            .iter()
            .all(|&entity| model.iter().filter(|link| link.0 == entity).map(|link| link.1).eq(slots_of(entity)))
            && (0..300).all(|slot| graph.entities_of(slot).into_iter().eq(by_slot(slot)))
            && graph.links() == model.len() + 3
    }
    let mut many = Gen::new(800);
    for _ in 0..60 {
        assert!(law(Vec::arbitrary(&mut many)));
    }
}

#[test]
fn an_entity_of_many_episodes_loses_and_gets_them_in_any_order() {
    let mut graph = EntityGraph::default();
    let entity = graph.add(1, 2, 3);
    let slot = |i: u32| i.wrapping_mul(7919) % 10_007;
    for i in 0..10_007 {
        assert!(graph.link(entity, slot(i)));
    }
    assert!((0..10_007).all(|slot| !graph.link(entity, slot)));
    for i in 0..10_007 {
        assert!(graph.unlink(entity, slot(3 * i)));
        assert!(i == 10_006 || graph.references(entity) == 10_006 - i as usize);
    }
    assert_eq!((graph.entities(), graph.links(), graph.episodes(), graph.find(1, 2)), (0, 0, 0, None));
}

#[test]
fn numbers_of_entities_that_are_gone_are_used_again_the_lowest_first() {
    fn law(changes: Vec<u8>) -> bool {
        let mut graph = EntityGraph::default();
        let mut model: BTreeMap<u8, u32> = BTreeMap::new();
        for name in changes {
            let hash = u32::from(name % 64);
            match model.remove(&name) {
                Some(number) => graph.drop_if_bare(number),
                None => {
                    let free = (0..).find(|number| !model.values().any(|other| other == number)).unwrap();
                    assert_eq!(graph.add(hash, u32::from(name) << 22, 0), free);
                    model.insert(name, free);
                }
            }
        }
        model.iter().all(|(&name, &number)| graph.find(u32::from(name % 64), u32::from(name) << 22) == Some(number))
            && graph.entities() == model.len()
    }
    QuickCheck::new().quickcheck(law as fn(Vec<u8>) -> bool);
}

#[test]
fn a_chain_is_a_list_for_each_session() {
    fn law(changes: Vec<(u8, u8, bool)>) -> bool {
        let (mut chain, mut lists) = (TemporalChain::default(), vec![Vec::<u32>::new(); 3]);
        for (slot, at, there) in changes {
            let slot = u32::from(slot) * 37;
            let session = slot as usize % 3;
            let list = &mut lists[session];
            if let Some(i) = list.iter().position(|&other| other == slot) {
                if !there {
                    list.remove(i);
                    assert!(chain.remove(slot));
                }
            } else if there {
                let i = usize::from(at) % (list.len() + 1);
                let before = if i == 0 { u32::MAX } else { list[i - 1] };
                chain.insert(slot, session as u32, before, list.get(i).copied().unwrap_or(u32::MAX));
                list.insert(i, slot);
            } else {
                assert!(!chain.remove(slot));
            }
        }
        let mut loaded = TemporalChain::default();
        let same = lists.iter().enumerate().all(|(session, list)| {
            list.iter().enumerate().all(|(i, &slot)| {
                let back: Vec<u32> = list[..i].iter().rev().copied().collect();
                follow(&chain, slot, true) == list[i + 1..]
                    && follow(&chain, slot, false) == back
                    && chain.session(slot) == Some(session as u32)
            })
        });
        same && loaded.load(&chain.save(), chain.nodes()).is_some() && loaded.save() == chain.save()
    }
    QuickCheck::new().quickcheck(law as fn(Vec<(u8, u8, bool)>) -> bool);
}

#[test]
fn a_full_table_of_tags_loses_the_weakest_sixteenth() {
    let mut table = TagTable::new(40);
    let link = |i: u32| [i, i * 7, i ^ 5, i / 3, (0.25 + (i % 5000) as f32 / 10_000.0).to_bits(), 1, 0, 0];
    for i in 0..65_536 {
        table.set(&link(i));
    }
    assert_eq!(table.size(), 65_536);
    table.set(&link(70_000));
    // Each weight is there 13 or 14 times: those below the 4,096th go, and of its own weight some.
    let weight = |i: u32| i % 5000;
    let gone: Vec<u32> = (0..65_536).filter(|&i| table.get([i, i * 7, i ^ 5, i / 3]).is_none()).collect();
    assert_eq!(gone.len(), 4096);
    let most = gone.iter().map(|&i| weight(i)).max().unwrap();
    assert!((0..65_536).filter(|&i| weight(i) < most).all(|i| gone.contains(&i)));
    assert!(table.get([70_000, 490_000, 70_000 ^ 5, 70_000 / 3]).is_some());
    for i in 0..65_536 {
        assert_eq!(table.remove([i, i * 7, i ^ 5, i / 3]), gone.binary_search(&i).is_err());
    }
    assert_eq!(table.size(), 1);
}

#[test]
fn growth_to_a_million_nodes_moves_none_of_them() {
    let mut graph = AssociationGraph::default();
    graph.set(0, 1, 1.0);
    let at = graph.neighbours(0).as_ptr();
    for slot in 1..1_000_000 {
        graph.set(slot - 1, slot, 1.0);
    }
    assert_eq!((graph.neighbours(0).as_ptr(), graph.nodes()), (at, 1_000_000));
    assert!(graph.bytes() < 1_000_000 * 170);
    for slot in 0..1_000_000 {
        remove(&mut graph, slot);
    }
    assert!(graph.nodes() == 0 && graph.bytes() < 1_000_000);
}

#[test]
fn ranks_sum_to_one_and_come_from_the_seeds() {
    fn law(edges: Vec<(u8, u8)>, seed: u8) -> bool {
        let mut associations = AssociationGraph::default();
        for (a, b) in edges {
            strengthen(&mut associations, u32::from(a) % 60, u32::from(b) % 60, 1.0);
        }
        let over =
            Over { associations: &associations, chain: &TemporalChain::default(), entities: &EntityGraph::default() };
        let rank = Rank {
            damping: 0.5,
            epsilon: 0.0,
            entity: 1.0,
            relation: 1.0,
            association: 1.0,
            forward: 1.0,
            backward: 1.0,
            iterations: 50,
            hops: 8,
            edges: 20_000,
            fan: 1000,
            most: 100,
            answer: 3,
        };
        let seed = u32::from(seed) % 60;
        let reached = page_rank(&over, &[seed], &[2.0], &rank);
        let ranks: Vec<f32> = reached.chunks_exact(12).map(|node| f32::from_bits(node[1])).collect();
        let paths = reached.chunks_exact(12).all(|node| {
            let path = &node[3..4 + node[2] as usize];
            path[0] == seed && path.windows(2).all(|step| associations.weight(step[0], step[1]) > 0.0)
        });
        paths && (ranks.iter().sum::<f32>() - 1.0).abs() < 1e-4 && ranks.is_sorted_by(|a, b| a >= b)
    }
    QuickCheck::new().quickcheck(law as fn(Vec<(u8, u8)>, u8) -> bool);
}
