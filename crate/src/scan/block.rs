use super::OutOfMemory;
use super::columns::{Column, Columns, LINE, LINE_ROWS, LINES, Line, TILE};
use super::count::{Count, Lines, Runs, any, lines_of};
use super::plan::Plan;
use super::rows::Rows;
use super::sketch::sketch;
use super::sums::{Adder, Sums};
use super::together::Together;
use super::top_k::{Hit, TopK};
use crate::hypervector::{DIMENSION, Hypervector};
use alloc::boxed::Box;
use alloc::vec::Vec;
use once_cell::race::OnceBox;

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
    /// The same in rows, as far as these are made.
    rows: Option<Rows>,
    /// The rows that are held; the others were cleared.
    held: Column,
    count: usize,
    /// Lines with signatures that were cleared, whose bits are still there.
    cleared: Lines,
    /// Another whenever the content is.
    pub stamp: u64,
    /// The number that it has in an image, while its columns are still to come from there: nothing is found in it until then.
    pub awaited: Option<u32>,
    /// Of all dimensions.
    whole: Count,
    /// Of the sketch, where it was asked for.
    sketch: Option<Count>,
}

/// What a count needs beside the block; one is enough for all blocks.
pub struct Workspace {
    adder: Adder,
    running: Sums,
    /// Where several queries were asked at once.
    together: Option<Together>,
}

impl Workspace {
    pub fn new() -> Result<Workspace, OutOfMemory> {
        Ok(Workspace { adder: Adder::new()?, running: Sums::new()?, together: None })
    }

    pub fn bytes(&self) -> usize {
        Adder::BYTES + Sums::BYTES + self.together.as_ref().map_or(0, |_| Together::BYTES)
    }

    /// For several queries at once.
    pub fn prepare_together(&mut self) -> Result<(), OutOfMemory> {
        if self.together.is_none() {
            self.together = Some(Together::new()?);
        }
        Ok(())
    }

    fn adding(&mut self) -> (&mut Adder, &mut Sums) {
        (&mut self.adder, &mut self.running)
    }
}

/// All dimensions. Made at first use: as data they would be 16 KiB of the file that a page fetches.
fn all() -> &'static [u16; DIMENSION] {
    static ALL: OnceBox<[u16; DIMENSION]> = OnceBox::new();
    ALL.get_or_init(|| Box::new(core::array::from_fn(|d| d as u16)))
}

impl Block {
    /// An empty block. With `keep` it keeps its rows.
    pub fn empty(keep: bool, stamp: u64) -> Result<Block, OutOfMemory> {
        let rows = keep.then(Rows::default);
        Ok(Block { rows, ..Block::new(Columns::empty()?, Column::ZERO, stamp)? })
    }

    /// Columns that were kept and are still to be written, with the slots of their rows; [`u32::MAX`] where there is no signature.
    pub fn restored(columns: Columns, slots: &[u32], stamp: u64, number: u32) -> Result<Block, OutOfMemory> {
        let mut held = Column::ZERO;
        for (row, &slot) in slots.iter().enumerate() {
            held.put(row, slot != u32::MAX);
        }
        Ok(Block { awaited: Some(number), ..Block::new(columns, held, stamp)? })
    }

    fn new(columns: Columns, held: Column, stamp: u64) -> Result<Block, OutOfMemory> {
        let count = held.count();
        let whole = Count::new(all())?;
        Ok(Block { columns, rows: None, held, count, cleared: 0, stamp, awaited: None, whole, sketch: None })
    }

    pub fn bytes(&self) -> usize {
        let counts = Count::BYTES * (1 + usize::from(self.sketch.is_some()));
        self.columns.bytes() + counts + size_of::<Block>() + self.rows.as_ref().map_or(0, Rows::bytes)
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
        // Where rows are still to be made these are made with them, in their order.
        let keep = self.has_rows();
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
        if let Some(rows) = self.rows.as_mut().filter(|_| keep) {
            rows.push_chunk(chunk);
        }
        Ok(())
    }

    /// Makes the rows of another line out of the columns; whether there was one without.
    pub fn make_rows(&mut self) -> Result<bool, OutOfMemory> {
        if self.has_rows() || self.awaited.is_some() {
            return Ok(false);
        }
        let places = self.places();
        let rows = self.rows.get_or_insert_default();
        let first = rows.len();
        if first == 0 {
            Rows::grow_for(places);
        }
        rows.reserve(LINE_ROWS)?;
        for lane in first / TILE..first / TILE + LINE {
            for (row, signature) in (lane * TILE..).zip(&self.columns.rows_of(lane)) {
                rows.push(if self.held.bit(row) { signature } else { &Hypervector::ZERO })?;
            }
        }
        Ok(true)
    }

    /// Lets go of the rows.
    pub fn drop_rows(&mut self) {
        self.rows = None;
    }

    /// Another row came: does its share of the work that must be done before the next line, when lines may come
    /// `hurry` times as fast as rows fill them.
    pub fn prepare(&mut self, hurry: usize) {
        self.columns.advance(hurry * DIMENSION / LINE_ROWS);
    }

    /// Whether all rows are made.
    pub fn has_rows(&self) -> bool {
        self.rows.as_ref().is_some_and(|rows| rows.len() == self.places())
    }

    /// Signatures held.
    pub fn count(&self) -> usize {
        self.count
    }

    pub fn holds(&self, row: usize) -> bool {
        self.held.bit(row)
    }

    /// A signature, where its row is made.
    pub fn row(&self, row: usize) -> Option<&Hypervector> {
        self.rows.as_ref().filter(|rows| row < rows.len()).map(|rows| rows.get(row))
    }

    pub fn get(&self, row: usize) -> Hypervector {
        self.row(row).copied().unwrap_or_else(|| self.columns.row(row))
    }

    /// Visits all signatures that are held, with the numbers of their rows.
    pub fn visit_held(&self, mut visit: impl FnMut(usize, &Hypervector)) {
        for lane in 0..self.columns.used() * LINE {
            for (row, signature) in (lane * TILE..).zip(&self.columns.rows_of(lane)) {
                if self.holds(row) {
                    visit(row, signature);
                }
            }
        }
    }

    pub fn set(&mut self, row: usize, signature: &Hypervector) {
        self.columns.set(row, signature);
        self.set_row(row, signature);
        self.whole.changed(row);
        if let Some(sketch) = &mut self.sketch {
            sketch.changed(row);
        }
    }

    fn set_row(&mut self, row: usize, signature: &Hypervector) {
        if let Some(rows) = self.rows.as_mut().filter(|rows| row < rows.len()) {
            rows.set(row, signature);
        }
    }

    /// Takes a signature that is held away. Its bits go when somebody may see them.
    pub fn clear(&mut self, row: usize) {
        self.held.put(row, false);
        self.set_row(row, &Hypervector::ZERO);
        self.cleared |= 1 << (row / LINE_ROWS);
        self.count -= 1;
    }

    /// The columns, which are still to be written.
    pub fn unwritten(&mut self) -> &mut Columns {
        &mut self.columns
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
        self.whole.forget();
    }

    /// Offers the rows that are held and, of those, allowed. A line without one is not read.
    pub fn scan(
        &mut self,
        work: &mut Workspace,
        plan: &Plan,
        slots: &[u32],
        allowed: Option<&Column>,
        best: &mut TopK,
    ) {
        let candidates = self.candidates(allowed);
        self.whole.count(&self.columns, work.adding(), plan, lines_of(&candidates));
        offer(self.whole.sums(), plan, slots, &candidates, best);
    }

    /// [`Block::scan`] at the dimensions of the sketch, for a plan that has no others; which rows were offered.
    pub fn scan_sketch(
        &mut self,
        work: &mut Workspace,
        plan: &Plan,
        slots: &[u32],
        allowed: Option<&Column>,
        best: &mut TopK,
    ) -> Result<Column, OutOfMemory> {
        let candidates = self.candidates(allowed);
        let sketch = match &mut self.sketch {
            Some(sketch) => sketch,
            none => none.insert(Count::new(sketch())?),
        };
        sketch.forget();
        sketch.count(&self.columns, work.adding(), plan, lines_of(&candidates));
        offer(sketch.sums(), plan, slots, &candidates, best);
        Ok(candidates)
    }

    /// Keeps of the rows those whose sketch was given at least this score.
    pub fn keep_likely(&self, plan: &Plan, score: i32, rows: &mut Column) {
        let Some(sketch) = &self.sketch else { return };
        let least = plan.least(score);
        for (l, line) in rows.lines.iter_mut().enumerate().filter(|(_, line)| any(line)) {
            let good = sketch.sums().at_least(least, l);
            *line = Line(core::array::from_fn(|i| line.0[i] & good.0[i]));
        }
    }

    /// [`Block::scan`] for several binary queries, in a workspace that is prepared for it.
    pub fn scan_together(
        &mut self,
        work: &mut Workspace,
        classes: &[Vec<u16>],
        asked: &mut [(&Plan, &mut TopK)],
        slots: &[u32],
        allowed: Option<&Column>,
    ) {
        let Some(together) = &mut work.together else { return };
        let candidates = self.candidates(allowed);
        for lines in Runs(lines_of(&candidates)) {
            together.count(&self.columns, &mut work.adder, classes, asked[0].0, &lines);
        }
        for (sums, (plan, best)) in together.sums.iter().zip(asked) {
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
        self.whole.count(&self.columns, work.adding(), plan, lines);
        let sums = self.whole.sums();
        rows.map(|row| plan.score(sums.at(row)))
    }

    fn candidates(&self, allowed: Option<&Column>) -> Column {
        if self.awaited.is_some() {
            return Column::ZERO;
        }
        let mut candidates = self.held;
        if let Some(allowed) = allowed {
            for (line, allowed) in candidates.lines.iter_mut().zip(&allowed.lines) {
                *line = Line(core::array::from_fn(|i| line.0[i] & allowed.0[i]));
            }
        }
        candidates
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
