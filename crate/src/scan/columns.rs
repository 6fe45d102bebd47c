use super::OutOfMemory;
use super::rows::Rows;
use crate::hypervector::{DIMENSION, Hypervector, LANES};
use crate::lanes::Lane;
use core::ops::Range;

/// Signatures in a block.
pub const BLOCK: usize = 32_768;
/// Lanes of a column: a bit for every signature of the block.
pub const COLUMN: usize = BLOCK / 128;
/// Lanes of a cache line, and signatures that have their bits in one.
pub const LINE: usize = 4;
pub const LINE_ROWS: usize = 128 * LINE;
/// Rows, and dimensions, that are transposed at a time.
const TILE: usize = 128;

/// The bits that the signatures of a block have at one dimension, or at one binary digit of a sum.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Column {
    pub lanes: [Lane; COLUMN],
    /// A cache line: were columns a power of two apart, a dozen that are read side by side would be in
    /// the same eight places of the cache, and drive each other out (a fifth of the speed).
    pad: [Lane; LINE],
}

impl Column {
    pub const ZERO: Column = Column::splat(false);

    /// All bits alike.
    pub const fn splat(bit: bool) -> Column {
        Column { lanes: [Lane::splat(bit); COLUMN], pad: [Lane::ZERO; LINE] }
    }

    /// The bit of a row.
    pub fn bit(&self, row: usize) -> bool {
        self.lanes[row / 128].words()[row / 32 % 4] >> (row % 32) & 1 == 1
    }

    /// Rows whose bit is set.
    pub fn count(&self) -> usize {
        self.lanes.iter().flat_map(|lane| lane.words()).map(|word| word.count_ones() as usize).sum()
    }

    /// Gives a row its bit.
    pub fn put(&mut self, row: usize, bit: bool) {
        let mut mask = [0; 4];
        mask[row / 32 % 4] = 1 << (row % 32);
        let (lane, mask) = (&mut self.lanes[row / 128], Lane::from_words(mask));
        *lane = if bit { *lane | mask } else { *lane & !mask };
    }

    /// `count` columns, all zero.
    pub fn zeros(count: usize) -> Result<Vec<Column>, OutOfMemory> {
        let mut columns = Vec::new();
        columns.try_reserve_exact(count)?;
        columns.resize(count, Column::ZERO);
        Ok(columns)
    }
}

/// The signatures of a block, bit-sliced: a column for every dimension.
pub struct Columns(Vec<Column>);

impl Columns {
    pub const BYTES: usize = DIMENSION * size_of::<Column>();

    /// Columns of zeros.
    pub fn new() -> Result<Columns, OutOfMemory> {
        Ok(Columns(Column::zeros(DIMENSION)?))
    }

    /// All columns one after the other, as they lie in memory, and their length in bytes.
    pub fn memory(&self) -> (*const u8, usize) {
        (self.0.as_ptr().cast(), Columns::BYTES)
    }

    /// [`Columns::memory`], to write to.
    pub fn memory_mut(&mut self) -> (*mut u8, usize) {
        (self.0.as_mut_ptr().cast(), Columns::BYTES)
    }

    /// The first [`BLOCK`] rows.
    pub fn of(rows: &Rows) -> Result<Columns, OutOfMemory> {
        let mut columns = Columns::new()?;
        for line in 0..BLOCK / LINE_ROWS {
            for group in 0..LANES {
                let mut tiles = [[Lane::ZERO; TILE]; LINE];
                for (t, tile) in tiles.iter_mut().enumerate() {
                    for (r, lane) in tile.iter_mut().enumerate() {
                        *lane = rows.get(line * LINE_ROWS + t * TILE + r).lanes[group];
                    }
                    transpose(tile);
                }
                for (d, column) in columns.0[group * TILE..][..TILE].iter_mut().enumerate() {
                    for (t, tile) in tiles.iter().enumerate() {
                        column.lanes[line * LINE + t] = tile[d];
                    }
                }
            }
        }
        Ok(columns)
    }

    #[inline(always)]
    pub fn column(&self, dimension: u16) -> &Column {
        &self.0[usize::from(dimension)]
    }

    /// The signatures of 128 rows that stand in the same lane of every column.
    pub fn rows(&self, lane: usize) -> Vec<Hypervector> {
        let mut rows = vec![Hypervector::ZERO; TILE];
        for group in 0..LANES {
            let mut tile: [Lane; TILE] = core::array::from_fn(|d| self.0[group * TILE + d].lanes[lane]);
            transpose(&mut tile);
            for (row, lane) in rows.iter_mut().zip(tile) {
                row.lanes[group] = lane;
            }
        }
        rows
    }

    /// One signature. It has a bit in every column: this takes some hundred times as long as to copy a row.
    pub fn row(&self, row: usize) -> Hypervector {
        Hypervector::from_words(&core::array::from_fn(|word| {
            let columns = &self.0[32 * word..32 * word + 32];
            columns.iter().enumerate().map(|(d, column)| u32::from(column.bit(row)) << d).sum()
        }))
    }

    /// Clears all bits of the rows that are not held, in these lanes.
    pub fn keep(&mut self, held: &Column, lanes: Range<usize>) {
        for column in &mut self.0 {
            for (lane, &held) in column.lanes[lanes.clone()].iter_mut().zip(&held.lanes[lanes.clone()]) {
                *lane = *lane & held;
            }
        }
    }

    /// Puts a signature in the place of another.
    pub fn set(&mut self, row: usize, signature: &Hypervector) {
        let words = signature.to_words();
        for (d, column) in self.0.iter_mut().enumerate() {
            column.put(row, words[d / 32] >> (d % 32) & 1 == 1);
        }
    }
}

/// Exchanges rows and columns of 128 × 128 bits.
///
/// Inside the words by halves, quarters and so on (Warren, Hacker's Delight, 7-3), for four matrices
/// of 32 × 32 bits side by side; then the words of the lanes that are 32 apart.
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
