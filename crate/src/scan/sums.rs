use super::OutOfMemory;
use super::columns::{COLUMN, Column, Columns, LINE};
use crate::lanes::Lane;
use core::ops::Range;

/// Binary digits of a sum: those of 2 · 15 · 8192, and one for the offset that keeps it from below 0.
pub const DIGITS: usize = 18;
/// Digits that are added at a time.
const STEP: usize = 3;
const LEVELS: usize = DIGITS / STEP;
const EIGHT: usize = 8;
static NOTHING: Column = Column::ZERO;

/// A number for every signature of a block, modulo 2¹⁸, bit-sliced: a column for every binary digit,
/// least significant first. All methods work in the given lanes only.
pub struct Sums(Vec<Column>);

impl Sums {
    pub const BYTES: usize = DIGITS * size_of::<Column>();

    /// All zero.
    pub fn new() -> Result<Sums, OutOfMemory> {
        Ok(Sums(Column::zeros(DIGITS)?))
    }

    /// The number of a row.
    pub fn at(&self, row: usize) -> u32 {
        self.0.iter().enumerate().map(|(p, digit)| u32::from(digit.bit(row)) << p).sum()
    }

    /// Gives all the same number.
    pub fn fill(&mut self, number: u32, lanes: Range<usize>) {
        for (p, digit) in self.0.iter_mut().enumerate() {
            digit.lanes[lanes.clone()].fill(Lane::splat(number >> p & 1 == 1));
        }
    }

    /// Turns every number `n` into `−1 − n`.
    pub fn complement(&mut self, lanes: Range<usize>) {
        for digit in &mut self.0 {
            for lane in &mut digit.lanes[lanes.clone()] {
                *lane = !*lane;
            }
        }
    }

    /// Turns every number `n` into `2·n`.
    pub fn double(&mut self, lanes: Range<usize>) {
        for p in (1..DIGITS).rev() {
            let (low, high) = self.0.split_at_mut(p);
            high[0].lanes[lanes.clone()].copy_from_slice(&low[p - 1].lanes[lanes.clone()]);
        }
        self.0[0].lanes[lanes].fill(Lane::ZERO);
    }

    /// Adds other numbers, or takes them away.
    pub fn add(&mut self, other: &Sums, negative: bool, lanes: Range<usize>) {
        // −n is the complement of n, and 1.
        let turn = Lane::splat(negative);
        for i in lanes {
            let mut carry = turn;
            for (digit, other) in self.0.iter_mut().zip(&other.0) {
                carry = Lane::full_add(&mut digit.lanes[i], other.lanes[i] ^ turn, carry);
            }
        }
    }

    /// The rows of a lane whose number is not less than this.
    #[inline(always)]
    pub fn at_least(&self, number: u32, lane: usize) -> Lane {
        let (mut greater, mut equal) = (Lane::ZERO, !Lane::ZERO);
        for (p, digit) in self.0.iter().enumerate().rev() {
            let digit = digit.lanes[lane];
            let wanted = Lane::splat(number >> p & 1 == 1);
            greater = greater | (equal & digit & !wanted);
            equal = equal & !(digit ^ wanted);
        }
        greater | equal
    }
}

/// Counts columns by carry-save addition: eight are added into three digits, and leave one column of
/// carries that weigh eight; eight of those are added into the next three digits, and so on. A column
/// costs seven eighths of a full adder in a lane, and no bit is ever counted by itself.
pub struct Adder {
    /// Carries that wait, eight a level; those of the last are beyond the digits.
    waiting: Vec<Column>,
    held: [usize; LEVELS],
}

impl Adder {
    pub const BYTES: usize = LEVELS * EIGHT * size_of::<Column>();

    pub fn new() -> Result<Adder, OutOfMemory> {
        Ok(Adder { waiting: Column::zeros(LEVELS * EIGHT)?, held: [0; LEVELS] })
    }

    /// Adds the columns of these dimensions to the sums.
    pub fn add(&mut self, sums: &mut Sums, columns: &Columns, dimensions: &[u16], lanes: Range<usize>) {
        for eight in dimensions.chunks(EIGHT) {
            let columns = core::array::from_fn(|i| eight.get(i).map_or(&NOTHING, |&d| columns.column(d)));
            let carry = &mut self.waiting[self.held[0]];
            add_eight(columns, &mut sums.0[..STEP], carry, lanes.clone());
            self.held[0] += 1;
            let mut level = 0;
            while self.held[level] == EIGHT {
                self.carry(sums, level, lanes.clone());
                level += 1;
            }
        }
        for level in 0..LEVELS - 1 {
            self.carry(sums, level, lanes.clone());
        }
        self.held[LEVELS - 1] = 0;
    }

    /// Adds what waits at a level to the digits above it.
    fn carry(&mut self, sums: &mut Sums, level: usize, lanes: Range<usize>) {
        let held = core::mem::take(&mut self.held[level]);
        let next = level + 1;
        if held == 0 || next == LEVELS {
            return;
        }
        let (from, to) = self.waiting.split_at_mut(next * EIGHT);
        let from = &from[level * EIGHT..][..held];
        let columns = core::array::from_fn(|i| from.get(i).unwrap_or(&NOTHING));
        add_eight(columns, &mut sums.0[next * STEP..][..STEP], &mut to[self.held[next]], lanes);
        self.held[next] += 1;
    }
}

/// Adds eight columns into three digits; the carries weigh eight times the first of these.
///
/// No more than these loads stand between stores: V8 moves the arithmetic of a basic block below all
/// of its loads, so that a longer body would not fit into the registers.
#[inline(never)]
fn add_eight(columns: [&Column; EIGHT], digits: &mut [Column], carries: &mut Column, lanes: Range<usize>) {
    let [ones, twos, fours] = digits else { return };
    let end = lanes.end.min(COLUMN);
    let mut first = lanes.start;
    while first + LINE <= end {
        for i in first..first + LINE {
            let at = |j: usize| columns[j].lanes[i];
            let (mut one, mut two) = (ones.lanes[i], twos.lanes[i]);
            let a = Lane::full_add(&mut one, at(0), at(1));
            let b = Lane::full_add(&mut one, at(2), at(3));
            let c = Lane::full_add(&mut two, a, b);
            let a = Lane::full_add(&mut one, at(4), at(5));
            let b = Lane::full_add(&mut one, at(6), at(7));
            let d = Lane::full_add(&mut two, a, b);
            ones.lanes[i] = one;
            twos.lanes[i] = two;
            carries.lanes[i] = Lane::full_add(&mut fours.lanes[i], c, d);
        }
        first += LINE;
    }
}
