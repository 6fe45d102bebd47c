use super::OutOfMemory;
use super::columns::{Column, Columns, LINE, Line};
use crate::lanes::Lane;
use alloc::vec::Vec;
use core::ops::Range;

/// Binary digits of a sum at most: those of 15 · 8192, and one for the offset that keeps it from below 0.
const DIGITS: usize = 18;
/// Digits that are added at a time.
const STEP: usize = 3;
const LEVELS: usize = DIGITS / STEP;
const EIGHT: usize = 8;
static NOTHING: Column = Column::ZERO;

/// The digits of sums between `-most` and `most`, with an offset of half of the numbers that they can be; whole steps.
pub fn digits_for(most: u32) -> usize {
    let digits = 33 - most.leading_zeros() as usize;
    digits.next_multiple_of(STEP)
}

/// The digits of counts up to `most`; whole steps.
pub fn digits_of(most: usize) -> usize {
    let digits = (usize::BITS - most.leading_zeros()) as usize;
    digits.max(1).next_multiple_of(STEP)
}

/// A number for every signature of a block, modulo a power of two, bit-sliced: a column for every binary digit,
/// least significant first. All methods work in the given lines only.
pub struct Sums {
    columns: Vec<Column>,
    /// Digits in use.
    digits: usize,
}

impl Sums {
    pub const BYTES: usize = DIGITS * size_of::<Column>();

    /// All zero, of as many digits as there are at most.
    pub fn new() -> Result<Sums, OutOfMemory> {
        Ok(Sums { columns: Column::zeros(DIGITS)?, digits: DIGITS })
    }

    /// Numbers of so many digits, as [`digits_for`] says; what they are is still to be said.
    pub fn of(&mut self, digits: usize) -> &mut Sums {
        self.digits = digits;
        self
    }

    /// The same numbers with more digits, if there were fewer.
    pub fn widen(&mut self, digits: usize, lines: Range<usize>) {
        let had = self.digits.min(digits);
        for digit in &mut self.of(digits).digits_mut()[had..] {
            digit.lines[lines.clone()].fill(Line::ZERO);
        }
    }

    fn digits(&self) -> &[Column] {
        &self.columns[..self.digits]
    }

    fn digits_mut(&mut self) -> &mut [Column] {
        &mut self.columns[..self.digits]
    }

    /// The number of a row.
    pub fn at(&self, row: usize) -> u32 {
        self.digits().iter().enumerate().map(|(p, digit)| u32::from(digit.bit(row)) << p).sum()
    }

    /// Gives all the same number.
    pub fn fill(&mut self, number: u32, lines: Range<usize>) {
        for (p, digit) in self.digits_mut().iter_mut().enumerate() {
            digit.lines[lines.clone()].fill(Line::splat(Lane::splat(number >> p & 1 == 1)));
        }
    }

    /// Turns every number `n` into `−1 − n`.
    pub fn complement(&mut self, lines: Range<usize>) {
        for digit in self.digits_mut() {
            for line in &mut digit.lines[lines.clone()] {
                *line = Line(line.0.map(|lane| !lane));
            }
        }
    }

    /// Turns every number `n` into `2·n`.
    pub fn double(&mut self, lines: Range<usize>) {
        let digits = self.digits_mut();
        for p in (1..digits.len()).rev() {
            let (low, high) = digits.split_at_mut(p);
            high[0].lines[lines.clone()].copy_from_slice(&low[p - 1].lines[lines.clone()]);
        }
        digits[0].lines[lines].fill(Line::ZERO);
    }

    /// Adds other numbers, or takes them away. Digits that only the others have are left out.
    pub fn add(&mut self, other: &Sums, negative: bool, lines: Range<usize>) {
        // −n is the complement of n, and 1.
        let turn = Lane::splat(negative);
        let digits = &mut self.columns[..self.digits];
        for i in lines {
            let mut carries = Line::splat(turn);
            let (both, beyond) = digits.split_at_mut(digits.len().min(other.digits));
            for (digit, other) in both.iter_mut().zip(&other.columns) {
                for (lane, carry) in carries.0.iter_mut().enumerate() {
                    *carry = Lane::full_add(&mut digit.lines[i].0[lane], other.lines[i].0[lane] ^ turn, *carry);
                }
            }
            for digit in beyond {
                for (lane, carry) in carries.0.iter_mut().enumerate() {
                    *carry = Lane::full_add(&mut digit.lines[i].0[lane], turn, *carry);
                }
            }
        }
    }

    /// The rows of a line whose number is not less than this.
    #[inline(always)]
    pub fn at_least(&self, number: u32, line: usize) -> Line {
        let (mut greater, mut equal) = (Line::ZERO, Line::splat(!Lane::ZERO));
        for (p, digit) in self.digits().iter().enumerate().rev() {
            let wanted = Lane::splat(number >> p & 1 == 1);
            for (lane, &digit) in digit.lines[line].0.iter().enumerate() {
                greater.0[lane] = greater.0[lane] | (equal.0[lane] & digit & !wanted);
                equal.0[lane] = equal.0[lane] & !(digit ^ wanted);
            }
        }
        Line(core::array::from_fn(|lane| greater.0[lane] | equal.0[lane]))
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
    pub fn add(&mut self, sums: &mut Sums, columns: &Columns, dimensions: &[u16], lines: Range<usize>) {
        for eight in dimensions.chunks(EIGHT) {
            let columns = core::array::from_fn(|i| eight.get(i).map_or(&NOTHING.lines[..], |&d| columns.column(d)));
            let carry = &mut self.waiting[self.held[0]];
            add_eight(columns, &mut sums.columns[..STEP], carry, lines.clone());
            self.held[0] += 1;
            let mut level = 0;
            while self.held[level] == EIGHT {
                self.carry(sums, level, lines.clone());
                level += 1;
            }
        }
        for level in 0..LEVELS - 1 {
            self.carry(sums, level, lines.clone());
        }
        self.held[LEVELS - 1] = 0;
    }

    /// Adds what waits at a level to the digits above it.
    fn carry(&mut self, sums: &mut Sums, level: usize, lines: Range<usize>) {
        let held = core::mem::take(&mut self.held[level]);
        let next = level + 1;
        if held == 0 || next * STEP == sums.digits {
            return;
        }
        let (from, to) = self.waiting.split_at_mut(next * EIGHT);
        let from = &from[level * EIGHT..][..held];
        let columns = core::array::from_fn(|i| &from.get(i).unwrap_or(&NOTHING).lines[..]);
        add_eight(columns, &mut sums.columns[next * STEP..][..STEP], &mut to[self.held[next]], lines);
        self.held[next] += 1;
    }
}

/// Adds eight columns into three digits; the carries weigh eight times the first of these.
///
/// No more than these loads stand between stores: V8 moves the arithmetic of a basic block below all
/// of its loads, so that a longer body would not fit into the registers.
#[inline(never)]
fn add_eight(columns: [&[Line]; EIGHT], digits: &mut [Column], carries: &mut Column, lines: Range<usize>) {
    let [ones, twos, fours] = digits else { return };
    let columns = columns.map(|column| &column[lines.clone()]);
    let [ones, twos, fours, carries] = [ones, twos, fours, carries].map(|digit| &mut digit.lines[lines.clone()]);
    for l in 0..lines.len() {
        for i in 0..LINE {
            let at = |j: usize| columns[j][l].0[i];
            let (mut one, mut two) = (ones[l].0[i], twos[l].0[i]);
            let a = Lane::full_add(&mut one, at(0), at(1));
            let b = Lane::full_add(&mut one, at(2), at(3));
            let c = Lane::full_add(&mut two, a, b);
            let a = Lane::full_add(&mut one, at(4), at(5));
            let b = Lane::full_add(&mut one, at(6), at(7));
            let d = Lane::full_add(&mut two, a, b);
            ones[l].0[i] = one;
            twos[l].0[i] = two;
            carries[l].0[i] = Lane::full_add(&mut fours[l].0[i], c, d);
        }
    }
}
