use crate::hypervector::{DIMENSION, Hypervector};
use crate::prng::{from_name, tie};
use std::sync::OnceLock;

/// Fewer than this and the transforms of a block have too few directions to obey the law of angles.
const SMALLEST_BLOCK: usize = 256;

/// Sign projection of a dense latent: `hamming / 8192 ≈ angle / π` (Charikar 2002).
///
/// The latent, zero-padded to a power of two `n`, stands in each of `8192 / n` blocks; each of three
/// rounds multiplies by a ±1 diagonal (a set bit is +1) and applies the fast Walsh–Hadamard
/// transform to each block (Andoni et al. 2015). All arithmetic is f32 addition in a fixed order.
/// A zero takes the tie bit. The latent must be finite, not all zero, of 1 to 8192 numbers.
pub fn project(latent: &[f32]) -> Hypervector {
    let block = latent.len().next_power_of_two().max(SMALLEST_BLOCK);
    let mut values = vec![0f32; DIMENSION];
    let factor = scale(latent);
    for part in values.chunks_exact_mut(block) {
        for (to, &from) in part.iter_mut().zip(latent) {
            *to = (f64::from(from) * factor) as f32;
        }
    }
    for diagonal in diagonals() {
        for (values, word) in values.chunks_exact_mut(32).zip(diagonal) {
            for (bit, value) in values.iter_mut().enumerate() {
                // The sign bit is turned where the diagonal's bit is clear.
                *value = f32::from_bits(value.to_bits() ^ (!word >> bit & 1) << 31);
            }
        }
        for part in values.chunks_exact_mut(block) {
            transform(part);
        }
    }
    signs(&values)
}

fn diagonals() -> &'static [[u32; DIMENSION / 32]; 3] {
    static DIAGONALS: OnceLock<[[u32; DIMENSION / 32]; 3]> = OnceLock::new();
    DIAGONALS.get_or_init(|| {
        let names: [&[u8]; 3] = [b"agidb/projection/1", b"agidb/projection/2", b"agidb/projection/3"];
        names.map(|name| from_name(name).to_words())
    })
}

/// A power of two that brings the largest coordinate into [1, 2): no sum can overflow, no digit is lost.
fn scale(latent: &[f32]) -> f64 {
    let largest = f64::from(latent.iter().fold(0f32, |largest, value| largest.max(value.abs())));
    let mut factor = 1.0;
    while largest * factor < 1.0 {
        factor *= 2.0;
    }
    while largest * factor >= 2.0 {
        factor /= 2.0;
    }
    factor
}

/// The Walsh–Hadamard transform in place, by butterflies of doubling width.
fn transform(values: &mut [f32]) {
    let mut half = 1;
    while half < values.len() {
        for pair in values.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

fn signs(values: &[f32]) -> Hypervector {
    let tie = tie().to_words();
    Hypervector::from_words(&core::array::from_fn(|i| {
        let mut word = 0;
        let mut zero = 0;
        for (bit, &value) in values[32 * i..32 * i + 32].iter().enumerate() {
            word |= u32::from(value > 0.0) << bit;
            zero |= u32::from(value == 0.0) << bit;
        }
        word | (zero & tie[i])
    }))
}
