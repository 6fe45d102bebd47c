//! A scan in two stages: at the dimensions of a sketch first, then of all of those that may be among the best.
//!
//! A signature at distance `d` of all `n` dimensions differs at a sample of `m` of them in a number that is distributed
//! hypergeometrically (Feller, An Introduction to Probability Theory, II.6), with mean `m·d/n` and variance
//! `m·p·(1 − p)·(n − m)/(n − 1)`, `p = d/n`. With `d_k`, the distance of the `k`-th best of some that were scored, no
//! signature among the `k` best is farther than `d_k`. One whose sketch is farther than `m·p + z·√(m·p·(1 − p)·(1 − m/n))`,
//! `p = d_k/n`, is passed over. By the normal approximation that befalls one of the `k` best with a probability of at
//! most 3.2 · 10⁻⁵ at `z = 4`.
//!
//! The sample is the same for every query. That it is one, rests on the dimensions of hypervectors being alike.

use crate::hypervector::DIMENSION;
use crate::lanes::{floor, root};
use alloc::boxed::Box;
use once_cell::race::OnceBox;

/// Dimensions of a sketch.
const LENGTH: usize = 1024;
const Z: f64 = 4.0;

/// Some dimension of each eight, so that no stretch of a signature has more weight than another.
pub fn sketch() -> &'static [u16; LENGTH] {
    static SKETCH: OnceBox<[u16; LENGTH]> = OnceBox::new();
    SKETCH.get_or_init(|| {
        let each = DIMENSION / LENGTH;
        Box::new(core::array::from_fn(|i| {
            // Spread by the golden ratio (Knuth, The Art of Computer Programming, 6.4).
            let turn = (i as u32).wrapping_mul(0x9e37_79b9) >> 16;
            (each * i + turn as usize % each) as u16
        }))
    })
}

/// The score that the sketch of a signature must have for the signature to be scored, when the `k`-th best has this score.
pub fn least(score: i32) -> i32 {
    let (m, n) = (LENGTH as f64, DIMENSION as f64);
    let p = (n - f64::from(score)) / 2.0 / n;
    let farthest = m * p + Z * root(m * p * (1.0 - p) * (1.0 - m / n));
    LENGTH as i32 - 2 * floor(farthest) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sketch_has_a_dimension_of_each_eight_and_all_of_them_about_as_often() {
        let mut often = [0; DIMENSION / LENGTH];
        for (i, &d) in sketch().iter().enumerate() {
            assert_eq!(usize::from(d) / often.len(), i);
            often[usize::from(d) % often.len()] += 1;
        }
        assert!(often.iter().all(|&times| (100..156).contains(&times)), "{often:?}");
    }

    #[test]
    fn the_threshold_is_where_the_formula_says() {
        assert_eq!(least(DIMENSION as i32), LENGTH as i32);
        // p = 0.25: 256 + 4 · √(1024 · 0.1875 · 0.875) = 307.8.
        assert_eq!(least(DIMENSION as i32 / 2), 1024 - 2 * 307);
    }
}
