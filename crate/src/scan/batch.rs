use super::OutOfMemory;
use super::score::Scoring;
use crate::hypervector::Hypervector;
use crate::query::Query;
use alloc::vec::Vec;

/// Signatures for which room is made at a time.
const STEP: usize = 1024;

/// Signatures one after the other, written from outside and scored where they lie.
#[derive(Default)]
pub struct Batch {
    /// As many as there ever were: those beyond are of before.
    rows: Vec<Hypervector>,
}

impl Batch {
    /// Room for so many signatures. What was there may stay, until it is written over.
    pub fn room(&mut self, signatures: usize) -> Result<&mut [Hypervector], OutOfMemory> {
        if self.rows.len() < signatures {
            let room = signatures.next_multiple_of(STEP);
            self.rows = Vec::new();
            self.rows.try_reserve_exact(room)?;
            self.rows.resize(room, Hypervector::ZERO);
        }
        Ok(&mut self.rows[..signatures])
    }

    /// The scores of the first `count`.
    pub fn score(&self, query: &Query, count: usize) -> Vec<i32> {
        let scoring = Scoring::of(query);
        self.rows[..count].iter().map(|row| scoring.score(row)).collect()
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.rows[..])
    }
}
