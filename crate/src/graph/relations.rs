//! The relations of an entity: 12 bytes for each end, in a block for 4, 8, 16 or 32 of them.

use crate::MAX_RELATIONS;
use crate::pool::Pool;

/// Words of a relation: the other entity, its [`code`], its weight.
pub const WORDS: usize = 3;
/// Where in the node of an entity their number and their block are.
const DEGREE: usize = 10;
const START: usize = 11;
/// The bit of a code of a relation that leads from the entity to the other one.
pub const OUTGOING: u32 = 1 << 8;

/// One pool for each size of block.
pub struct Relations([Pool; 4]);

impl Default for Relations {
    fn default() -> Relations {
        Relations(core::array::from_fn(|size| Pool::new(WORDS << (size + 2))))
    }
}

/// Which pool has the block for so many.
fn size_of_block(degree: usize) -> usize {
    (0..3).find(|size| degree <= 4 << size).unwrap_or(3)
}

/// How many an entity has.
pub fn degree(node: &[u32]) -> usize {
    node[DEGREE] as usize
}

/// Whether there is no room for another.
pub fn is_full(node: &[u32]) -> bool {
    degree(node) == MAX_RELATIONS
}

impl Relations {
    /// All of an entity, one after the other.
    pub fn of(&self, node: &[u32]) -> &[u32] {
        match degree(node) {
            0 => &[],
            degree => &self.0[size_of_block(degree)].block(node[START])[..degree * WORDS],
        }
    }

    /// The words of all of an entity that has some.
    pub fn of_mut(&mut self, node: &[u32]) -> &mut [u32] {
        let degree = degree(node);
        &mut self.0[size_of_block(degree)].block_mut(node[START])[..degree * WORDS]
    }

    pub fn insert(&mut self, node: &mut [u32], at: usize, relation: [u32; WORDS]) {
        let degree = degree(node);
        self.resize(node, degree + 1);
        let words = self.of_mut(node);
        words.copy_within(at * WORDS..degree * WORDS, (at + 1) * WORDS);
        words[at * WORDS..(at + 1) * WORDS].copy_from_slice(&relation);
    }

    pub fn remove(&mut self, node: &mut [u32], at: usize) {
        let degree = degree(node);
        let words = self.of_mut(node);
        words.copy_within((at + 1) * WORDS.., at * WORDS);
        words[(degree - 1) * WORDS..].fill(0);
        self.resize(node, degree - 1);
    }

    /// Moves what stays into a block of the right size.
    fn resize(&mut self, node: &mut [u32], to: usize) {
        let from = degree(node);
        let (old, new) = (size_of_block(from), size_of_block(to));
        let block = node[START];
        node[DEGREE] = to as u32;
        if from > 0 && to > 0 && old == new {
            return;
        }
        let mut kept = [0; WORDS * MAX_RELATIONS];
        let kept = &mut kept[..WORDS * from.min(to)];
        if from > 0 {
            kept.copy_from_slice(&self.0[old].block(block)[..kept.len()]);
            self.0[old].release(block);
        }
        node[START] = if to > 0 { self.0[new].take() } else { 0 };
        if to > 0 {
            self.0[new].block_mut(node[START])[..kept.len()].copy_from_slice(kept);
        }
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.0.iter().map(Pool::bytes).sum()
    }
}
