use core::arch::wasm32::*;
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// 128 bits, or four 32-bit words.
#[derive(Clone, Copy)]
pub struct Lane(v128);

impl Lane {
    pub const ZERO: Lane = Lane(u32x4(0, 0, 0, 0));

    #[inline(always)]
    pub const fn from_words(w: [u32; 4]) -> Lane {
        Lane(u32x4(w[0], w[1], w[2], w[3]))
    }

    #[inline(always)]
    pub fn words(self) -> [u32; 4] {
        [
            u32x4_extract_lane::<0>(self.0),
            u32x4_extract_lane::<1>(self.0),
            u32x4_extract_lane::<2>(self.0),
            u32x4_extract_lane::<3>(self.0),
        ]
    }

    /// All bits alike.
    #[inline(always)]
    pub const fn splat(bit: bool) -> Lane {
        let word = if bit { u32::MAX } else { 0 };
        Lane(u32x4(word, word, word, word))
    }

    /// Whether any bit is set.
    #[inline(always)]
    pub fn any(self) -> bool {
        v128_any_true(self.0)
    }

    /// Shifts each word towards its most significant bit.
    #[inline(always)]
    pub fn shift_words_left<const BITS: u32>(self) -> Lane {
        Lane(u32x4_shl(self.0, BITS))
    }

    /// Shifts each word towards its least significant bit.
    #[inline(always)]
    pub fn shift_words_right<const BITS: u32>(self) -> Lane {
        Lane(u32x4_shr(self.0, BITS))
    }

    /// Wrapping sum of each word.
    #[inline(always)]
    pub fn add_words(self, other: Lane) -> Lane {
        Lane(u32x4_add(self.0, other.0))
    }

    /// Rotates each word to the left.
    #[inline(always)]
    pub fn rotate_words<const BITS: u32>(self) -> Lane {
        // Whole bytes move in one shuffle; other rotations take two shifts.
        Lane(match BITS {
            16 => i8x16_shuffle::<2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13>(self.0, self.0),
            24 => i8x16_shuffle::<1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12>(self.0, self.0),
            8 => i8x16_shuffle::<3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14>(self.0, self.0),
            _ => v128_or(u32x4_shl(self.0, BITS), u32x4_shr(self.0, 32 - BITS)),
        })
    }

    /// Four of the eight words of two lanes; those of the second count from 4.
    #[inline(always)]
    pub fn pick<const A: usize, const B: usize, const C: usize, const D: usize>(self, other: Lane) -> Lane {
        Lane(u32x4_shuffle::<A, B, C, D>(self.0, other.0))
    }

    /// Sum of each word as an f32.
    #[inline(always)]
    pub fn add_floats(self, other: Lane) -> Lane {
        Lane(f32x4_add(self.0, other.0))
    }

    /// Difference of each word as an f32.
    #[inline(always)]
    pub fn sub_floats(self, other: Lane) -> Lane {
        Lane(f32x4_sub(self.0, other.0))
    }

    /// Eight signed bytes as halves of the words.
    #[inline(always)]
    pub fn widened(bytes: [i8; 8]) -> Lane {
        Lane(i16x8_extend_low_i8x16(u64x2(u64::from_le_bytes(bytes.map(|byte| byte as u8)), 0)))
    }

    /// In each word the sum of the products of both signed halves, as an i32.
    #[inline(always)]
    pub fn multiply_halves(self, other: Lane) -> Lane {
        Lane(i32x4_dot_i16x8(self.0, other.0))
    }

    /// A bit for each word that is over zero as an i32.
    #[inline(always)]
    pub fn positive_words(self) -> u32 {
        i32x4_bitmask(i32x4_gt(self.0, i32x4_splat(0))).into()
    }

    /// A bit for each word that is zero.
    #[inline(always)]
    pub fn zero_words(self) -> u32 {
        i32x4_bitmask(i32x4_eq(self.0, i32x4_splat(0))).into()
    }

    /// Bit `bit` of each word.
    #[inline(always)]
    pub fn bits(self, bit: u32) -> u32 {
        i32x4_bitmask(u32x4_shl(self.0, 31 - bit)).into()
    }

    /// A bit for each word that is over zero as an f32.
    #[inline(always)]
    pub fn positive_floats(self) -> u32 {
        i32x4_bitmask(f32x4_gt(self.0, f32x4_splat(0.0))).into()
    }

    /// A bit for each word that is zero as an f32.
    #[inline(always)]
    pub fn zero_floats(self) -> u32 {
        i32x4_bitmask(f32x4_eq(self.0, f32x4_splat(0.0))).into()
    }

    /// Four lanes as a 4 × 4 matrix of words, with rows and columns exchanged.
    #[inline(always)]
    pub fn transpose([a, b, c, d]: [Lane; 4]) -> [Lane; 4] {
        let ab_low = u32x4_shuffle::<0, 4, 1, 5>(a.0, b.0);
        let ab_high = u32x4_shuffle::<2, 6, 3, 7>(a.0, b.0);
        let cd_low = u32x4_shuffle::<0, 4, 1, 5>(c.0, d.0);
        let cd_high = u32x4_shuffle::<2, 6, 3, 7>(c.0, d.0);
        [
            Lane(u64x2_shuffle::<0, 2>(ab_low, cd_low)),
            Lane(u64x2_shuffle::<1, 3>(ab_low, cd_low)),
            Lane(u64x2_shuffle::<0, 2>(ab_high, cd_high)),
            Lane(u64x2_shuffle::<1, 3>(ab_high, cd_high)),
        ]
    }
}

impl BitAnd for Lane {
    type Output = Lane;
    #[inline(always)]
    fn bitand(self, other: Lane) -> Lane {
        Lane(v128_and(self.0, other.0))
    }
}

impl BitOr for Lane {
    type Output = Lane;
    #[inline(always)]
    fn bitor(self, other: Lane) -> Lane {
        Lane(v128_or(self.0, other.0))
    }
}

impl BitXor for Lane {
    type Output = Lane;
    #[inline(always)]
    fn bitxor(self, other: Lane) -> Lane {
        Lane(v128_xor(self.0, other.0))
    }
}

impl Not for Lane {
    type Output = Lane;
    #[inline(always)]
    fn not(self) -> Lane {
        Lane(v128_not(self.0))
    }
}

/// Counts set bits, a count per byte. Holds at most 31 lanes.
#[derive(Clone, Copy)]
pub struct Tally(v128);

impl Tally {
    pub const EMPTY: Tally = Tally(u32x4(0, 0, 0, 0));

    #[inline(always)]
    pub fn add(&mut self, lane: Lane) {
        self.0 = u8x16_add(self.0, u8x16_popcnt(lane.0));
    }

    #[inline(always)]
    pub fn total(self) -> u32 {
        let sums = u32x4_extadd_pairwise_u16x8(u16x8_extadd_pairwise_u8x16(self.0));
        let [a, b, c, d] = Lane(sums).words();
        a + b + c + d
    }
}

/// The square root. `core` has none; the vector unit gives the same bits (IEEE 754, 5.4.1).
pub fn root(value: f64) -> f64 {
    f64x2_extract_lane::<0>(f64x2_sqrt(f64x2_splat(value)))
}

/// The next whole number that is not greater.
pub fn floor(value: f64) -> f64 {
    f64x2_extract_lane::<0>(f64x2_floor(f64x2_splat(value)))
}
