//! An arena kept elsewhere: its blocks as they lie in memory, its slots and its rows.

use super::arena::{Arena, OutOfMemory};
use super::block::{Block, Workspace};
use super::columns::{BLOCK, Columns, LINE_ROWS};
use super::rows::Rows;
use super::slots::Slots;
use crate::hypervector::Hypervector;

/// How blocks are laid out: changes when an image that was kept can no longer be read.
pub const LAYOUT: &str = "columns 2";

/// Why an arena was not restored. It is as it was.
#[derive(Debug)]
pub enum RestoreError {
    /// No memory for it.
    OutOfMemory,
    /// A slot has two places.
    SlotTwice,
}

impl From<OutOfMemory> for RestoreError {
    fn from(_: OutOfMemory) -> RestoreError {
        RestoreError::OutOfMemory
    }
}

/// Blocks whose columns are still to be written.
pub struct Restore(Vec<Columns>);

impl Restore {
    /// Memory for blocks of so many places, which are whole lines.
    pub fn new(places: usize) -> Result<Restore, OutOfMemory> {
        let blocks = (0..places).step_by(BLOCK).map(|first| Columns::new(BLOCK.min(places - first) / LINE_ROWS));
        Ok(Restore(blocks.collect::<Result<_, _>>()?))
    }

    /// Blocks to write.
    pub fn blocks(&self) -> usize {
        self.0.len()
    }

    /// The memory of a block and its length in bytes: what was in that of the arena is to be written to it.
    pub fn block(&mut self, number: usize) -> (*mut u8, usize) {
        self.0[number].memory_mut()
    }
}

impl Arena {
    /// The slot of each place, [`u32::MAX`] where there is none: the places of the blocks, then those of the rows.
    pub fn by_place(&self) -> &[u32] {
        self.slots.by_place()
    }

    /// Blocks of columns. One that was just begun has none yet.
    pub fn blocks(&self) -> usize {
        self.blocks.iter().filter(|block| block.places() > 0).count()
    }

    /// A number that changes whenever the content of the block does.
    pub fn stamp_of(&self, block: usize) -> u64 {
        self.blocks[block].stamp
    }

    /// The memory of a block, rid of what was cleared, and its length in bytes.
    pub fn block(&mut self, number: usize) -> (*const u8, usize) {
        self.blocks[number].wiped().memory()
    }

    /// The signatures that are in no block.
    pub fn rows(&self) -> impl Iterator<Item = &Hypervector> {
        (0..self.rows.len()).map(|row| self.rows.get(row))
    }

    /// Makes this arena, which is empty, what another was.
    pub fn restore(
        &mut self,
        restore: Restore,
        by_place: &[u32],
        rows: impl Iterator<Item = Hypervector>,
    ) -> Result<(), RestoreError> {
        let slots = Slots::of(by_place)?.ok_or(RestoreError::SlotTwice)?;
        let mut tail = Rows::default();
        for row in rows {
            tail.push(&row)?;
        }
        self.blocks.try_reserve(restore.0.len()).map_err(OutOfMemory::from)?;
        let mut blocks = Vec::new();
        for (columns, slots) in restore.0.into_iter().zip(by_place.chunks(BLOCK)) {
            // After the places of the last block come those of the rows.
            let slots = &slots[..columns.used() * LINE_ROWS];
            blocks.push(Block::restored(columns, slots, self.stamp())?);
        }
        if self.work.is_none() && !blocks.is_empty() {
            self.work = Some(Workspace::new()?);
        }
        (self.slots, self.blocks, self.rows) = (slots, blocks, tail);
        Ok(())
    }
}
