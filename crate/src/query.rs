use crate::hypervector::{DIMENSION, Hypervector, WORDS};
use crate::lanes::Lane;
use crate::prng::tie;
use alloc::boxed::Box;
use alloc::vec;

/// Bit planes of a weighted query: magnitudes of 4 bits.
pub const PLANES: usize = 4;

/// A query to scan an arena with: signs, and magnitudes 0 to 15 in bit planes, least significant
/// first, or 1 everywhere.
#[derive(Clone, PartialEq, Eq)]
pub struct Query {
    /// The signs.
    pub signs: Hypervector,
    /// The magnitudes.
    pub planes: Option<Box<[Hypervector; PLANES]>>,
}

impl Query {
    /// The score of a signature that agrees everywhere: the sum of the magnitudes.
    pub fn highest(&self) -> i32 {
        match &self.planes {
            None => DIMENSION as i32,
            Some(planes) => planes.iter().enumerate().map(|(p, plane)| (plane.ones() as i32) << p).sum(),
        }
    }
}

/// The signs of a sum of 8192 dimensions; a zero takes the tie bit.
#[inline(never)]
pub fn threshold(sum: &[i32]) -> Hypervector {
    let ties = tie();
    let mut signs = pack(sum, Lane::zero_words);
    for (zero, tie) in signs.lanes.iter_mut().zip(ties.lanes) {
        *zero = *zero & tie;
    }
    let positive = pack(sum, Lane::positive_words);
    signs.zip(&positive, |tie, positive| tie | positive)
}

/// A sum as a query with magnitudes `⌊(30·|s| + max) / (2·max)⌋`, and the sum of their squares.
#[inline(never)]
pub fn quantise(sum: &[i32]) -> (Query, u32) {
    let max = sum.iter().map(|value| value.unsigned_abs()).max().unwrap_or(0);
    let mut magnitudes = vec![0i32; DIMENSION];
    if max > 0 {
        // The quotient of integers this small is never so near to the next whole number that its
        // rounding to f64 could reach it; division of f64 has a vector instruction, of u64 has none.
        let (max, twice) = (f64::from(max), 2.0 * f64::from(max));
        for (magnitude, value) in magnitudes.iter_mut().zip(sum) {
            *magnitude = ((30.0 * f64::from(*value).abs() + max) / twice) as i32;
        }
    }
    let squares = magnitudes.iter().map(|&magnitude| (magnitude * magnitude) as u32).sum();
    let planes = core::array::from_fn(|p| pack(&magnitudes, |lane| lane.bits(p as u32)));
    (Query { signs: threshold(sum), planes: Some(Box::new(planes)) }, squares)
}

/// A bit for each of 8192 values; `bits` gives those of four.
#[inline(always)]
fn pack(values: &[i32], bits: impl Fn(Lane) -> u32) -> Hypervector {
    let mut words = [0; WORDS];
    for (word, values) in words.iter_mut().zip(values.chunks_exact(32)) {
        for (i, four) in values.chunks_exact(4).enumerate() {
            let lane = Lane::from_words(core::array::from_fn(|j| four[j] as u32));
            *word |= bits(lane) << (4 * i);
        }
    }
    Hypervector::from_words(&words)
}
