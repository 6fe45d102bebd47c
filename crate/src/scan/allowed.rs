use super::columns::{BLOCK, Column, LINE_ROWS};
use super::slots::Slots;
use crate::lanes::Lane;
use alloc::vec::Vec;

/// Where fewer than one slot in so many is allowed, their places are looked up one by one.
const FEW: usize = 16;

/// The slots that a question may see, as rows of blocks.
pub enum Allowed<'a> {
    /// The rows of each block.
    Few(Vec<Column>),
    /// A bit set over slots.
    Many(&'a [u32]),
}

impl<'a> Allowed<'a> {
    /// Of an arena with so many blocks.
    pub fn of(set: &'a [u32], slots: &Slots, blocks: usize) -> Allowed<'a> {
        let allowed: usize = set.iter().map(|word| word.count_ones() as usize).sum();
        if FEW * allowed >= slots.len() {
            return Allowed::Many(set);
        }
        // Without memory for it the slots of all places are looked at.
        let Ok(mut rows) = Column::zeros(blocks) else { return Allowed::Many(set) };
        for (at, &word) in set.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                let slot = 32 * at as u32 + left.trailing_zeros();
                left &= left - 1;
                if let Some(place) = slots.place(slot)
                    && let Some(rows) = rows.get_mut(place / BLOCK)
                {
                    rows.put(place % BLOCK, true);
                }
            }
        }
        Allowed::Few(rows)
    }

    /// The rows of a block that are allowed, given the slots of its places. What no slot has may be among them.
    pub fn rows(&self, block: usize, slots: &[u32]) -> Column {
        let set = match self {
            Allowed::Few(rows) => return rows[block],
            Allowed::Many(set) => set,
        };
        let mut rows = Column::ZERO;
        for (line, slots) in rows.lines.iter_mut().zip(slots.chunks_exact(LINE_ROWS)) {
            for (lane, slots) in line.0.iter_mut().zip(slots.chunks_exact(128)) {
                let mut words = [0; 4];
                for (word, slots) in words.iter_mut().zip(slots.chunks_exact(32)) {
                    *word = among(set, slots);
                }
                *lane = Lane::from_words(words);
            }
        }
        rows
    }
}

/// A bit for each of 32 slots that is in the set.
fn among(set: &[u32], slots: &[u32]) -> u32 {
    let word = |at: usize| set.get(at).map_or(0, |&word| word);
    let first = slots[0];
    let apart = |(i, &slot): (usize, &u32)| slot ^ first.wrapping_add(i as u32);
    // Mostly slots were given their places in their order.
    if first < u32::MAX - 32 && slots.iter().enumerate().map(apart).fold(0, |any, apart| any | apart) == 0 {
        let (at, shift) = (first as usize / 32, first % 32);
        return ((u64::from(word(at + 1)) << 32 | u64::from(word(at))) >> shift) as u32;
    }
    slots.iter().enumerate().fold(0, |found, (bit, &slot)| found | (word(slot as usize / 32) >> (slot % 32) & 1) << bit)
}
