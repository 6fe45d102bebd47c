use super::OutOfMemory;
use crate::hypervector::{DIMENSION, Hypervector, LANES, WORDS};
use crate::lanes::Lane;
use alloc::{vec, vec::Vec};
use core::ops::Range;

/// Signatures in a full block.
pub const BLOCK: usize = 32_768;
/// Lanes of a cache line, and signatures that have their bits in one.
pub const LINE: usize = 4;
pub const LINE_ROWS: usize = 128 * LINE;
/// Lines of a column of a full block: a bit for every signature.
pub const LINES: usize = BLOCK / LINE_ROWS;
/// Rows, and dimensions, that are transposed at a time.
pub const TILE: usize = 128;

/// A cache line of a column.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Line(pub [Lane; LINE]);

impl Line {
    pub const ZERO: Line = Line::splat(Lane::ZERO);

    /// All lanes alike.
    pub const fn splat(lane: Lane) -> Line {
        Line([lane; LINE])
    }
}

/// The bits that the signatures of a full block have at one binary digit of a sum.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Column {
    pub lines: [Line; LINES],
    /// See [`stride`].
    pad: Line,
}

impl Column {
    pub const ZERO: Column = Column { lines: [Line::ZERO; LINES], pad: Line::ZERO };

    /// The bit of a row.
    pub fn bit(&self, row: usize) -> bool {
        bit(&self.lines, row)
    }

    /// Gives a row its bit.
    pub fn put(&mut self, row: usize, bit: bool) {
        put(&mut self.lines, row, bit);
    }

    /// Rows whose bit is set.
    pub fn count(&self) -> usize {
        let mut count = 0;
        for line in &self.lines {
            for lane in line.0 {
                count += lane.words().into_iter().map(u32::count_ones).sum::<u32>();
            }
        }
        count as usize
    }

    /// Adds the rows whose bit is set to `rows`, with `first` added to each.
    pub fn list(&self, first: usize, rows: &mut Vec<usize>) {
        for (l, line) in self.lines.iter().enumerate() {
            for (i, lane) in line.0.into_iter().enumerate() {
                for (w, mut word) in lane.words().into_iter().enumerate() {
                    while word != 0 {
                        rows.push(first + LINE_ROWS * l + 128 * i + 32 * w + word.trailing_zeros() as usize);
                        word &= word - 1;
                    }
                }
            }
        }
    }

    /// `count` columns, all zero.
    pub fn zeros(count: usize) -> Result<Vec<Column>, OutOfMemory> {
        let mut columns = Vec::new();
        columns.try_reserve_exact(count)?;
        columns.resize(count, Column::ZERO);
        Ok(columns)
    }
}

fn bit(column: &[Line], row: usize) -> bool {
    column[row / LINE_ROWS].0[row / 128 % LINE].words()[row / 32 % 4] >> (row % 32) & 1 == 1
}

fn put(column: &mut [Line], row: usize, bit: bool) {
    let mut mask = [0; 4];
    mask[row / 32 % 4] = 1 << (row % 32);
    let (lane, mask) = (&mut column[row / LINE_ROWS].0[row / 128 % LINE], Lane::from_words(mask));
    *lane = if bit { *lane | mask } else { *lane & !mask };
}

/// The signatures of a block, bit-sliced: a column for every dimension.
///
/// They grow by lines. Where there is no room for another the columns move into larger memory, one
/// after the other while rows come: to move them all at once would take tens of milliseconds.
pub struct Columns {
    now: Table,
    /// Where they move to: those that are there are no longer in `now`.
    next: Option<Table>,
    /// Columns that moved.
    moved: usize,
    /// Lines in use.
    used: usize,
}

/// Columns one after the other.
struct Table {
    lines: Vec<Line>,
    /// Lines of each.
    stride: usize,
}

/// The sizes that columns take, in lines. Memory that they leave is not given back to the system, and none of these fits
/// where smaller ones were: with more sizes less of it would be empty, but more left.
const SIZES: [usize; 3] = [24, 40, LINES];

/// The room that columns have, so that there is always some for another line.
fn room(used: usize) -> usize {
    SIZES.into_iter().find(|&size| size > used).unwrap_or(LINES)
}

/// From one column to the next, in lines: were they a power of two apart, a dozen that are read side by
/// side would be in the same eight places of the cache, and drive each other out (a fifth of the speed).
fn stride(room: usize) -> usize {
    room | 1
}

impl Table {
    /// Without a column yet.
    fn new(room: usize) -> Result<Table, OutOfMemory> {
        let stride = stride(room);
        let mut lines = Vec::new();
        lines.try_reserve_exact(DIMENSION * stride)?;
        Ok(Table { lines, stride })
    }

    #[inline(always)]
    fn column(&self, dimension: usize) -> &[Line] {
        &self.lines[dimension * self.stride..][..self.stride]
    }

    fn push(&mut self, column: &[Line]) {
        self.lines.extend_from_slice(column);
        self.lines.resize(self.lines.len() + self.stride - column.len(), Line::ZERO);
    }
}

impl Columns {
    /// Without a line. What they take is made ready while rows come.
    pub fn empty() -> Result<Columns, OutOfMemory> {
        let now = Table { lines: Vec::new(), stride: 0 };
        Ok(Columns { now, next: Some(Table::new(room(0))?), moved: 0, used: 0 })
    }

    /// Memory for columns of so many lines, which are still to be written: see [`Columns::more`]. Until then none may be read.
    pub fn unwritten(used: usize) -> Result<Columns, OutOfMemory> {
        Ok(Columns { now: Table::new(room(used))?, next: None, moved: 0, used })
    }

    /// The next bytes to write of those that [`Columns::memory`] gave, at most so many; whole lines. They are zeroed here and
    /// not before, so that they are in the cache when they are written.
    pub fn more(&mut self, bytes: usize) -> (*mut u8, usize) {
        let lines = &mut self.now.lines;
        let from = lines.len();
        let to = (DIMENSION * self.now.stride).min(from + bytes / size_of::<Line>());
        lines.resize(to, Line::ZERO);
        let more = &mut lines[from..];
        (more.as_mut_ptr().cast(), size_of_val(more))
    }

    /// Whether all is written.
    pub fn is_written(&self) -> bool {
        self.now.lines.len() == DIMENSION * self.now.stride
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        let lines = self.now.lines.capacity() + self.next.as_ref().map_or(0, |next| next.lines.capacity());
        lines * size_of::<Line>()
    }

    /// Lines in use.
    pub fn used(&self) -> usize {
        self.used
    }

    /// All columns one after the other, as they lie in memory, and their length in bytes.
    pub fn memory(&mut self) -> (*const u8, usize) {
        self.advance(DIMENSION);
        (self.now.lines.as_ptr().cast(), size_of_val(&self.now.lines[..]))
    }

    /// Adds a line of rows. They must not be full.
    pub fn push(&mut self, rows: &[Hypervector]) -> Result<(), OutOfMemory> {
        self.advance(DIMENSION);
        let line = self.used;
        if room(line + 1) > room(line) {
            self.next = Some(Table::new(room(line + 1))?);
        }
        for group in 0..LANES {
            let mut tiles = [[Lane::ZERO; TILE]; LINE];
            for (tile, rows) in tiles.iter_mut().zip(rows.chunks_exact(TILE)) {
                for (lane, row) in tile.iter_mut().zip(rows) {
                    *lane = row.lanes[group];
                }
                transpose(tile);
            }
            let columns = self.now.lines[group * TILE * self.now.stride..].chunks_exact_mut(self.now.stride);
            for (d, column) in columns.take(TILE).enumerate() {
                column[line] = Line(tiles.each_ref().map(|tile| tile[d]));
            }
        }
        self.used += 1;
        Ok(())
    }

    /// Moves so many columns, if they are to move.
    pub fn advance(&mut self, columns: usize) {
        let Some(next) = &mut self.next else { return };
        let to = DIMENSION.min(self.moved + columns);
        for d in self.moved..to {
            next.push(&self.now.column(d)[..self.used]);
        }
        self.moved = to;
        if to == DIMENSION
            && let Some(next) = self.next.take()
        {
            self.now = next;
            self.moved = 0;
        }
    }

    #[inline(always)]
    pub fn column(&self, dimension: u16) -> &[Line] {
        let dimension = usize::from(dimension);
        match &self.next {
            Some(next) if dimension < self.moved => next.column(dimension),
            _ => self.now.column(dimension),
        }
    }

    /// Brings a few lines of columns into the cache. Each lies in a page of its own, and read as they are added the processor would
    /// wait for one after the other; so it fetches all of them at the same time.
    pub fn fetch(&self, dimensions: &[u16], lines: u64) {
        let mut touched = Lane::ZERO;
        for &d in dimensions {
            let column = self.column(d);
            let mut left = lines;
            while left != 0 {
                touched = touched ^ column[left.trailing_zeros() as usize].0[0];
                left &= left - 1;
            }
        }
        core::hint::black_box(touched.any());
    }

    /// Visits every column, with its dimension.
    fn each_mut(&mut self, mut visit: impl FnMut(usize, &mut [Line])) {
        for d in 0..DIMENSION {
            let table = self.next.as_mut().filter(|_| d < self.moved).unwrap_or(&mut self.now);
            // Of columns that are still to be written those that are there.
            let Some(column) = table.lines.get_mut(d * table.stride..(d + 1) * table.stride) else { return };
            visit(d, column);
        }
    }

    fn all(&self) -> impl Iterator<Item = &[Line]> {
        (0..DIMENSION).map(|d| self.column(d as u16))
    }

    /// The signatures of 128 rows that stand in the same lane of every column.
    pub fn rows_of(&self, lane: usize) -> Vec<Hypervector> {
        let mut rows = vec![Hypervector::ZERO; TILE];
        for group in 0..LANES {
            let at = |d: usize| self.column((group * TILE + d) as u16)[lane / LINE].0[lane % LINE];
            let mut tile = [Lane::ZERO; TILE];
            for (d, lane) in tile.iter_mut().enumerate() {
                *lane = at(d);
            }
            transpose(&mut tile);
            for (row, lane) in rows.iter_mut().zip(tile) {
                row.lanes[group] = lane;
            }
        }
        rows
    }

    /// One signature. It has a bit in every column: this takes some hundred times as long as to copy a row.
    pub fn row(&self, row: usize) -> Hypervector {
        let mut words = [0; WORDS];
        for (d, column) in self.all().enumerate() {
            words[d / 32] |= u32::from(bit(column, row)) << (d % 32);
        }
        Hypervector::from_words(&words)
    }

    /// Clears all bits of the rows that are not held, in these lines.
    pub fn keep(&mut self, held: &Column, lines: Range<usize>) {
        self.each_mut(|_, column| {
            for (line, held) in column[lines.clone()].iter_mut().zip(&held.lines[lines.clone()]) {
                *line = Line(core::array::from_fn(|i| line.0[i] & held.0[i]));
            }
        });
    }

    /// Puts a signature in the place of another.
    pub fn set(&mut self, row: usize, signature: &Hypervector) {
        let words = signature.to_words();
        self.each_mut(|d, column| put(column, row, words[d / 32] >> (d % 32) & 1 == 1));
    }
}

/// Exchanges rows and columns of 128 × 128 bits.
///
/// Inside the words by halves, quarters and so on (Warren, Hacker's Delight, 7-3), for four matrices
/// of 32 × 32 bits side by side; then the words of the lanes that are 32 apart.
#[inline(never)]
fn transpose(tile: &mut [Lane; TILE]) {
    swap::<16>(tile, 0x0000_ffff);
    swap::<8>(tile, 0x00ff_00ff);
    swap::<4>(tile, 0x0f0f_0f0f);
    swap::<2>(tile, 0x3333_3333);
    swap::<1>(tile, 0x5555_5555);
    for i in 0..TILE / 4 {
        let four = Lane::transpose([tile[i], tile[32 + i], tile[64 + i], tile[96 + i]]);
        for (j, lane) in four.into_iter().enumerate() {
            tile[32 * j + i] = lane;
        }
    }
}

#[inline(always)]
fn swap<const HALF: u32>(tile: &mut [Lane; TILE], low: u32) {
    let low = Lane::from_words([low; 4]);
    for both in tile.chunks_exact_mut(2 * HALF as usize) {
        let (first, second) = both.split_at_mut(HALF as usize);
        for (a, b) in first.iter_mut().zip(second) {
            let differ = (a.shift_words_right::<HALF>() ^ *b) & low;
            *b = *b ^ differ;
            *a = *a ^ differ.shift_words_left::<HALF>();
        }
    }
}
