use super::OutOfMemory;
use super::columns::{Column, Columns, LINE_ROWS, LINES, Line};
use super::plan::{OFFSET, Ones, Plan, TOGETHER};
use super::rows::Rows;
use super::sums::{Adder, Sums};
use super::top_k::{Hit, TopK};
use crate::hypervector::{DIMENSION, Hypervector};
use crate::lanes::Lane;
use core::ops::Range;

/// The cache lines of a block's columns, one bit each.
pub type Lines = u64;
/// Lines between two that are wanted which it costs less to count as well: a run of lines begins with
/// a cache miss in every column, in a page that no other column is in.
const BRIDGE: u32 = 16;

/// A block of signatures in columns.
///
/// The columns can be all there is of a signature: rows beside all of them would double the memory,
/// and a million episodes are to fit with several arenas in a memory of 32 bits. What rows do better is
/// to score a few hundred candidates. For the query that was scanned last the sums do it as well: they
/// stay, bit-sliced, at a five-hundredth of the memory, and are only read. Another query must be
/// counted in the cache lines of its candidates, which takes as long as a scan when they are many;
/// an arena that is asked for such scores keeps the rows of its first blocks.
pub struct Block {
    columns: Columns,
    /// The same in rows.
    rows: Option<Rows>,
    /// How many dimensions of each signature are +1, and where that was counted.
    ones: Sums,
    added: Lines,
    /// The rows that are held; the others were cleared.
    held: Column,
    count: usize,
    /// Lines with signatures that were cleared, whose bits are still there.
    cleared: Lines,
    /// Another whenever the content is.
    pub stamp: u64,
    /// What was counted last, and where it was.
    sums: Sums,
    counted: Lines,
}

/// What a count needs beside the block; one is enough for all blocks.
pub struct Workspace {
    adder: Adder,
    running: Sums,
    /// Of the queries that are counted together.
    together: Vec<Sums>,
}

impl Workspace {
    pub const BYTES: usize = Adder::BYTES + (1 + TOGETHER) * Sums::BYTES;

    pub fn new() -> Result<Workspace, OutOfMemory> {
        let together = (0..TOGETHER).map(|_| Sums::new()).collect::<Result<_, _>>()?;
        Ok(Workspace { adder: Adder::new()?, running: Sums::new()?, together })
    }
}

impl Block {
    /// An empty block. With `keep` it keeps its rows.
    pub fn empty(keep: bool, stamp: u64) -> Result<Block, OutOfMemory> {
        let rows = keep.then(Rows::default);
        Ok(Block { rows, ..Block::new(Columns::new(0)?, Column::ZERO, stamp)? })
    }

    /// Columns that were kept, with the slots of their rows; [`u32::MAX`] where there is no signature.
    pub fn restored(columns: Columns, slots: &[u32], keep: bool, stamp: u64) -> Result<Block, OutOfMemory> {
        let mut held = Column::ZERO;
        for (row, &slot) in slots.iter().enumerate() {
            held.put(row, slot != u32::MAX);
        }
        let mut block = Block::new(columns, held, stamp)?;
        if keep {
            let mut rows = Rows::default();
            for row in block.columns.rows() {
                rows.push(&row)?;
            }
            block.rows = Some(rows);
        }
        Ok(block)
    }

    fn new(columns: Columns, held: Column, stamp: u64) -> Result<Block, OutOfMemory> {
        let count = held.count();
        let (ones, sums) = (Sums::new()?, Sums::new()?);
        Ok(Block { columns, rows: None, ones, added: 0, held, count, cleared: 0, stamp, sums, counted: 0 })
    }

    pub fn bytes(&self) -> usize {
        self.columns.bytes() + 2 * Sums::BYTES + size_of::<Block>() + self.rows.as_ref().map_or(0, Rows::bytes)
    }

    /// Places that it has.
    pub fn places(&self) -> usize {
        self.columns.used() * LINE_ROWS
    }

    pub fn is_full(&self) -> bool {
        self.columns.used() == LINES
    }

    /// Takes the first rows, as many as fill a line. The block must not be full.
    pub fn take_line(&mut self, from: &mut Rows, stamp: u64) -> Result<(), OutOfMemory> {
        if let Some(rows) = &mut self.rows {
            rows.reserve_chunk()?;
        }
        self.columns.push(from.first_chunk())?;
        let chunk = from.take_chunk();
        for row in self.places() - LINE_ROWS..self.places() {
            self.held.put(row, true);
        }
        self.count += LINE_ROWS;
        self.stamp = stamp;
        if let Some(rows) = &mut self.rows {
            rows.push_chunk(chunk);
        }
        Ok(())
    }

    /// Another row came: does its share of the work that must be done before the next line, when lines may come
    /// `hurry` times as fast as rows fill them.
    pub fn prepare(&mut self, hurry: usize) {
        self.columns.advance(hurry * DIMENSION / LINE_ROWS);
    }

    pub fn keeps_rows(&self) -> bool {
        self.rows.is_some()
    }

    /// Signatures held.
    pub fn count(&self) -> usize {
        self.count
    }

    pub fn holds(&self, row: usize) -> bool {
        self.held.bit(row)
    }

    /// A signature, where rows are kept.
    pub fn row(&self, row: usize) -> Option<&Hypervector> {
        self.rows.as_ref().map(|rows| rows.get(row))
    }

    pub fn get(&self, row: usize) -> Hypervector {
        self.row(row).copied().unwrap_or_else(|| self.columns.row(row))
    }

    /// All signatures that are held, with the numbers of their rows.
    pub fn held(&self) -> impl Iterator<Item = (usize, Hypervector)> + '_ {
        self.columns.rows().enumerate().filter(|&(row, _)| self.holds(row))
    }

    pub fn set(&mut self, row: usize, signature: &Hypervector) {
        self.columns.set(row, signature);
        if let Some(rows) = &mut self.rows {
            rows.set(row, signature);
        }
        let line = 1 << (row / LINE_ROWS);
        self.counted &= !line;
        self.added &= !line;
    }

    /// Takes a signature that is held away. Its bits go when somebody may see them.
    pub fn clear(&mut self, row: usize) {
        self.held.put(row, false);
        if let Some(rows) = &mut self.rows {
            rows.set(row, &Hypervector::ZERO);
        }
        self.cleared |= 1 << (row / LINE_ROWS);
        self.count -= 1;
    }

    /// The columns, with nothing in them of what was cleared.
    pub fn wiped(&mut self) -> &mut Columns {
        for lines in Runs(core::mem::take(&mut self.cleared)) {
            self.columns.keep(&self.held, lines);
        }
        &mut self.columns
    }

    /// Forgets what was counted: another query comes.
    pub fn forget(&mut self) {
        self.counted = 0;
    }

    /// Offers the rows that are held and, of those, allowed. A line without one is not read.
    pub fn scan(&mut self, work: &mut Workspace, plan: &Plan, slots: &[u32], allow: Option<&[u32]>, best: &mut TopK) {
        let candidates = self.candidates(slots, allow);
        self.count_lines(work, plan, lines_of(&candidates));
        offer(&self.sums, plan, slots, &candidates, best);
    }

    /// [`Block::scan`] for a few binary queries. The columns are counted by which of the queries have a
    /// 1 there: each is read once, and what was counted is added for those. That is half of the work.
    pub fn scan_together(
        &mut self,
        work: &mut Workspace,
        classes: &[Vec<u16>],
        asked: &mut [(&Plan, &mut TopK)],
        slots: &[u32],
        allow: Option<&[u32]>,
    ) {
        let candidates = self.candidates(slots, allow);
        let lines = lines_of(&candidates);
        self.add_ones(work, lines);
        for lines in Runs(lines) {
            for sums in &mut work.together[..asked.len()] {
                sums.fill(OFFSET / 2, lines.clone());
            }
            for (class, columns) in classes.iter().enumerate().skip(1) {
                work.running.fill(0, lines.clone());
                work.adder.add(&mut work.running, &self.columns, columns, lines.clone());
                for (q, sums) in work.together[..asked.len()].iter_mut().enumerate() {
                    if class >> q & 1 == 1 {
                        sums.add(&work.running, false, lines.clone());
                    }
                }
            }
            for sums in &mut work.together[..asked.len()] {
                sums.double(lines.clone());
                sums.add(&self.ones, true, lines.clone());
            }
        }
        for (sums, (plan, best)) in work.together.iter().zip(asked) {
            offer(sums, plan, slots, &candidates, best);
        }
    }

    /// The scores of rows.
    pub fn score(
        &mut self,
        work: &mut Workspace,
        plan: &Plan,
        rows: impl Iterator<Item = usize> + Clone,
    ) -> impl Iterator<Item = i32> {
        let lines = rows.clone().fold(0, |lines, row| lines | 1 << (row / LINE_ROWS));
        self.count_lines(work, plan, lines);
        let sums = &self.sums;
        rows.map(|row| plan.score(sums.at(row)))
    }

    fn candidates(&self, slots: &[u32], allow: Option<&[u32]>) -> Column {
        let mut candidates = self.held;
        let Some(allow) = allow else { return candidates };
        let lanes = candidates.lines.iter_mut().flat_map(|line| &mut line.0);
        for (lane, slots) in lanes.zip(slots.chunks_exact(128)) {
            let mut words = [0; 4];
            for (word, slots) in words.iter_mut().zip(slots.chunks_exact(32)) {
                for (bit, &slot) in slots.iter().enumerate() {
                    let among = allow.get(slot as usize >> 5).map_or(0, |among| among >> (slot & 31) & 1);
                    *word |= among << bit;
                }
            }
            *lane = *lane & Lane::from_words(words);
        }
        candidates
    }

    /// Counts the lines that are not yet counted.
    fn count_lines(&mut self, work: &mut Workspace, plan: &Plan, lines: Lines) {
        if plan.ones != Ones::Ignore {
            self.add_ones(work, lines);
        }
        for lines in Runs(lines & !self.counted) {
            self.count_run(work, plan, lines);
        }
        self.counted |= lines;
    }

    fn count_run(&mut self, work: &mut Workspace, plan: &Plan, lines: Range<usize>) {
        let Workspace { adder, running, .. } = work;
        running.fill(0, lines.clone());
        self.sums.fill(OFFSET, lines.clone());
        for step in &plan.steps {
            if !step.negative.is_empty() {
                // c − n is the complement of (the complement of c) + n.
                running.complement(lines.clone());
                adder.add(running, &self.columns, &step.negative, lines.clone());
                running.complement(lines.clone());
            }
            adder.add(running, &self.columns, &step.positive, lines.clone());
            for _ in 0..step.times {
                self.sums.add(running, false, lines.clone());
            }
        }
        if plan.ones != Ones::Ignore {
            self.sums.add(&self.ones, plan.ones == Ones::Subtract, lines);
        }
    }

    /// Counts the ones of the lines where they are not yet counted.
    fn add_ones(&mut self, work: &mut Workspace, lines: Lines) {
        const ALL: [u16; DIMENSION] = {
            let mut all = [0; DIMENSION];
            let mut d = 0;
            while d < DIMENSION {
                all[d] = d as u16;
                d += 1;
            }
            all
        };
        for lines in Runs(lines & !self.added) {
            self.ones.fill(0, lines.clone());
            work.adder.add(&mut self.ones, &self.columns, &ALL, lines);
        }
        self.added |= lines;
    }
}

/// Offers the candidates, whose lines are counted.
fn offer(sums: &Sums, plan: &Plan, slots: &[u32], candidates: &Column, best: &mut TopK) {
    let Some(mut floor) = best.floor() else { return };
    let mut least = plan.least(floor);
    for (l, candidates) in candidates.lines.iter().enumerate() {
        if !any(candidates) {
            continue;
        }
        let good = sums.at_least(least, l);
        for (i, (&good, &candidates)) in good.0.iter().zip(&candidates.0).enumerate() {
            for (w, mut word) in (good & candidates).words().into_iter().enumerate() {
                while word != 0 {
                    let row = LINE_ROWS * l + 128 * i + 32 * w + word.trailing_zeros() as usize;
                    word &= word - 1;
                    best.offer(Hit { slot: slots[row], score: plan.score(sums.at(row)) });
                }
            }
        }
        if let Some(risen) = best.floor()
            && risen > floor
        {
            floor = risen;
            least = plan.least(floor);
        }
    }
}

fn lines_of(rows: &Column) -> Lines {
    rows.lines.iter().enumerate().fold(0, |lines, (l, line)| lines | Lines::from(any(line)) << l)
}

/// Whether any bit is set.
fn any(line: &Line) -> bool {
    line.0.iter().any(|lane| lane.any())
}

/// Runs of lines, near ones together with what lies between.
struct Runs(Lines);

impl Iterator for Runs {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        if self.0 == 0 {
            return None;
        }
        let from = self.0.trailing_zeros();
        let mut to = from;
        while let Some(left) = self.0.checked_shr(to)
            && left.trailing_zeros() < BRIDGE
        {
            to += left.trailing_zeros() + 1;
        }
        self.0 = self.0.checked_shr(to).map_or(0, |left| left << to);
        Some(from as usize..to as usize)
    }
}
