use super::block::{Block, Workspace};
use super::columns::{BLOCK, Column, LINE_ROWS};
use super::plan::{Plan, TOGETHER, classes};
use super::rows::Rows;
use super::score::{Scoring, fetch};
use super::sketch::{self, SKETCH};
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

/// Rows with which a block begins: so many take a weighted query as long as columns of them; a binary one less.
const FIRST: usize = 6144;
/// Lines that a block may take while as many rows come as are in one.
const HURRY: usize = 4;

/// Signatures that are scored in a scan of two stages to know how near the best are, at least.
const VERIFIED: usize = 64;
/// One in so many may be left by the sketch: scoring these takes longer for each than the exact scan for all.
const SHARE: usize = 8;

/// Rows that are fetched together before they are scored.
const AHEAD: usize = 8;

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
    asked: Option<(Query, Plan)>,
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
        let work = if self.work.is_some() { Workspace::BYTES } else { 0 };
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

    /// The `k` best slots, ties by slot. `allow` is a bit set over slots; `None` allows all.
    pub fn scan(&mut self, query: &Query, k: usize, allow: Option<&[u32]>) -> Vec<Hit> {
        let mut best = self.scan_rows(query, k, allow);
        self.plan(query);
        if let (Some(work), Some((_, plan))) = (&mut self.work, &self.asked) {
            for (block, slots) in self.blocks.iter_mut().zip(self.slots.by_place().chunks(BLOCK)) {
                block.scan(work, plan, slots, allow, &mut best);
            }
        }
        best.hits()
    }

    /// [`Arena::scan`] in two stages, see [`sketch`]: a binary query in an arena that keeps all rows leaves most signatures at
    /// the sketch, if some are much nearer than the others. Else this is the same scan.
    pub fn scan_pruned(&mut self, query: &Query, k: usize, allow: Option<&[u32]>) -> Vec<Hit> {
        let found = if query.planes.is_none() && self.blocks.iter().all(Block::has_rows) {
            self.try_pruned(query, k, allow)
        } else {
            None
        };
        found.unwrap_or_else(|| self.scan(query, k, allow))
    }

    /// `None` where it does not pay.
    fn try_pruned(&mut self, query: &Query, k: usize, allow: Option<&[u32]>) -> Option<Vec<Hit>> {
        let plan = Plan::of_signs(query, SKETCH.into_iter());
        let mut nearest = TopK::new(VERIFIED.max(2 * k).min(self.size()));
        let work = self.work.as_mut()?;
        for (block, slots) in self.blocks.iter_mut().zip(self.slots.by_place().chunks(BLOCK)) {
            block.scan_sketch(work, &plan, slots, allow, &mut nearest).ok()?;
        }
        let scoring = Scoring::of(query);
        let mut best = self.scan_rows(query, k, allow);
        let mut verified: Vec<u32> = nearest.hits().iter().map(|hit| hit.slot).collect();
        for &slot in &verified {
            if let Some(Place::Block(block, row)) = self.place(slot) {
                self.verify(&scoring, block, row, &mut best);
            }
        }
        verified.sort_unstable();
        let least = sketch::least(best.floor().filter(|&floor| floor > i32::MIN)?);
        let mut likely = Vec::new();
        for (block, slots) in self.blocks.iter().zip(self.slots.by_place().chunks(BLOCK)) {
            likely.push(block.likely(&plan, least, slots, allow));
        }
        if SHARE * likely.iter().map(Column::count).sum::<usize>() > self.size() {
            return None;
        }
        for (block, likely) in likely.iter().enumerate() {
            for row in likely.set() {
                if verified.binary_search(&self.slots.by_place()[block * BLOCK + row]).is_err() {
                    self.verify(&scoring, block, row, &mut best);
                }
            }
        }
        Some(best.hits())
    }

    /// Offers a signature of a block that keeps its rows.
    fn verify(&self, scoring: &Scoring, block: usize, row: usize, best: &mut TopK) {
        if let Some(signature) = self.blocks[block].row(row) {
            best.offer(Hit { slot: self.slots.by_place()[block * BLOCK + row], score: scoring.score(signature) });
        }
    }

    /// [`Arena::scan`] for several queries; the binary ones read the columns together.
    pub fn scan_many(&mut self, queries: &[Query], k: usize, allow: Option<&[u32]>) -> Vec<Vec<Hit>> {
        let mut found = vec![Vec::new(); queries.len()];
        let (binary, weighted): (Vec<_>, Vec<_>) = (0..queries.len()).partition(|&q| queries[q].planes.is_none());
        for together in binary.chunks(TOGETHER) {
            let asked: Vec<&Query> = together.iter().map(|&q| &queries[q]).collect();
            for (&q, hits) in together.iter().zip(self.scan_together(&asked, k, allow)) {
                found[q] = hits;
            }
        }
        for q in weighted {
            found[q] = self.scan(&queries[q], k, allow);
        }
        found
    }

    fn scan_together(&mut self, queries: &[&Query], k: usize, allow: Option<&[u32]>) -> Vec<Vec<Hit>> {
        if let [query] = queries {
            return vec![self.scan(query, k, allow)];
        }
        let mut best: Vec<TopK> = queries.iter().map(|query| self.scan_rows(query, k, allow)).collect();
        if let Some(work) = &mut self.work {
            let classes = classes(queries);
            let plans: Vec<Plan> = queries.iter().map(|query| Plan::of(query)).collect();
            let mut asked: Vec<_> = plans.iter().zip(&mut best).collect();
            for (block, slots) in self.blocks.iter_mut().zip(self.slots.by_place().chunks(BLOCK)) {
                block.scan_together(work, &classes, &mut asked, slots, allow);
            }
        }
        best.into_iter().map(TopK::hits).collect()
    }

    /// The best of the tail.
    fn scan_rows(&self, query: &Query, k: usize, allow: Option<&[u32]>) -> TopK {
        let mut best = TopK::new(k.min(self.size()));
        let scoring = Scoring::of(query);
        let slots = &self.slots.by_place()[self.in_blocks()..];
        self.rows.visit(|row, signature| {
            let slot = slots[row];
            if allow.is_none_or(|allow| contains(allow, slot)) {
                best.offer(Hit { slot, score: scoring.score(signature) });
            }
        });
        best
    }

    /// The scores of given slots; `None` where there is no signature, or it is awaited.
    pub fn score(&mut self, query: &Query, slots: &[u32]) -> Vec<Option<i32>> {
        let scoring = Scoring::of(query);
        let mut scores = vec![None; slots.len()];
        let mut in_columns = Vec::new();
        let mut in_rows = Vec::with_capacity(slots.len());
        for (i, &slot) in slots.iter().enumerate() {
            match self.place(slot) {
                None => {}
                Some(Place::Row(row)) => in_rows.push((i, self.rows.get(row))),
                Some(Place::Block(block, row)) => match self.blocks[block].row(row) {
                    Some(row) => in_rows.push((i, row)),
                    None if self.blocks[block].awaited.is_some() => {}
                    None => in_columns.push((block, row, i)),
                },
            }
        }
        for rows in in_rows.chunks(AHEAD) {
            fetch(rows.iter().map(|&(_, row)| row));
            for &(i, row) in rows {
                scores[i] = Some(scoring.score(row));
            }
        }
        if in_columns.is_empty() {
            return scores;
        }
        self.plan(query);
        if let (Some(work), Some((_, plan))) = (&mut self.work, &self.asked) {
            in_columns.sort_unstable();
            for of_block in in_columns.chunk_by(|a, b| a.0 == b.0) {
                let found = self.blocks[of_block[0].0].score(work, plan, of_block.iter().map(|&(_, row, _)| row));
                for (&(_, _, i), score) in of_block.iter().zip(found) {
                    scores[i] = Some(score);
                }
            }
        }
        scores
    }

    pub(super) fn place(&self, slot: u32) -> Option<Place> {
        let place = self.slots.place(slot)?;
        let rows = self.in_blocks();
        Some(if place < rows { Place::Block(place / BLOCK, place % BLOCK) } else { Place::Row(place - rows) })
    }

    /// Places of the blocks.
    fn in_blocks(&self) -> usize {
        self.blocks.last().map_or(0, |last| (self.blocks.len() - 1) * BLOCK + last.places())
    }

    /// Makes the blocks ready for a query.
    fn plan(&mut self, query: &Query) {
        if !self.blocks.is_empty() && self.asked.as_ref().is_none_or(|(asked, _)| asked != query) {
            self.blocks.iter_mut().for_each(Block::forget);
            self.asked = Some((query.clone(), Plan::of(query)));
        }
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
        let held = (block.count() > 0).then(|| block.held());
        for (row, signature) in held.into_iter().flatten() {
            // There is room: of rows by the reservation, of slots where these were before.
            let pushed = self.rows.push(&signature).and_then(|()| self.slots.push(slots[row]));
            pushed.expect("rows that were reserved");
        }
        drop(block);
        while self.take_line() {}
    }

}

#[inline(always)]
fn contains(set: &[u32], slot: u32) -> bool {
    set.get(slot as usize >> 5).is_some_and(|word| word >> (slot & 31) & 1 == 1)
}
