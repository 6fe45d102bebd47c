use crate::{LEAST_WEIGHT, MAX_TAG_LINKS};
use alloc::vec;
use alloc::vec::Vec;

/// Two hashes of tags (low, high, low, high), the bits of the weight, how often, and the two halves of when.
pub type Link = [u32; 8];
type Key = [u32; 4];

const WEIGHT: usize = 4;
/// Places at first.
const FIRST: usize = 64;

/// Links of two tags: open addressing with linear probing, at most half full. A place without weight is free.
pub struct TagTable {
    /// Words of a place: 8, and what is left free.
    words: usize,
    places: Vec<u32>,
    size: usize,
}

fn key_of(link: &[u32]) -> Key {
    [link[0], link[1], link[2], link[3]]
}

fn mixed([a_low, a_high, b_low, b_high]: Key) -> u32 {
    let mut x = a_low ^ a_high.wrapping_mul(0x9e37_79b1);
    x = (x ^ (x >> 15)).wrapping_mul(0x85eb_ca77) ^ b_low;
    x = (x ^ (x >> 13)).wrapping_mul(0xc2b2_ae3d) ^ b_high;
    x = (x ^ (x >> 16)).wrapping_mul(0x9e37_79b1);
    x ^ (x >> 15)
}

/// The order in which links go: by weight, then by hash.
fn rank_of(link: &[u32]) -> u64 {
    u64::from(link[WEIGHT]) << 32 | u64::from(mixed(key_of(link)))
}

impl TagTable {
    /// Without a link; of so many bytes each, 32 or more.
    pub fn new(bytes: usize) -> TagTable {
        TagTable { words: bytes / 4, places: Vec::new(), size: 0 }
    }

    /// Links.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.places.len() * 4
    }

    fn capacity(&self) -> usize {
        self.places.len() / self.words
    }

    fn place(&self, at: usize) -> &[u32] {
        &self.places[at * self.words..(at + 1) * self.words]
    }

    /// Where a link is, or the free place where it would be.
    fn find(&self, key: Key) -> usize {
        let mut at = mixed(key) as usize;
        loop {
            at &= self.capacity() - 1;
            let place = self.place(at);
            if place[WEIGHT] == 0 || key_of(place) == key {
                return at;
            }
            at += 1;
        }
    }

    /// The link with these hashes.
    pub fn get(&self, key: Key) -> Option<&[u32]> {
        if self.size == 0 {
            return None;
        }
        Some(&self.place(self.find(key))[..8]).filter(|link| link[WEIGHT] > 0)
    }

    /// Adds a link with a weight, or gives one other numbers.
    pub fn set(&mut self, link: &Link) {
        if self.get(key_of(link)).is_none() {
            if self.size == MAX_TAG_LINKS {
                self.evict(MAX_TAG_LINKS / 16);
            }
            if 2 * self.size >= self.capacity() {
                let places = vec![0; (2 * self.capacity()).max(FIRST) * self.words];
                for moved in core::mem::replace(&mut self.places, places).chunks_exact(self.words) {
                    if moved[WEIGHT] > 0 {
                        self.put(moved);
                    }
                }
            }
            self.size += 1;
        }
        self.put(link);
    }

    fn put(&mut self, link: &[u32]) {
        let start = self.find(key_of(link)) * self.words;
        self.places[start..start + link.len()].copy_from_slice(link);
    }

    /// Whether there was one.
    pub fn remove(&mut self, key: Key) -> bool {
        if self.get(key).is_none() {
            return false;
        }
        let last = self.capacity() - 1;
        let mut hole = self.find(key);
        let mut at = hole;
        loop {
            at = (at + 1) & last;
            let place = self.place(at);
            if place[WEIGHT] == 0 {
                break;
            }
            // A link is looked for from its hash on: the hole must not lie between (Knuth, algorithm R).
            let distance = at.wrapping_sub(mixed(key_of(place)) as usize) & last;
            if distance >= at.wrapping_sub(hole) & last {
                self.places.copy_within(at * self.words..(at + 1) * self.words, hole * self.words);
                hole = at;
            }
        }
        self.places[hole * self.words..(hole + 1) * self.words].fill(0);
        self.size -= 1;
        true
    }

    /// Links one after the other, of a tag as the first (bit 0) or second (bit 1) of two; all where `side` is 0.
    pub fn links(&self, low: u32, high: u32, side: u32) -> Vec<u32> {
        let mut links = Vec::new();
        for link in self.places.chunks_exact(self.words) {
            let is = |at: usize| link[at] == low && link[at + 1] == high;
            if link[WEIGHT] > 0 && (side == 0 || side & 1 > 0 && is(0) || side & 2 > 0 && is(2)) {
                links.extend_from_slice(&link[..8]);
            }
        }
        links
    }

    /// Multiplies all weights.
    pub fn decay(&mut self, factor: f32) {
        let links = self.links(0, 0, 0);
        for link in links.as_chunks::<8>().0 {
            let weight = f32::from_bits(link[WEIGHT]) * factor;
            if weight < LEAST_WEIGHT {
                self.remove(key_of(link));
            } else {
                let start = self.find(key_of(link)) * self.words;
                self.places[start + WEIGHT] = weight.to_bits();
            }
        }
    }

    /// Removes the `count` weakest links, and those of the same rank as the last of them.
    fn evict(&mut self, count: usize) {
        // A radix selection: eight bits of the rank at a time, from the highest on.
        let (mut prefix, mut left) = (0u64, count);
        for shift in (0..64).step_by(8).rev() {
            let mut counts = [0usize; 256];
            for link in self.places.chunks_exact(self.words).filter(|link| link[WEIGHT] > 0) {
                let rank = rank_of(link) >> shift;
                if rank >> 8 == prefix {
                    counts[(rank & 255) as usize] += 1;
                }
            }
            let mut byte = 0;
            while left > counts[byte] {
                left -= counts[byte];
                byte += 1;
            }
            prefix = prefix << 8 | byte as u64;
        }
        let links = self.links(0, 0, 0);
        for link in links.as_chunks::<8>().0 {
            if rank_of(link) <= prefix {
                self.remove(key_of(link));
            }
        }
    }
}
