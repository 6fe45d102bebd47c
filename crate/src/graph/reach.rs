use crate::{FIRST_ENTITY, MAX_HOPS, MAX_REACHED, NO_NODE};
use agidb_small::index::Index;
use agidb_small::sort::sort;
use agidb_small::{Hit, TopK};
use alloc::vec;
use alloc::vec::Vec;

/// No node gave it its activation: it is a seed.
const SEED: u32 = u32::MAX;

/// A node that a walk reached.
pub struct Item {
    pub node: u32,
    /// Its place in the order of slots, or of entities: see [`slot_key`] and the hash of a name.
    pub key: u64,
    pub activation: f32,
    pub hops: u32,
    /// The number of the node that gave it most, and how much that is.
    through: u32,
    most: f32,
}

/// What a walk reached so far. Nodes are numbered as they are reached, so those of a step follow each other.
#[derive(Default)]
pub struct Reach {
    pub items: Vec<Item>,
    index: Index,
}

fn hash_of(node: u32) -> u32 {
    let product = node.wrapping_mul(0x9e37_79b1);
    product ^ (product >> 15)
}

/// The key of a slot.
pub fn slot_key(slot: u32) -> u64 {
    u64::from(slot) << 32
}

/// Numbers that are sorted by insertion.
const FEW: usize = 12;

/// Sorts numbers by keys of 64 bits.
pub fn order(numbers: &mut [u32], key: &dyn Fn(u32) -> u64) {
    const UPPER: u64 = !0 << 32;
    if numbers.len() > FEW {
        let mut sorted: Vec<u64> = numbers.iter().map(|&number| key(number) & UPPER | u64::from(number)).collect();
        sort(&mut sorted);
        for (number, sorted) in numbers.iter_mut().zip(sorted) {
            *number = sorted as u32;
        }
    }
    // What is left is little: few numbers, or few with the same upper half and another lower one.
    for i in 1..numbers.len() {
        let mut at = i;
        while at > 0 && key(numbers[at - 1]) > key(numbers[at]) {
            numbers.swap(at - 1, at);
            at -= 1;
        }
    }
}

impl Reach {
    pub fn number_of(&self, node: u32) -> Option<u32> {
        self.index.find(hash_of(node), |number| self.items[number as usize].node == node)
    }

    /// Adds a node, unless there are too many; answers its number.
    pub fn add(&mut self, node: u32, key: u64, activation: f32, through: u32) -> Option<u32> {
        if self.items.len() >= MAX_REACHED {
            return None;
        }
        let hops = if through == SEED { 0 } else { self.items[through as usize].hops + 1 };
        let number = self.items.len() as u32;
        self.items.push(Item { node, key, activation, hops, through, most: activation });
        self.index.insert(number, |other| hash_of(self.items[other as usize].node));
        Some(number)
    }

    /// Adds a seed, unless it gives nothing; of one that comes twice the larger strength counts.
    pub fn seed(&mut self, node: u32, key: u64, strength: f32) {
        if let Some(number) = self.number_of(node) {
            let item = &mut self.items[number as usize];
            if strength > item.activation {
                (item.activation, item.most) = (strength, strength);
            }
        } else if strength > 0.0 {
            self.add(node, key, strength, SEED);
        }
    }

    /// Nodes from number `start` on, in order: slots, then entities.
    pub fn level(&self, start: usize) -> Vec<u32> {
        let is_slot = |&number: &u32| self.items[number as usize].node < FIRST_ENTITY;
        let all = start as u32..self.items.len() as u32;
        let (mut slots, mut entities): (Vec<u32>, Vec<u32>) = all.partition(is_slot);
        for numbers in [&mut slots, &mut entities] {
            order(numbers, &|number| self.items[number as usize].key);
        }
        slots.extend_from_slice(&entities);
        slots
    }

    /// Adds to the activation of a node that is one step after `through`, or wherever it is.
    pub fn give(&mut self, node: u32, key: u64, activation: f32, through: u32, wherever: bool) {
        let Some(number) = self.number_of(node) else {
            self.add(node, key, activation, through);
            return;
        };
        let hops = self.items[through as usize].hops + 1;
        let item = &mut self.items[number as usize];
        if wherever || item.hops == hops {
            item.activation += activation;
            self.through(number, activation, through);
        }
    }

    /// Notes that a node gives another so much: the one that gives most, the first of them, is on its path.
    pub fn through(&mut self, number: u32, activation: f32, through: u32) {
        let hops = self.items[through as usize].hops + 1;
        let item = &mut self.items[number as usize];
        if activation > item.most {
            (item.most, item.through, item.hops) = (activation, through, hops);
        }
    }

    /// The best of what is wanted (bit 0: slots, bit 1: entities; bit 2: seeds, too): of each its node, the bits of its
    /// activation, its steps and its path.
    pub fn answer(&self, most: usize, wanted: u32) -> Vec<u32> {
        let mut entities: Vec<u32> = Vec::new();
        let mut best = TopK::new(most.min(self.items.len()));
        for (number, item) in self.items.iter().enumerate() {
            let is_entity = item.node >= FIRST_ENTITY;
            if wanted & (1 << u32::from(is_entity)) == 0 || item.hops == 0 && wanted & 4 == 0 {
                continue;
            }
            if is_entity {
                entities.push(number as u32);
            } else {
                best.offer(Hit { slot: item.node, score: item.activation.to_bits() as i32 });
            }
        }
        order(&mut entities, &|number| self.items[number as usize].key);
        for (rank, &number) in entities.iter().enumerate() {
            let score = self.items[number as usize].activation.to_bits() as i32;
            best.offer(Hit { slot: FIRST_ENTITY + rank as u32, score });
        }
        let mut answer = Vec::new();
        for Hit { slot, .. } in best.hits() {
            let number = if slot < FIRST_ENTITY { self.number_of(slot) } else { None };
            let mut at = number.unwrap_or_else(|| entities[(slot - FIRST_ENTITY) as usize]);
            let item = &self.items[at as usize];
            let mut path = vec![NO_NODE; MAX_HOPS + 1];
            answer.extend_from_slice(&[item.node, item.activation.to_bits(), item.hops]);
            while at != SEED {
                let item = &self.items[at as usize];
                path[item.hops as usize] = item.node;
                at = item.through;
            }
            answer.extend_from_slice(&path);
        }
        answer
    }
}
