use crate::hypervector::{DIMENSION, Hypervector};
use crate::prng::tie;

/// Bit planes of a weighted query: magnitudes of 4 bits.
pub const PLANES: usize = 4;

/// A query to scan an arena with: signs, and magnitudes 0 to 15 in bit planes, least significant
/// first, or 1 everywhere.
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
    let tie = tie().to_words();
    Hypervector::from_words(&core::array::from_fn(|i| {
        let mut word = 0;
        let mut zero = 0;
        for (bit, &value) in sum[32 * i..32 * i + 32].iter().enumerate() {
            word |= u32::from(value > 0) << bit;
            zero |= u32::from(value == 0) << bit;
        }
        word | (zero & tie[i])
    }))
}

/// A sum as a query with magnitudes `⌊(30·|s| + max) / (2·max)⌋`, and the sum of their squares.
pub fn quantise(sum: &[i32]) -> (Query, u32) {
    let max = sum.iter().map(|value| value.unsigned_abs()).max().unwrap_or(0);
    let mut words = [[0u32; DIMENSION / 32]; PLANES];
    let mut squares = 0;
    if max > 0 {
        // The quotient of integers this small is never so near to the next whole number that its
        // rounding to f64 could reach it; division of f64 has a vector instruction, of u64 has none.
        let (max, twice) = (f64::from(max), 2.0 * f64::from(max));
        for (d, value) in sum.iter().enumerate() {
            let magnitude = ((30.0 * f64::from(value.unsigned_abs()) + max) / twice) as u32;
            squares += magnitude * magnitude;
            for (p, words) in words.iter_mut().enumerate() {
                words[d >> 5] |= (magnitude >> p & 1) << (d & 31);
            }
        }
    }
    let planes = words.map(|words| Hypervector::from_words(&words));
    (Query { signs: threshold(sum), planes: Some(Box::new(planes)) }, squares)
}
