use crate::lanes::{Lane, Tally};
use alloc::{vec, vec::Vec};
use core::fmt;

/// Bits of a hypervector.
pub const DIMENSION: usize = 8192;
/// Bytes of a hypervector.
pub const BYTES: usize = DIMENSION / 8;
pub const LANES: usize = BYTES / 16;
pub const WORDS: usize = BYTES / 4;

/// A binary hypervector. Dimension `d` is bit `d & 31`, least significant first, of word `d >> 5`.
/// Aligned to a cache line: a row off that boundary costs a scan a fifth of its speed.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Hypervector {
    pub lanes: [Lane; LANES],
}

impl Hypervector {
    /// All dimensions −1.
    pub const ZERO: Hypervector = Hypervector { lanes: [Lane::ZERO; LANES] };

    /// The hypervector of [`BYTES`] little-endian bytes, or `None` for another number of bytes.
    #[inline(never)]
    pub fn from_bytes(bytes: &[u8]) -> Option<Hypervector> {
        if bytes.len() != BYTES {
            return None;
        }
        let mut vector = Hypervector::ZERO;
        for (lane, bytes) in vector.lanes.iter_mut().zip(bytes.chunks_exact(16)) {
            let word = |i: usize| u32::from_le_bytes([bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]]);
            *lane = Lane::from_words([word(0), word(4), word(8), word(12)]);
        }
        Some(vector)
    }

    /// The [`BYTES`] little-endian bytes.
    #[inline(never)]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; BYTES];
        for (to, lane) in bytes.chunks_exact_mut(16).zip(self.lanes) {
            for (to, word) in to.chunks_exact_mut(4).zip(lane.words()) {
                to.copy_from_slice(&word.to_le_bytes());
            }
        }
        bytes
    }

    pub fn from_words(words: &[u32; WORDS]) -> Hypervector {
        let lane = |i: usize| Lane::from_words([words[4 * i], words[4 * i + 1], words[4 * i + 2], words[4 * i + 3]]);
        Hypervector { lanes: core::array::from_fn(lane) }
    }

    pub fn to_words(self) -> [u32; WORDS] {
        let mut words = [0; WORDS];
        for (to, lane) in words.chunks_exact_mut(4).zip(self.lanes) {
            to.copy_from_slice(&lane.words());
        }
        words
    }

    /// Whether dimension `d` is +1.
    pub fn bit(&self, d: usize) -> bool {
        self.lanes[d >> 7].words()[(d >> 5) & 3] >> (d & 31) & 1 == 1
    }

    /// Exclusive or: the product of binary spatter codes. Its own inverse.
    pub fn bind(&self, other: &Hypervector) -> Hypervector {
        self.zip(other, |a, b| a ^ b)
    }

    /// Rotation: dimension `d` moves to `(d + shift) mod 8192`.
    #[inline(never)]
    pub fn permute(&self, shift: i64) -> Hypervector {
        let turn = shift.rem_euclid(DIMENSION as i64) as usize;
        let (words, bits) = (turn >> 5, turn as u32 & 31);
        let from = self.to_words();
        let mut to = [0; WORDS];
        for i in 0..WORDS {
            let low = from[(i + WORDS - words) % WORDS];
            let below = from[(i + 2 * WORDS - words - 1) % WORDS];
            to[i] = if bits == 0 { low } else { low << bits | below >> (32 - bits) };
        }
        Hypervector::from_words(&to)
    }

    /// Dimensions in which two hypervectors differ.
    #[inline(never)]
    pub fn hamming(&self, other: &Hypervector) -> u32 {
        let mut total = 0;
        for (a, b) in self.lanes.chunks_exact(16).zip(other.lanes.chunks_exact(16)) {
            let mut tally = Tally::EMPTY;
            for (&a, &b) in a.iter().zip(b) {
                tally.add(a ^ b);
            }
            total += tally.total();
        }
        total
    }

    /// Dimensions that are +1.
    pub fn ones(&self) -> u32 {
        self.hamming(&Hypervector::ZERO)
    }

    #[inline(always)]
    pub fn zip(&self, other: &Hypervector, f: impl Fn(Lane, Lane) -> Lane) -> Hypervector {
        Hypervector { lanes: core::array::from_fn(|i| f(self.lanes[i], other.lanes[i])) }
    }
}

impl PartialEq for Hypervector {
    fn eq(&self, other: &Hypervector) -> bool {
        self.to_words() == other.to_words()
    }
}

impl Eq for Hypervector {}

impl fmt::Debug for Hypervector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.lanes[0].words();
        write!(f, "Hypervector({a:08x} {b:08x} {c:08x} {d:08x} …)")
    }
}
