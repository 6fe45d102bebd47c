//! XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03): ChaCha20 on the vector unit, Poly1305 of RustCrypto.

use crate::chacha::{SIGMA, four_blocks, twenty_rounds};
use crate::lanes::Lane;
use poly1305::universal_hash::KeyInit;
use poly1305::{Key, Poly1305};

/// Bytes of a tag.
pub const TAG: usize = 16;
/// Bytes of four blocks of the key stream.
const PIECE: usize = 256;
/// Bytes of the first block, which makes the key of the tag.
const BLOCK: usize = 64;

/// Encrypts `text` where it lies; answers its tag. A nonce must never be used twice with a key.
pub fn seal(key: &[u8; 32], nonce: &[u8; 24], associated: &[u8], text: &mut [u8]) -> [u8; TAG] {
    let mut stream = Stream::new(key, nonce);
    let poly = stream.poly_key();
    stream.apply(text);
    tag(&poly, associated, text)
}

/// Decrypts `text` where it lies if the tag fits; otherwise it stays as it is, and the answer is false.
pub fn open(key: &[u8; 32], nonce: &[u8; 24], associated: &[u8], text: &mut [u8], sealed: &[u8; TAG]) -> bool {
    let mut stream = Stream::new(key, nonce);
    let expected = tag(&stream.poly_key(), associated, text);
    // All bytes are compared whatever the first ones are.
    let differ = expected.iter().zip(sealed).fold(0, |differ, (a, b)| differ | (a ^ b));
    if differ != 0 {
        return false;
    }
    stream.apply(text);
    true
}

/// The key stream of a key and a nonce.
struct Stream {
    state: [u32; 16],
    /// What was made of it last; the first 64 bytes are the key of the tag.
    piece: [u8; PIECE],
}

impl Stream {
    fn new(key: &[u8; 32], nonce: &[u8; 24]) -> Stream {
        let mut state = [0; 16];
        state[..4].copy_from_slice(&SIGMA);
        words_of(&nonce[..16], &mut state[12..]);
        words_of(key, &mut state[4..12]);
        // HChaCha20: the first and the last row after the rounds are the key.
        let mut rounds = state.map(|word| Lane::from_words([word; 4]));
        twenty_rounds(&mut rounds);
        for i in 0..4 {
            state[4 + i] = rounds[i].words()[0];
            state[8 + i] = rounds[12 + i].words()[0];
        }
        (state[12], state[13]) = (0, 0);
        words_of(&nonce[16..], &mut state[14..]);
        let mut stream = Stream { state, piece: [0; PIECE] };
        stream.next();
        stream
    }

    fn poly_key(&self) -> [u8; 32] {
        core::array::from_fn(|i| self.piece[i])
    }

    /// The next four blocks.
    fn next(&mut self) {
        let first = self.state[12];
        let mut state = self.state.map(|word| Lane::from_words([word; 4]));
        state[12] = Lane::from_words([first, first + 1, first + 2, first + 3]);
        let mut lanes = [Lane::ZERO; 16];
        four_blocks(state, &mut lanes);
        for (bytes, lane) in self.piece.chunks_exact_mut(16).zip(lanes) {
            for (bytes, word) in bytes.chunks_exact_mut(4).zip(lane.words()) {
                bytes.copy_from_slice(&word.to_le_bytes());
            }
        }
        self.state[12] += 4;
    }

    /// Adds the stream from its second block on to a text.
    fn apply(&mut self, text: &mut [u8]) {
        let (first, rest) = text.split_at_mut(text.len().min(PIECE - BLOCK));
        add(first, &self.piece[BLOCK..]);
        for bytes in rest.chunks_mut(PIECE) {
            self.next();
            add(bytes, &self.piece);
        }
    }
}

fn add(text: &mut [u8], stream: &[u8]) {
    for (byte, key) in text.iter_mut().zip(stream) {
        *byte ^= key;
    }
}

fn words_of(bytes: &[u8], words: &mut [u32]) {
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(4)) {
        *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
}

/// The tag of RFC 8439, section 2.8.
fn tag(key: &[u8; 32], associated: &[u8], text: &[u8]) -> [u8; TAG] {
    use poly1305::universal_hash::UniversalHash;
    let mut poly = Poly1305::new(&Key::from(*key));
    poly.update_padded(associated);
    poly.update_padded(text);
    let mut lengths = [0; 16];
    lengths[..8].copy_from_slice(&(associated.len() as u64).to_le_bytes());
    lengths[8..].copy_from_slice(&(text.len() as u64).to_le_bytes());
    poly.update_padded(&lengths);
    poly.finalize().into()
}
