use crate::lanes::Lane;
use crate::projection::Terms;
use alloc::{vec, vec::Vec};

/// Bytes that fill a lane as halves of words.
const WIDTH: usize = 8;

/// Of each sum of terms, and each of some other rows of `length` numbers, the greatest inner product of the row with a
/// term, each times its factor; 0 where none is above 0. Those of a sum stand side by side. What late interaction adds
/// up (Khattab and Zaharia 2020, ColBERT: MaxSim). The products are whole numbers, so that their order does not matter;
/// each takes one multiplication in f64.
pub fn max_sim(of: Terms<'_>, others: &[i8], length: usize) -> Vec<f64> {
    let count = others.len() / length;
    let mut most = vec![0f64; of.ends.len() * count];
    if count == 0 {
        return most;
    }
    let lanes = length.div_ceil(WIDTH);
    let mut wide = vec![Lane::ZERO; (count + 1) * lanes];
    let (row, wide) = wide.split_at_mut(lanes);
    for (other, bytes) in wide.chunks_exact_mut(lanes).zip(others.chunks_exact(length)) {
        widen(bytes, other);
    }
    let mut products = vec![0f64; of.factors.len() * count];
    for (at, products) in products.chunks_exact_mut(count).enumerate() {
        widen(&of.rows[at * length..][..length], row);
        for (product, other) in products.iter_mut().zip(wide.chunks_exact(lanes)) {
            *product = of.factors[at] * f64::from(dot(row, other));
        }
    }
    let mut start = 0;
    for (most, &end) in most.chunks_exact_mut(count).zip(of.ends) {
        let terms = &of.terms[core::mem::replace(&mut start, end as usize)..end as usize];
        for &term in terms {
            let products = &products[usize::from(term) * count..][..count];
            for (most, &product) in most.iter_mut().zip(products) {
                *most = if product > *most { product } else { *most };
            }
        }
    }
    most
}

/// Writes a row by lanes, the last one filled up with zeros.
fn widen(row: &[i8], into: &mut [Lane]) {
    let whole = row.chunks_exact(WIDTH);
    let rest = whole.remainder();
    if let (Some(last), false) = (into.last_mut(), rest.is_empty()) {
        let mut filled = [0; WIDTH];
        filled[..rest.len()].copy_from_slice(rest);
        *last = Lane::widened(filled);
    }
    for (lane, bytes) in into.iter_mut().zip(whole) {
        *lane = Lane::widened(bytes.try_into().unwrap_or_default());
    }
}

/// The inner product of two rows.
#[inline(always)]
fn dot(a: &[Lane], b: &[Lane]) -> i32 {
    let mut sum = Lane::ZERO;
    for (a, b) in a.iter().zip(b) {
        sum = sum.add_words(a.multiply_halves(*b));
    }
    sum.words().iter().fold(0u32, |sum, &word| sum.wrapping_add(word)) as i32
}
