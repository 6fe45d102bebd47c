//! The hash of names.

use crate::lanes::Lane;

const BLOCK: usize = 64;
const CHUNK: usize = 1024;
/// Chunks of a message of 2⁶⁴ bytes, halved until one is left.
const HEIGHT: usize = 54;

const IV: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];
const CHUNK_START: u32 = 1;
const CHUNK_END: u32 = 2;
const PARENT: u32 = 4;
const ROOT: u32 = 8;

/// BLAKE3 of a message, 32 bytes (O'Connor, Aumasson, Neves and Wilcox-O'Hearn 2020, section 2; no key).
pub fn hash(message: &[u8]) -> [u8; 32] {
    let node = if message.len() <= CHUNK { chunk(message, 0, ROOT) } else { tree(message) };
    let mut bytes = [0; 32];
    for (to, word) in bytes.chunks_exact_mut(4).zip(node) {
        to.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// The root of a message of several chunks.
#[inline(never)]
fn tree(message: &[u8]) -> [u32; 8] {
    // The subtrees on the left that are whole, one for each bit that is set in the number of chunks.
    let mut whole = [[0; 8]; HEIGHT];
    let mut held = 0;
    let chunks = message.len().div_ceil(CHUNK);
    for number in 0..chunks - 1 {
        let mut node = chunk(&message[number * CHUNK..][..CHUNK], number as u64, 0);
        let mut left = number + 1;
        while left % 2 == 0 {
            held -= 1;
            node = parent(whole[held], node, 0);
            left /= 2;
        }
        whole[held] = node;
        held += 1;
    }
    let root = |height: usize| if height == 0 { ROOT } else { 0 };
    let mut node = chunk(&message[(chunks - 1) * CHUNK..], chunks as u64 - 1, root(held));
    while held > 0 {
        held -= 1;
        node = parent(whole[held], node, root(held));
    }
    node
}

/// The chaining value of a chunk, of which no block or one is not full.
#[inline(never)]
fn chunk(bytes: &[u8], number: u64, root: u32) -> [u32; 8] {
    let blocks = bytes.len().div_ceil(BLOCK).max(1);
    let mut value = IV;
    for block in 0..blocks {
        let bytes = &bytes[block * BLOCK..];
        let bytes = &bytes[..bytes.len().min(BLOCK)];
        let mut padded = [0; BLOCK];
        padded[..bytes.len()].copy_from_slice(bytes);
        let mut words = [0; 16];
        for (word, bytes) in words.iter_mut().zip(padded.chunks_exact(4)) {
            *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        let first = if block == 0 { CHUNK_START } else { 0 };
        let last = if block + 1 == blocks { CHUNK_END | root } else { 0 };
        value = compress(value, words, number, bytes.len() as u32, first | last);
    }
    value
}

fn parent(left: [u32; 8], right: [u32; 8], root: u32) -> [u32; 8] {
    let mut words = [0; 16];
    words[..8].copy_from_slice(&left);
    words[8..].copy_from_slice(&right);
    compress(IV, words, 0, BLOCK as u32, PARENT | root)
}

/// The compression function with the four rows of its state in a lane each.
#[inline(never)]
fn compress(value: [u32; 8], words: [u32; 16], counter: u64, length: u32, flags: u32) -> [u32; 8] {
    let [a, b, c, d, e, f, g, h] = value;
    let mut rows = [
        Lane::from_words([a, b, c, d]),
        Lane::from_words([e, f, g, h]),
        Lane::from_words([IV[0], IV[1], IV[2], IV[3]]),
        Lane::from_words([counter as u32, (counter >> 32) as u32, length, flags]),
    ];
    // The words of the message in the order in which a round takes them: four for each half of the two mixings.
    let four = |a: usize| Lane::from_words([words[a], words[a + 2], words[a + 4], words[a + 6]]);
    let (mut a, mut b, mut c, mut d) = (four(0), four(1), four(8), four(9));
    for _ in 0..7 {
        mix(&mut rows, a, b);
        // The diagonals become the columns.
        rows = [rows[0], turn::<1, 2, 3, 0>(rows[1]), turn::<2, 3, 0, 1>(rows[2]), turn::<3, 0, 1, 2>(rows[3])];
        mix(&mut rows, c, d);
        rows = [rows[0], turn::<3, 0, 1, 2>(rows[1]), turn::<2, 3, 0, 1>(rows[2]), turn::<1, 2, 3, 0>(rows[3])];
        // The permutation 2 6 3 10 7 0 4 13 1 11 12 5 9 14 15 8 of the words.
        (a, b, c, d) = (
            a.pick::<1, 5, 7, 2>(b),
            a.pick::<3, 4, 0, 7>(c.pick::<1, 1, 6, 6>(d)),
            b.pick::<0, 6, 0, 6>(c).pick::<0, 1, 4, 7>(d),
            d.pick::<1, 6, 1, 6>(b).pick::<0, 1, 7, 4>(c),
        );
    }
    let ([a, b, c, d], [e, f, g, h]) = ((rows[0] ^ rows[2]).words(), (rows[1] ^ rows[3]).words());
    [a, b, c, d, e, f, g, h]
}

#[inline(always)]
fn turn<const A: usize, const B: usize, const C: usize, const D: usize>(row: Lane) -> Lane {
    row.pick::<A, B, C, D>(row)
}

/// The function G on the four columns of the state.
#[inline(always)]
fn mix([a, b, c, d]: &mut [Lane; 4], first: Lane, second: Lane) {
    *a = a.add_words(*b).add_words(first);
    *d = (*d ^ *a).rotate_words::<16>();
    *c = c.add_words(*d);
    *b = (*b ^ *c).rotate_words::<20>();
    *a = a.add_words(*b).add_words(second);
    *d = (*d ^ *a).rotate_words::<24>();
    *c = c.add_words(*d);
    *b = (*b ^ *c).rotate_words::<25>();
}
