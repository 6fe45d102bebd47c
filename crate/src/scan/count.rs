use super::OutOfMemory;
use super::columns::{Column, Columns, LINE_ROWS, Line};
use super::plan::{Ones, Plan};
use super::sums::{Adder, Sums};
use core::ops::Range;

/// The cache lines of a block's columns, one bit each.
pub type Lines = u64;
/// Lines between two that are wanted which it costs less to count as well: a run of lines begins with
/// a cache miss in every column, in a page that no other column is in.
const BRIDGE: u32 = 16;

/// So many lines are brought into the cache before they are counted: more would not stay there until then.
const FEW: u32 = 8;

/// What was counted in the columns of a block, at some dimensions or all, and in which lines.
pub struct Count {
    dimensions: &'static [u16],
    /// How many of the dimensions of each signature are +1.
    ones: Sums,
    added: Lines,
    /// The sums of the query that was counted for last.
    sums: Sums,
    counted: Lines,
}

impl Count {
    pub const BYTES: usize = 2 * Sums::BYTES;

    pub fn new(dimensions: &'static [u16]) -> Result<Count, OutOfMemory> {
        Ok(Count { dimensions, ones: Sums::new()?, added: 0, sums: Sums::new()?, counted: 0 })
    }

    pub fn sums(&self) -> &Sums {
        &self.sums
    }

    /// Forgets what was counted of a row: it changed.
    pub fn changed(&mut self, row: usize) {
        let line = 1 << (row / LINE_ROWS);
        self.counted &= !line;
        self.added &= !line;
    }

    /// Forgets the sums: another query comes.
    pub fn forget(&mut self) {
        self.counted = 0;
    }

    /// Counts the lines that are not yet counted.
    pub fn count(&mut self, columns: &Columns, (adder, running): (&mut Adder, &mut Sums), plan: &Plan, lines: Lines) {
        if plan.ones != Ones::Ignore {
            self.add_ones(columns, adder, lines);
        }
        let wanted = lines & !self.counted;
        if wanted == 0 {
            return;
        }
        if wanted.count_ones() <= FEW {
            for step in &plan.steps {
                columns.fetch(&step.positive, wanted);
                columns.fetch(&step.negative, wanted);
            }
        }
        for run in Runs(wanted) {
            self.count_run(columns, (adder, running), plan, run);
        }
        self.counted |= lines;
    }

    fn count_run(
        &mut self,
        columns: &Columns,
        (adder, running): (&mut Adder, &mut Sums),
        plan: &Plan,
        lines: Range<usize>,
    ) {
        running.of(plan.digits).fill(0, lines.clone());
        self.sums.of(plan.digits).fill(plan.offset(), lines.clone());
        for step in &plan.steps {
            if !step.negative.is_empty() {
                // c − n is the complement of (the complement of c) + n.
                running.complement(lines.clone());
                adder.add(running, columns, &step.negative, lines.clone());
                running.complement(lines.clone());
            }
            adder.add(running, columns, &step.positive, lines.clone());
            for _ in 0..step.times {
                self.sums.add(running, false, lines.clone());
            }
        }
        if plan.ones != Ones::Ignore {
            self.sums.add(&self.ones, plan.ones == Ones::Subtract, lines);
        }
    }

    /// Counts the ones where they are not yet counted.
    fn add_ones(&mut self, columns: &Columns, adder: &mut Adder, lines: Lines) {
        for run in Runs(lines & !self.added) {
            self.ones.fill(0, run.clone());
            adder.add(&mut self.ones, columns, self.dimensions, run);
        }
        self.added |= lines;
    }
}

/// The lines in which there are such rows.
pub fn lines_of(rows: &Column) -> Lines {
    rows.lines.iter().enumerate().fold(0, |lines, (l, line)| lines | Lines::from(any(line)) << l)
}

/// Whether any bit is set.
pub fn any(line: &Line) -> bool {
    line.0.iter().any(|lane| lane.any())
}

/// Runs of lines, near ones together with what lies between.
pub struct Runs(pub Lines);

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
