use super::rows::Rows;
use super::score::{differing, weighted_differing};
use super::slots::Slots;
use super::top_k::{Hit, TopK};
use crate::hypervector::Hypervector;
use crate::query::Query;
use std::collections::TryReserveError;

/// No memory for another signature. The arena is as it was.
#[derive(Debug)]
pub struct OutOfMemory;

impl From<TryReserveError> for OutOfMemory {
    fn from(_: TryReserveError) -> OutOfMemory {
        OutOfMemory
    }
}

/// Signatures by slot. Slots may be sparse; rows are dense.
#[derive(Default)]
pub struct Arena {
    slots: Slots,
    rows: Rows,
}

impl Arena {
    /// An empty arena.
    pub fn new() -> Arena {
        Arena::default()
    }

    /// Signatures held.
    pub fn size(&self) -> usize {
        self.slots.len()
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.rows.bytes() + self.slots.bytes()
    }

    /// The signature of a slot.
    pub fn get(&self, slot: u32) -> Option<&Hypervector> {
        self.slots.row(slot).map(|row| self.rows.get(row))
    }

    /// Gives a slot a signature, in place of the one that it has.
    pub fn set(&mut self, slot: u32, signature: &Hypervector) -> Result<(), OutOfMemory> {
        if let Some(row) = self.slots.row(slot) {
            self.rows.set(row, signature);
            return Ok(());
        }
        self.rows.push(signature)?;
        self.slots.push(slot).inspect_err(|_| self.rows.pop())
    }

    /// Takes the signature of a slot away.
    pub fn clear(&mut self, slot: u32) {
        if let Some((row, last)) = self.slots.remove(slot) {
            let moved = *self.rows.get(last);
            self.rows.set(row, &moved);
            self.rows.pop();
        }
    }

    /// The `k` best slots, ties by slot. `allow` is a bit set over slots; `None` allows all.
    pub fn scan(&self, query: &Query, k: usize, allow: Option<&[u32]>) -> Vec<Hit> {
        let mut best = TopK::new(k.min(self.size()));
        let highest = query.highest();
        match &query.planes {
            None => self.visit(allow, &mut best, |row| highest - 2 * differing(row, &query.signs) as i32),
            Some(planes) => {
                self.visit(allow, &mut best, |row| highest - 2 * weighted_differing(row, &query.signs, planes) as i32)
            }
        }
        best.hits()
    }

    /// The scores of given slots; `None` where there is no signature.
    pub fn score(&self, query: &Query, slots: &[u32]) -> Vec<Option<i32>> {
        let highest = query.highest();
        let score = |row: &Hypervector| match &query.planes {
            None => highest - 2 * differing(row, &query.signs) as i32,
            Some(planes) => highest - 2 * weighted_differing(row, &query.signs, planes) as i32,
        };
        slots.iter().map(|&slot| self.get(slot).map(score)).collect()
    }

    #[inline(always)]
    fn visit(&self, allow: Option<&[u32]>, best: &mut TopK, score: impl Fn(&Hypervector) -> i32) {
        let slots = self.slots.by_row();
        self.rows.visit(|row, signature| {
            let slot = slots[row];
            if allow.is_none_or(|allow| contains(allow, slot)) {
                best.offer(Hit { slot, score: score(signature) });
            }
        });
    }
}

#[inline(always)]
fn contains(set: &[u32], slot: u32) -> bool {
    set.get(slot as usize >> 5).is_some_and(|word| word >> (slot & 31) & 1 == 1)
}
