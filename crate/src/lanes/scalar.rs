use core::ops::{BitAnd, BitOr, BitXor, Not};

/// 128 bits, or four 32-bit words.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub struct Lane([u32; 4]);

impl Lane {
    pub const ZERO: Lane = Lane([0; 4]);

    #[inline(always)]
    pub const fn from_words(words: [u32; 4]) -> Lane {
        Lane(words)
    }

    #[inline(always)]
    pub fn words(self) -> [u32; 4] {
        self.0
    }

    /// All bits alike.
    #[inline(always)]
    pub const fn splat(bit: bool) -> Lane {
        Lane([if bit { u32::MAX } else { 0 }; 4])
    }

    /// Whether any bit is set.
    #[inline(always)]
    pub fn any(self) -> bool {
        self.0 != [0; 4]
    }

    /// Shifts each word towards its most significant bit.
    #[inline(always)]
    pub fn shift_words_left<const BITS: u32>(self) -> Lane {
        Lane(self.0.map(|word| word << BITS))
    }

    /// Shifts each word towards its least significant bit.
    #[inline(always)]
    pub fn shift_words_right<const BITS: u32>(self) -> Lane {
        Lane(self.0.map(|word| word >> BITS))
    }

    /// Wrapping sum of each word.
    #[inline(always)]
    pub fn add_words(self, other: Lane) -> Lane {
        Lane(core::array::from_fn(|i| self.0[i].wrapping_add(other.0[i])))
    }

    /// Rotates each word to the left.
    #[inline(always)]
    pub fn rotate_words<const BITS: u32>(self) -> Lane {
        Lane(self.0.map(|word| word.rotate_left(BITS)))
    }

    /// Four of the eight words of two lanes; those of the second count from 4.
    #[inline(always)]
    pub fn pick<const A: usize, const B: usize, const C: usize, const D: usize>(self, other: Lane) -> Lane {
        Lane([A, B, C, D].map(|word| if word < 4 { self.0[word] } else { other.0[word - 4] }))
    }

    /// Sum of each word as an f32.
    #[inline(always)]
    pub fn add_floats(self, other: Lane) -> Lane {
        Lane(core::array::from_fn(|i| (f32::from_bits(self.0[i]) + f32::from_bits(other.0[i])).to_bits()))
    }

    /// Difference of each word as an f32.
    #[inline(always)]
    pub fn sub_floats(self, other: Lane) -> Lane {
        Lane(core::array::from_fn(|i| (f32::from_bits(self.0[i]) - f32::from_bits(other.0[i])).to_bits()))
    }

    /// Eight signed bytes as halves of the words.
    #[inline(always)]
    pub fn widened(bytes: [i8; 8]) -> Lane {
        let half = |i: usize| u32::from(i16::from(bytes[i]) as u16);
        Lane(core::array::from_fn(|i| half(2 * i) | half(2 * i + 1) << 16))
    }

    /// In each word the sum of the products of both signed halves, as an i32.
    #[inline(always)]
    pub fn multiply_halves(self, other: Lane) -> Lane {
        let product = |a: u32, b: u32| i32::from(a as i16) * i32::from(b as i16);
        Lane(core::array::from_fn(|i| {
            let (a, b) = (self.0[i], other.0[i]);
            product(a, b).wrapping_add(product(a >> 16, b >> 16)) as u32
        }))
    }

    /// A bit for each word that is over zero as an i32.
    #[inline(always)]
    pub fn positive_words(self) -> u32 {
        (0..4).map(|i| u32::from(self.0[i] as i32 > 0) << i).sum()
    }

    /// A bit for each word that is zero.
    #[inline(always)]
    pub fn zero_words(self) -> u32 {
        (0..4).map(|i| u32::from(self.0[i] == 0) << i).sum()
    }

    /// Bit `bit` of each word.
    #[inline(always)]
    pub fn bits(self, bit: u32) -> u32 {
        (0..4).map(|i| (self.0[i] >> bit & 1) << i).sum()
    }

    /// A bit for each word that is over zero as an f32.
    #[inline(always)]
    pub fn positive_floats(self) -> u32 {
        (0..4).map(|i| u32::from(f32::from_bits(self.0[i]) > 0.0) << i).sum()
    }

    /// A bit for each word that is zero as an f32.
    #[inline(always)]
    pub fn zero_floats(self) -> u32 {
        (0..4).map(|i| u32::from(f32::from_bits(self.0[i]) == 0.0) << i).sum()
    }

    /// Four lanes as a 4 × 4 matrix of words, with rows and columns exchanged.
    #[inline(always)]
    pub fn transpose(rows: [Lane; 4]) -> [Lane; 4] {
        core::array::from_fn(|i| Lane(core::array::from_fn(|j| rows[j].0[i])))
    }
}

impl BitAnd for Lane {
    type Output = Lane;
    #[inline(always)]
    fn bitand(self, other: Lane) -> Lane {
        Lane(core::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl BitOr for Lane {
    type Output = Lane;
    #[inline(always)]
    fn bitor(self, other: Lane) -> Lane {
        Lane(core::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl BitXor for Lane {
    type Output = Lane;
    #[inline(always)]
    fn bitxor(self, other: Lane) -> Lane {
        Lane(core::array::from_fn(|i| self.0[i] ^ other.0[i]))
    }
}

impl Not for Lane {
    type Output = Lane;
    #[inline(always)]
    fn not(self) -> Lane {
        Lane(self.0.map(|word| !word))
    }
}

/// Counts set bits.
#[derive(Clone, Copy)]
pub struct Tally(u32);

impl Tally {
    pub const EMPTY: Tally = Tally(0);

    #[inline(always)]
    pub fn add(&mut self, lane: Lane) {
        self.0 += lane.0.iter().map(|word| word.count_ones()).sum::<u32>();
    }

    #[inline(always)]
    pub fn total(self) -> u32 {
        self.0
    }
}

/// The square root.
pub fn root(value: f64) -> f64 {
    value.sqrt()
}

/// The next whole number that is not greater.
pub fn floor(value: f64) -> f64 {
    value.floor()
}
