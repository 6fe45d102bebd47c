//! Hypervectors from seeds and names.

use crate::blake3::hash;
use crate::chacha::{BLOCK_LANES, SIGMA, four_blocks};
use crate::hypervector::Hypervector;
use crate::lanes::Lane;
use alloc::boxed::Box;
use once_cell::race::OnceBox;

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
