//! The rounds of ChaCha20, on four blocks side by side.

use crate::lanes::Lane;

/// “expand 32-byte k”, the constants of ChaCha (RFC 8439, section 2.3).
pub const SIGMA: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];
/// Lanes of a block of 64 bytes.
pub const BLOCK_LANES: usize = 4;

/// Four blocks of the key stream: lane `i` of `start` holds word `i` of the state of each.
pub fn four_blocks(start: [Lane; 16], out: &mut [Lane]) {
    let mut s = start;
    twenty_rounds(&mut s);
    for i in (0..16).step_by(4) {
        let rows = core::array::from_fn(|j| s[i + j].add_words(start[i + j]));
        for (block, lane) in Lane::transpose(rows).into_iter().enumerate() {
            out[block * BLOCK_LANES + i / 4] = lane;
        }
    }
}

/// The permutation of ChaCha20, without the sum with the state before it.
#[inline(always)]
pub fn twenty_rounds(s: &mut [Lane; 16]) {
    for _ in 0..10 {
        quarter(s, 0, 4, 8, 12);
        quarter(s, 1, 5, 9, 13);
        quarter(s, 2, 6, 10, 14);
        quarter(s, 3, 7, 11, 15);
        quarter(s, 0, 5, 10, 15);
        quarter(s, 1, 6, 11, 12);
        quarter(s, 2, 7, 8, 13);
        quarter(s, 3, 4, 9, 14);
    }
}

#[inline(always)]
fn quarter(s: &mut [Lane; 16], a: usize, b: usize, c: usize, d: usize) {
    s[a] = s[a].add_words(s[b]);
    s[d] = (s[d] ^ s[a]).rotate_words::<16>();
    s[c] = s[c].add_words(s[d]);
    s[b] = (s[b] ^ s[c]).rotate_words::<12>();
    s[a] = s[a].add_words(s[b]);
    s[d] = (s[d] ^ s[a]).rotate_words::<8>();
    s[c] = s[c].add_words(s[d]);
    s[b] = (s[b] ^ s[c]).rotate_words::<7>();
}
