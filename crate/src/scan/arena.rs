use super::OutOfMemory;
use super::block::{Block, Workspace};
use super::columns::{BLOCK, LINE_ROWS};
use super::plan::Plan;
use super::rows::Rows;
use super::slots::Slots;
use crate::hypervector::Hypervector;
use crate::query::Query;
use alloc::vec::Vec;

/// Rows with which a block begins: so many take a weighted query as long as columns of them; a binary one less.
const FIRST: usize = 6144;
/// Lines that a block may take while as many rows come as are in one.
const HURRY: usize = 4;

/// Signatures by slot. Slots may be sparse; the places that they have are dense: first those of the
/// blocks, which hold their signatures in columns, then the rows. All blocks but the last are full; the
/// last takes rows as soon as they fill a cache line of its columns.
#[derive(Default)]
pub struct Arena {
    pub(super) slots: Slots,
    pub(super) blocks: Vec<Block>,
    pub(super) rows: Rows,
    /// With so many blocks at most they keep their rows beside their columns.
    pub(super) keep: usize,
    /// Stamps that were given to blocks.
    stamps: u64,
    /// What blocks need to count; there when there are blocks.
    pub(super) work: Option<Workspace>,
    /// The query that the blocks counted for last.
    pub(super) asked: Option<(Query, Plan)>,
}

/// Where a signature is.
pub(super) enum Place {
    Block(usize, usize),
    Row(usize),
}

impl Arena {
    /// An empty arena.
    pub fn new() -> Arena {
        Arena::default()
    }

    /// An empty arena that keeps rows beside the columns as long as it has no more than about so many signatures: twice
    /// the memory, and the scores of a few slots for a query that was not scanned for take no longer than in rows.
    pub fn keeping(rows: usize) -> Arena {
        Arena { keep: rows.div_ceil(BLOCK), ..Arena::default() }
    }

    /// Signatures held.
    pub fn size(&self) -> usize {
        self.slots.len()
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        let work = self.work.as_ref().map_or(0, Workspace::bytes);
        self.blocks.iter().map(Block::bytes).sum::<usize>() + self.rows.bytes() + self.slots.bytes() + work
    }

    /// Whether a slot has a signature.
    pub fn has(&self, slot: u32) -> bool {
        self.slots.place(slot).is_some()
    }

    /// The signature of a slot, unless it is awaited.
    pub fn get(&self, slot: u32) -> Option<Hypervector> {
        Some(match self.place(slot)? {
            Place::Block(block, _) if self.blocks[block].awaited.is_some() => return None,
            Place::Block(block, row) => self.blocks[block].get(row),
            Place::Row(row) => *self.rows.get(row),
        })
    }

    /// Gives a slot a signature, in place of the one that it has.
    pub fn set(&mut self, slot: u32, signature: &Hypervector) -> Result<(), OutOfMemory> {
        match self.place(slot) {
            Some(Place::Block(block, row)) if self.blocks[block].awaited.is_some() => {
                // What comes for the block will not be this: it takes another place.
                self.push(slot, signature)?;
                self.slots.vacate(block * BLOCK + row);
                self.let_go(block, row);
            }
            Some(Place::Block(block, row)) => {
                self.blocks[block].set(row, signature);
                self.blocks[block].stamp = self.stamp();
            }
            Some(Place::Row(row)) => self.rows.set(row, signature),
            None => self.push(slot, signature)?,
        }
        Ok(())
    }

    /// Gives a slot the next place.
    fn push(&mut self, slot: u32, signature: &Hypervector) -> Result<(), OutOfMemory> {
        self.rows.push(signature)?;
        self.slots.push(slot).inspect_err(|_| self.rows.pop())?;
        if let Some(last) = self.blocks.last_mut() {
            last.prepare(HURRY);
        }
        // More often than rows fill a line: so what waited while a block was not worth it goes bit by bit.
        if self.rows.len() % (LINE_ROWS / HURRY) == 0 {
            self.take_line();
        }
        Ok(())
    }

    /// Takes the signature of a slot away.
    pub fn clear(&mut self, slot: u32) {
        match self.place(slot) {
            None => {}
            Some(Place::Row(row)) => {
                let moved = *self.rows.get(self.rows.len() - 1);
                self.rows.set(row, &moved);
                self.rows.pop();
                self.slots.remove(slot);
            }
            Some(Place::Block(block, row)) => {
                self.slots.leave(slot);
                self.let_go(block, row);
            }
        }
    }

    /// Takes a signature out of a block; its place is left.
    fn let_go(&mut self, block: usize, row: usize) {
        self.blocks[block].clear(row);
        self.blocks[block].stamp = self.stamp();
        self.dissolve_sparse(block);
    }

    /// Dissolves a block of which too much was cleared. An awaited one has nothing that could be moved before it is there.
    pub(super) fn dissolve_sparse(&mut self, number: usize) {
        let block = &self.blocks[number];
        let sparse = if block.awaited.is_some() { block.count() == 0 } else { 2 * block.count() <= block.places() };
        if sparse {
            self.dissolve(number);
        }
    }

    pub(super) fn place(&self, slot: u32) -> Option<Place> {
        let place = self.slots.place(slot)?;
        let rows = self.in_blocks();
        Some(if place < rows { Place::Block(place / BLOCK, place % BLOCK) } else { Place::Row(place - rows) })
    }

    /// Places of the blocks.
    pub(super) fn in_blocks(&self) -> usize {
        self.blocks.last().map_or(0, |last| (self.blocks.len() - 1) * BLOCK + last.places())
    }

    /// Gives rows that fill a line to the last block, or begins one; whether there was anything to do. Without memory for
    /// it they stay rows, until more have come.
    fn take_line(&mut self) -> bool {
        if self.rows.len() < LINE_ROWS {
            return false;
        }
        let stamp = self.stamp();
        match self.blocks.last_mut() {
            Some(last) if !last.is_full() => last.awaited.is_none() && last.take_line(&mut self.rows, stamp).is_ok(),
            _ => self.rows.len() >= FIRST && self.begin_block(stamp).is_ok(),
        }
    }

    fn begin_block(&mut self, stamp: u64) -> Result<(), OutOfMemory> {
        if self.work.is_none() {
            self.work = Some(Workspace::new()?);
        }
        self.blocks.try_reserve(1)?;
        let keeps = self.blocks.len() < self.keep;
        let block = Block::empty(keeps, stamp)?;
        if !keeps {
            self.blocks.iter_mut().for_each(Block::drop_rows);
        }
        self.blocks.push(block);
        Ok(())
    }

    /// Makes some of the rows that are to be kept and are not there, after the arena was restored; whether there were any.
    /// Takes a millisecond or two, so that other work can be done in between.
    pub fn make_rows(&mut self) -> Result<bool, OutOfMemory> {
        if self.blocks.len() > self.keep {
            return Ok(false);
        }
        for block in &mut self.blocks {
            if block.make_rows()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A new stamp.
    pub(super) fn stamp(&mut self) -> u64 {
        self.stamps += 1;
        self.stamps
    }

    /// Makes rows again of what a block still holds. Without memory for it, it stays a block.
    fn dissolve(&mut self, number: usize) {
        if self.rows.reserve(self.blocks[number].count()).is_err() {
            return;
        }
        let (first, places) = (number * BLOCK, self.blocks[number].places());
        let slots = self.slots.by_place()[first..first + places].to_vec();
        self.slots.remove_places(first, places);
        let block = self.blocks.remove(number);
        if block.count() > 0 {
            block.visit_held(|row, signature| {
                // There is room: of rows by the reservation, of slots where these were before.
                let pushed = self.rows.push(signature).and_then(|()| self.slots.push(slots[row]));
                assert!(pushed.is_ok(), "there was no room for rows that were reserved");
            });
        }
        drop(block);
        while self.take_line() {}
    }
}
