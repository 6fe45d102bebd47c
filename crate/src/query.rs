use crate::hypervector::{DIMENSION, Hypervector};
use crate::prng::tie;

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
pub fn threshold(sum: &[i32]) -> Hypervector {
    let positive = pack(sum, |value| value > 0);
    let ties = pack(sum, |value| value == 0).zip(tie(), |zero, tie| zero & tie);
    positive.zip(&ties, |positive, tie| positive | tie)
}

/// A sum as a query with magnitudes `⌊(30·|s| + max) / (2·max)⌋`, and the sum of their squares.
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
    let planes = core::array::from_fn(|p| pack(&magnitudes, |magnitude| magnitude >> p & 1 == 1));
    (Query { signs: threshold(sum), planes: Some(Box::new(planes)) }, squares)
}

/// A bit for each of 8192 values.
#[inline(always)]
fn pack<T: Copy>(values: &[T], is: impl Fn(T) -> bool) -> Hypervector {
    Hypervector::from_words(&core::array::from_fn(|i| {
        let mut word = 0;
        for (bit, &value) in values[32 * i..32 * i + 32].iter().enumerate() {
            word |= if is(value) { 1 << bit } else { 0 };
        }
        word
    }))
}
