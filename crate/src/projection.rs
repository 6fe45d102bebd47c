use crate::hypervector::{DIMENSION, Hypervector, WORDS};
use crate::lanes::{Lane, floor, root};
use crate::prng::{from_name, tie};
use crate::query::{Query, quantise};
use alloc::boxed::Box;
use alloc::{vec, vec::Vec};
use once_cell::race::OnceBox;

/// Fewer than this and the transforms of a block have too few directions to obey the law of angles.
const SMALLEST_BLOCK: usize = 256;
/// The largest projected number as a whole one, at least: fine enough that rounding moves no magnitude of 4 bits by more than a hair.
const LARGEST: f64 = (1 << 20) as f64;
/// Numbers in a lane.
const WIDTH: usize = 4;
/// Numbers of a sum that are worked out together: as many as there are registers for.
const BLOCK: usize = 16;

/// Sign projection of a dense latent: `hamming / 8192 ≈ angle / π` (Charikar 2002).
///
/// The latent, zero-padded to a power of two `n`, stands in each of `8192 / n` blocks; each of three
/// rounds multiplies by a ±1 diagonal (a set bit is +1) and applies the fast Walsh–Hadamard
/// transform to each block (Andoni et al. 2015). All arithmetic is f32 addition in a fixed order.
/// A zero takes the tie bit. The latent must be finite, not all zero, of 1 to 8192 numbers.
#[inline(never)]
pub fn project(latent: &[f32]) -> Hypervector {
    let mut words = [0; WORDS];
    let ties = tie().to_words();
    for (i, lanes) in rounds(latent).chunks_exact(32 / WIDTH).enumerate() {
        words[i] = signs(lanes, ties[i]);
    }
    Hypervector::from_words(&words)
}

/// The numbers whose signs [`project`] takes as a query, with the sum of its squared magnitudes: multiplied by the power of
/// two that brings the largest to 2²⁰ or more, rounded to whole numbers, a half up, and [`quantise`]d.
#[inline(never)]
pub fn project_query(latent: &[f32]) -> (Query, u32) {
    let mut values = Vec::with_capacity(DIMENSION);
    for lane in rounds(latent) {
        values.extend_from_slice(&lane.words().map(f32::from_bits));
    }
    let factor = scale(&values) * LARGEST;
    let sum: Vec<i32> = values.iter().map(|&value| floor(f64::from(value) * factor + 0.5) as i32).collect();
    quantise(&sum)
}

/// The 8192 numbers that a latent is projected to.
#[inline(never)]
fn rounds(latent: &[f32]) -> Vec<Lane> {
    let block = latent.len().next_power_of_two().max(SMALLEST_BLOCK);
    let factor = scale(latent);
    let mut padded = vec![0f32; block];
    for (to, &from) in padded.iter_mut().zip(latent) {
        *to = (f64::from(from) * factor) as f32;
    }
    let one: Vec<Lane> = padded.chunks_exact(WIDTH).map(lane_of).collect();
    let mut values = vec![Lane::ZERO; DIMENSION / WIDTH];
    // One block after the other, which stays in the nearest cache through all rounds.
    for (number, values) in values.chunks_exact_mut(block / WIDTH).enumerate() {
        values.copy_from_slice(&one);
        for diagonal in diagonals() {
            transform(values, &diagonal[number * block / 32..]);
        }
    }
    values
}

/// What sums of latents are made of.
#[derive(Clone, Copy)]
pub struct Terms<'a> {
    /// A latent of whole numbers for each of the factors, one after the other.
    pub rows: &'a [i8],
    /// What each is multiplied by.
    pub factors: &'a [f64],
    /// By the number of its latent, the terms of all sums, one after the other.
    pub terms: &'a [u16],
    /// Where the terms of each sum end, and those of the next begin.
    pub ends: &'a [u32],
}

impl<'a> Terms<'a> {
    fn width(&self) -> usize {
        self.rows.len() / self.factors.len().max(1)
    }

    /// The terms of each sum.
    fn sums(self) -> impl Iterator<Item = &'a [u16]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| &self.terms[core::mem::replace(&mut start, end as usize)..end as usize])
    }
}

/// [`project`] of sums of latents, each scaled to unit length; `None` for a sum of zero. Summed and scaled in f64 in order, and
/// rounded to f32 at each step.
pub fn project_sums(of: Terms<'_>) -> impl Iterator<Item = Option<Hypervector>> {
    let width = of.width();
    of.sums().map(move |terms| {
        let mut sum = vec![0f32; width];
        for &term in terms {
            let term = usize::from(term);
            let factor = of.factors[term];
            for (sum, &value) in sum.iter_mut().zip(&of.rows[term * width..(term + 1) * width]) {
                *sum = (f64::from(*sum) + factor * f64::from(value)) as f32;
            }
        }
        scale_to_unit(&mut sum).then(|| project(&sum))
    })
}

/// Sums of latents, one after the other, each scaled to unit length; a sum of zero stays zero. Summed in f32 in order, every
/// product rounded; scaled in f64, and rounded to f32.
#[inline(never)]
pub fn unit_sums(of: Terms<'_>) -> Vec<f32> {
    let width = of.width();
    let mut sums = vec![0f32; width * of.ends.len()];
    let factors: Vec<f32> = of.factors.iter().map(|&factor| factor as f32).collect();
    for (sum, terms) in sums.chunks_exact_mut(width.max(1)).zip(of.sums()) {
        let mut blocks = sum.chunks_exact_mut(BLOCK);
        let mut at = 0;
        for block in &mut blocks {
            // As a value of its own it stays in registers until all terms are added.
            let mut numbers = [0f32; BLOCK];
            for &term in terms {
                let factor = factors[usize::from(term)];
                let row = &of.rows[usize::from(term) * width + at..][..BLOCK];
                for (number, &value) in numbers.iter_mut().zip(row) {
                    *number += factor * f32::from(value);
                }
            }
            block.copy_from_slice(&numbers);
            at += BLOCK;
        }
        let rest = blocks.into_remainder();
        for &term in terms {
            let factor = factors[usize::from(term)];
            for (number, &value) in rest.iter_mut().zip(&of.rows[usize::from(term) * width + at..]) {
                *number += factor * f32::from(value);
            }
        }
        scale_to_unit(sum);
    }
    sums
}

/// The inner product of each of some vectors with each of others, those of a vector side by side. In f64: four sums, of every fourth
/// product each, and what is left over in the first; these by twos, then both.
pub fn dots(vectors: &[f32], others: &[f32], length: usize) -> Vec<f64> {
    let mut dots = Vec::new();
    for vector in vectors.chunks_exact(length) {
        dots.extend(others.chunks_exact(length).map(|other| dot(vector, other)));
    }
    dots
}

#[inline(never)]
fn dot(a: &[f32], b: &[f32]) -> f64 {
    let mut sums = [0f64; WIDTH];
    let ((a, a_rest), (b, b_rest)) = (whole(a), whole(b));
    for (a, b) in a.chunks_exact(WIDTH).zip(b.chunks_exact(WIDTH)) {
        for (sum, (&a, &b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += f64::from(a) * f64::from(b);
        }
    }
    for (&a, &b) in a_rest.iter().zip(b_rest) {
        sums[0] += f64::from(a) * f64::from(b);
    }
    sums[0] + sums[1] + (sums[2] + sums[3])
}

/// As many as fill whole lanes, and the rest.
fn whole(values: &[f32]) -> (&[f32], &[f32]) {
    values.split_at(values.len() / WIDTH * WIDTH)
}

/// Answers whether the length is more than zero.
#[inline(never)]
fn scale_to_unit(values: &mut [f32]) -> bool {
    let length = root(values.iter().fold(0.0, |squares, &value| squares + f64::from(value) * f64::from(value)));
    if length == 0.0 {
        return false;
    }
    for value in values {
        *value = (f64::from(*value) / length) as f32;
    }
    true
}

/// The signs of 32 numbers; a zero takes the bit of `ties`.
#[inline(always)]
fn signs(lanes: &[Lane], ties: u32) -> u32 {
    let (mut positive, mut zero) = (0, 0);
    for (i, lane) in lanes.iter().enumerate() {
        positive |= lane.positive_floats() << (WIDTH * i);
        zero |= lane.zero_floats() << (WIDTH * i);
    }
    positive | zero & ties
}

fn lane_of(floats: &[f32]) -> Lane {
    Lane::from_words(core::array::from_fn(|i| floats[i].to_bits()))
}

fn diagonals() -> &'static [[u32; WORDS]; 3] {
    static DIAGONALS: OnceBox<[[u32; WORDS]; 3]> = OnceBox::new();
    DIAGONALS.get_or_init(|| {
        let names: [&[u8]; 3] = [b"agidb/projection/1", b"agidb/projection/2", b"agidb/projection/3"];
        Box::new(names.map(|name| from_name(name).to_words()))
    })
}

/// A power of two that brings the largest coordinate into [1, 2): no sum can overflow, no digit is lost.
#[inline(never)]
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

/// Four lanes with the sign turned of the numbers whose bit, of the lowest sixteen, is not set.
#[inline(always)]
fn turned(lanes: &[Lane], bits: u32) -> [Lane; 4] {
    const SIGN: u32 = 1 << 31;
    const TURNS: [Lane; 16] = {
        let mut turns = [Lane::ZERO; 16];
        let mut i = 0;
        while i < 16 {
            let bits = !(i as u32);
            turns[i] = Lane::from_words([bits << 31, bits << 30 & SIGN, bits << 29 & SIGN, bits << 28 & SIGN]);
            i += 1;
        }
        turns
    };
    core::array::from_fn(|i| lanes[i] ^ TURNS[(bits >> (WIDTH * i) & 15) as usize])
}

/// The product with a ±1 diagonal, then the Walsh–Hadamard transform in place, by butterflies of doubling width, two widths in one pass.
#[inline(never)]
fn transform(lanes: &mut [Lane], diagonal: &[u32]) {
    for (eight, &bits) in lanes.chunks_exact_mut(32 / WIDTH).zip(diagonal) {
        for (four, bits) in eight.chunks_exact_mut(4).zip([bits, bits >> 16]) {
            // Butterflies inside a lane are butterflies between the lanes of the transposed matrix.
            let inside = Lane::transpose(Lane::butterflies(Lane::transpose(turned(four, bits))));
            four.copy_from_slice(&Lane::butterflies(inside));
        }
    }
    let mut half = 4;
    while 4 * half <= lanes.len() {
        for four in lanes.chunks_exact_mut(4 * half) {
            let (low, high) = four.split_at_mut(2 * half);
            let ((a, b), (c, d)) = (low.split_at_mut(half), high.split_at_mut(half));
            for (((a, b), c), d) in a.iter_mut().zip(b).zip(c).zip(d) {
                [*a, *b, *c, *d] = Lane::butterflies([*a, *b, *c, *d]);
            }
        }
        half *= 4;
    }
    if half < lanes.len() {
        let (low, high) = lanes.split_at_mut(half);
        for (a, b) in low.iter_mut().zip(high) {
            (*a, *b) = Lane::butterfly(*a, *b);
        }
    }
}
