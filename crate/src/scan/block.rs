use super::OutOfMemory;
use super::columns::{BLOCK, COLUMN, Column, Columns, LINE, LINE_ROWS};
use super::plan::{OFFSET, Ones, Plan};
use super::rows::Rows;
use super::sums::{Adder, Sums};
use super::top_k::{Hit, TopK};
use crate::hypervector::{DIMENSION, Hypervector};
use crate::lanes::Lane;
use core::ops::Range;

/// The cache lines of a block's columns, one bit each.
pub type Lines = u64;
const LINES: usize = BLOCK / LINE_ROWS;

/// A block of signatures in columns.
///
/// The columns are all there is of a signature: rows beside them would double the memory of an arena,
/// and a million episodes are to fit with several arenas in a memory of 32 bits. What rows do better,
/// to score a few hundred candidates, comes from the sums of the last scan: they stay, bit-sliced, at
/// a five-hundredth of the memory, and a query that was scanned for is scored by reading them. Another
/// query is counted in the cache lines of the candidates alone.
pub struct Block {
    columns: Columns,
    /// How many dimensions of each signature are +1.
    ones: Sums,
    /// The rows that are held; the others were cleared.
    held: Column,
    count: usize,
    /// What was counted last, and where it was.
    sums: Sums,
    counted: Lines,
}

/// What a count needs beside the block; one is enough for all blocks.
pub struct Workspace {
    adder: Adder,
    running: Sums,
}

impl Workspace {
    pub const BYTES: usize = Adder::BYTES + Sums::BYTES;

    pub fn new() -> Result<Workspace, OutOfMemory> {
        Ok(Workspace { adder: Adder::new()?, running: Sums::new()? })
    }
}

impl Block {
    pub const BYTES: usize = Columns::BYTES + 2 * Sums::BYTES + size_of::<Block>();

    /// The first rows, as columns.
    pub fn of(rows: &Rows, work: &mut Workspace) -> Result<Block, OutOfMemory> {
        let mut block = Block {
            columns: Columns::of(rows)?,
            ones: Sums::new()?,
            held: Column { lanes: [Lane::splat(true); COLUMN], ..Column::ZERO },
            count: BLOCK,
            sums: Sums::new()?,
            counted: 0,
        };
        block.count_ones(work, 0..COLUMN);
        Ok(block)
    }

    /// Signatures held.
    pub fn count(&self) -> usize {
        self.count
    }

    pub fn holds(&self, row: usize) -> bool {
        self.held.bit(row)
    }

    pub fn get(&self, row: usize) -> Hypervector {
        self.columns.row(row)
    }

    /// All rows that are held, with their numbers.
    pub fn rows(&self) -> impl Iterator<Item = (usize, Hypervector)> + '_ {
        let all = (0..COLUMN).flat_map(|lane| self.columns.rows(lane)).enumerate();
        all.filter(|&(row, _)| self.holds(row))
    }

    pub fn set(&mut self, work: &mut Workspace, row: usize, signature: &Hypervector) {
        self.columns.set(row, signature);
        let line = row / LINE_ROWS;
        self.counted &= !(1 << line);
        self.count_ones(work, line * LINE..(line + 1) * LINE);
    }

    /// Takes a signature that is held away.
    pub fn clear(&mut self, row: usize) {
        let lane = &mut self.held.lanes[row / 128];
        let mut words = lane.words();
        words[row / 32 % 4] &= !(1 << (row % 32));
        *lane = Lane::from_words(words);
        self.count -= 1;
    }

    /// Forgets what was counted: another query comes.
    pub fn forget(&mut self) {
        self.counted = 0;
    }

    /// Offers the rows that are held and, of those, `allowed`. A line without one is not read.
    pub fn scan(&mut self, work: &mut Workspace, plan: &Plan, slots: &[u32], allow: Option<&[u32]>, best: &mut TopK) {
        let Some(mut floor) = best.floor() else { return };
        let candidates = allow.map(|allow| self.allowed(slots, allow));
        let candidates = candidates.as_ref().unwrap_or(&self.held).lanes;
        let mut lines = 0;
        for (line, lanes) in candidates.chunks_exact(LINE).enumerate() {
            lines |= Lines::from(lanes.iter().any(|lane| lane.any())) << line;
        }
        self.count_lines(work, plan, lines);
        let mut least = plan.least(floor);
        for (l, candidates) in candidates.into_iter().enumerate() {
            if !candidates.any() {
                continue;
            }
            let good = self.sums.at_least(least, l) & candidates;
            if !good.any() {
                continue;
            }
            for (w, mut word) in good.words().into_iter().enumerate() {
                while word != 0 {
                    let row = 128 * l + 32 * w + word.trailing_zeros() as usize;
                    word &= word - 1;
                    best.offer(Hit { slot: slots[row], score: plan.score(self.sums.at(row)) });
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

    /// The scores of rows.
    pub fn score(&mut self, work: &mut Workspace, plan: &Plan, rows: impl Iterator<Item = usize> + Clone) -> impl Iterator<Item = i32> {
        let lines = rows.clone().fold(0, |lines, row| lines | 1 << (row / LINE_ROWS));
        self.count_lines(work, plan, lines);
        let sums = &self.sums;
        rows.map(|row| plan.score(sums.at(row)))
    }

    fn allowed(&self, slots: &[u32], allow: &[u32]) -> Column {
        let mut allowed = self.held;
        for (lane, slots) in allowed.lanes.iter_mut().zip(slots.chunks_exact(128)) {
            let mut words = [0; 4];
            for (word, slots) in words.iter_mut().zip(slots.chunks_exact(32)) {
                for (bit, &slot) in slots.iter().enumerate() {
                    let among = allow.get(slot as usize >> 5).map_or(0, |among| among >> (slot & 31) & 1);
                    *word |= among << bit;
                }
            }
            *lane = *lane & Lane::from_words(words);
        }
        allowed
    }

    /// Counts the lines that are not yet counted, neighbours together.
    fn count_lines(&mut self, work: &mut Workspace, plan: &Plan, lines: Lines) {
        let mut missing = lines & !self.counted;
        self.counted |= missing;
        while missing != 0 {
            let from = missing.trailing_zeros();
            let length = (missing >> from).trailing_ones();
            let to = from + length;
            missing = if to as usize == LINES { 0 } else { missing >> to << to };
            self.count_lanes(work, plan, from as usize * LINE..to as usize * LINE);
        }
    }

    fn count_lanes(&mut self, work: &mut Workspace, plan: &Plan, lanes: Range<usize>) {
        let Workspace { adder, running } = work;
        running.fill(0, lanes.clone());
        self.sums.fill(OFFSET, lanes.clone());
        for step in &plan.steps {
            if !step.negative.is_empty() {
                // c − n is the complement of (the complement of c) + n.
                running.complement(lanes.clone());
                adder.add(running, &self.columns, &step.negative, lanes.clone());
                running.complement(lanes.clone());
            }
            adder.add(running, &self.columns, &step.positive, lanes.clone());
            for _ in 0..step.times {
                self.sums.add(running, false, lanes.clone());
            }
        }
        if plan.ones != Ones::Ignore {
            self.sums.add(&self.ones, plan.ones == Ones::Subtract, lanes);
        }
    }

    fn count_ones(&mut self, work: &mut Workspace, lanes: Range<usize>) {
        const ALL: [u16; DIMENSION] = {
            let mut all = [0; DIMENSION];
            let mut d = 0;
            while d < DIMENSION {
                all[d] = d as u16;
                d += 1;
            }
            all
        };
        self.ones.fill(0, lanes.clone());
        work.adder.add(&mut self.ones, &self.columns, &ALL, lanes);
    }
}
