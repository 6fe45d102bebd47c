//! Hypervectors from seeds and names.

use crate::blake3::hash;
use crate::hypervector::Hypervector;
use crate::lanes::Lane;
use alloc::boxed::Box;
use once_cell::race::OnceBox;

/// “expand 32-byte k”, the constants of ChaCha (RFC 8439, section 2.3).
const SIGMA: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];
const BLOCK_LANES: usize = 4;

/// The first 1024 bytes of the ChaCha20 key stream under this key, nonce 0, counter 0 (RFC 8439).
pub fn from_seed(seed: &[u8; 32]) -> Hypervector {
    let mut vector = Hypervector::ZERO;
    fill_from_seed(seed, &mut vector);
    vector
}

/// [`from_seed`] where the hypervector is to lie.
#[inline(never)]
pub fn fill_from_seed(seed: &[u8; 32], vector: &mut Hypervector) {
    let mut words = [0u32; 16];
    words[..4].copy_from_slice(&SIGMA);
    for (word, bytes) in words[4..12].iter_mut().zip(seed.chunks_exact(4)) {
        *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    for (group, lanes) in vector.lanes.chunks_exact_mut(4 * BLOCK_LANES).enumerate() {
        let mut state = words.map(|word| Lane::from_words([word; 4]));
        let first = 4 * group as u32;
        state[12] = Lane::from_words([first, first + 1, first + 2, first + 3]);
        four_blocks(state, lanes);
    }
}

/// [`from_seed`] of the BLAKE3 hash of the name.
pub fn from_name(name: &[u8]) -> Hypervector {
    from_seed(&hash(name))
}

/// The fixed random hypervector that breaks ties.
pub fn tie() -> &'static Hypervector {
    static TIE: OnceBox<Hypervector> = OnceBox::new();
    TIE.get_or_init(|| Box::new(from_name(b"agidb/tie")))
}

/// Four blocks side by side: lane `i` of the state holds word `i` of each.
fn four_blocks(start: [Lane; 16], out: &mut [Lane]) {
    let mut s = start;
    for _ in 0..10 {
        quarter(&mut s, 0, 4, 8, 12);
        quarter(&mut s, 1, 5, 9, 13);
        quarter(&mut s, 2, 6, 10, 14);
        quarter(&mut s, 3, 7, 11, 15);
        quarter(&mut s, 0, 5, 10, 15);
        quarter(&mut s, 1, 6, 11, 12);
        quarter(&mut s, 2, 7, 8, 13);
        quarter(&mut s, 3, 4, 9, 14);
    }
    for i in (0..16).step_by(4) {
        let rows = core::array::from_fn(|j| s[i + j].add_words(start[i + j]));
        for (block, lane) in Lane::transpose(rows).into_iter().enumerate() {
            out[block * BLOCK_LANES + i / 4] = lane;
        }
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
