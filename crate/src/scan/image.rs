//! An arena kept elsewhere: its blocks as they lie in memory, its slots and its rows.

use super::OutOfMemory;
use super::arena::{Arena, Place};
use super::block::{Block, Workspace};
use super::columns::{BLOCK, Columns, LINE_ROWS};
use super::rows::Rows;
use super::slots::Slots;
use crate::hypervector::Hypervector;
use alloc::vec::Vec;

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

    /// Makes this arena, which is empty, what another was, but for what is in its blocks: they are awaited.
    pub fn restore(
        &mut self,
        by_place: &[u32],
        rows: impl ExactSizeIterator<Item = Hypervector>,
    ) -> Result<(), RestoreError> {
        let slots = Slots::of(by_place)?.ok_or(RestoreError::SlotTwice)?;
        let (in_blocks, _) = by_place.split_at(by_place.len() - rows.len());
        let mut tail = Rows::default();
        for row in rows {
            tail.push(&row)?;
        }
        self.blocks.try_reserve(in_blocks.len().div_ceil(BLOCK)).map_err(OutOfMemory::from)?;
        let mut blocks = Vec::new();
        for (number, slots) in in_blocks.chunks(BLOCK).enumerate() {
            let columns = Columns::unwritten(slots.len() / LINE_ROWS)?;
            blocks.push(Block::restored(columns, slots, self.stamp(), number as u32)?);
        }
        if self.work.is_none() && !blocks.is_empty() {
            self.work = Some(Workspace::new()?);
        }
        (self.slots, self.blocks, self.rows) = (slots, blocks, tail);
        Ok(())
    }

    /// The numbers that awaited blocks have in the image, ascending, and how many signatures are to come with each.
    pub fn awaited(&self) -> impl Iterator<Item = (u32, usize)> {
        self.blocks.iter().filter_map(|block| Some((block.awaited?, block.count())))
    }

    /// Whether a signature is in an awaited block, and in which.
    pub fn awaits(&self, slot: u32) -> Option<u32> {
        match self.place(slot)? {
            Place::Block(block, _) => self.blocks[block].awaited,
            Place::Row(_) => None,
        }
    }

    /// The slots whose signatures are to come with an awaited block.
    pub fn awaited_slots(&self, number: u32) -> Vec<u32> {
        let Some(at) = self.position(number) else { return Vec::new() };
        let slots = self.slots.by_place().iter().skip(at * BLOCK).take(self.blocks[at].places());
        slots.copied().filter(|&slot| slot != u32::MAX).collect()
    }

    /// The memory for the next bytes of an awaited block, at most so many, whole cache lines: to be written before the next are
    /// asked for. `None` where the block is not awaited.
    pub fn more(&mut self, number: u32, bytes: usize) -> Option<(*mut u8, usize)> {
        let at = self.position(number)?;
        Some(self.blocks[at].unwritten().more(bytes))
    }

    /// A block of which all is written is awaited no more; whether that is so.
    pub fn admit(&mut self, number: u32) -> bool {
        let Some(at) = self.position(number) else { return false };
        if !self.blocks[at].unwritten().is_written() {
            return false;
        }
        self.blocks[at].awaited = None;
        self.dissolve_sparse(at);
        true
    }

    fn position(&self, number: u32) -> Option<usize> {
        self.blocks.iter().position(|block| block.awaited == Some(number))
    }
}
