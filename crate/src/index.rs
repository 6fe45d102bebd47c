//! Numbers by their hashes.

use alloc::vec;
use alloc::vec::Vec;

/// A place without a number.
const NONE: u32 = u32::MAX;
/// Places that there are at first.
const FIRST: usize = 64;

/// A hash table of numbers below 2³² − 1; what they stand for is kept by the caller, who also knows their hashes. Open
/// addressing with linear probing, at most half full (Knuth, The Art of Computer Programming, 6.4, algorithms L and R).
#[derive(Default)]
pub struct Index {
    /// A power of two of places, or none.
    places: Vec<u32>,
    count: usize,
}

impl Index {
    /// The number with this hash for which `is` answers true.
    pub fn find(&self, hash: u32, is: impl Fn(u32) -> bool) -> Option<u32> {
        let mut at = hash as usize;
        while !self.places.is_empty() {
            let number = self.places[at & (self.places.len() - 1)];
            if number == NONE {
                break;
            }
            if is(number) {
                return Some(number);
            }
            at += 1;
        }
        None
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        4 * self.places.len()
    }

    /// Adds a number that is not there. `hash_of` gives the hash of every number.
    pub fn insert(&mut self, number: u32, hash_of: impl Fn(u32) -> u32) {
        if 2 * self.count >= self.places.len() {
            let places = vec![NONE; (2 * self.places.len()).max(FIRST)];
            for moved in core::mem::replace(&mut self.places, places) {
                if moved != NONE {
                    self.put(moved, hash_of(moved));
                }
            }
        }
        self.put(number, hash_of(number));
        self.count += 1;
    }

    fn put(&mut self, number: u32, hash: u32) {
        let last = self.places.len() - 1;
        let mut at = hash as usize & last;
        while self.places[at] != NONE {
            at = (at + 1) & last;
        }
        self.places[at] = number;
    }

    /// Removes a number that is there, with the hash that it was added by. `hash_of` gives the hash of every other number.
    pub fn remove(&mut self, number: u32, hash: u32, hash_of: impl Fn(u32) -> u32) {
        let last = self.places.len() - 1;
        let mut hole = hash as usize & last;
        while self.places[hole] != number {
            hole = (hole + 1) & last;
        }
        let mut at = hole;
        loop {
            at = (at + 1) & last;
            let next = self.places[at];
            if next == NONE {
                break;
            }
            // A number is looked for from its hash on: the hole must not lie between.
            let distance = at.wrapping_sub(hash_of(next) as usize) & last;
            if distance >= at.wrapping_sub(hole) & last {
                self.places[hole] = next;
                hole = at;
            }
        }
        self.places[hole] = NONE;
        self.count -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small range, so that many numbers have the same hash, and the last places are followed by the first.
    fn hash_of(number: u32) -> u32 {
        number % 7 + FIRST as u32 - 4
    }

    #[test]
    fn an_index_finds_what_was_added_and_not_removed_among_numbers_of_the_same_hash() {
        let mut index = Index::default();
        let mut held = vec![false; 500];
        let mut state = 1u32;
        for _ in 0..20_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let number = (state >> 16) % 500;
            if held[number as usize] {
                index.remove(number, hash_of(number), hash_of);
            } else {
                index.insert(number, hash_of);
            }
            held[number as usize] = !held[number as usize];
            let asked = (state >> 8) % 500;
            let found = index.find(hash_of(asked), |other| other == asked);
            assert_eq!(found, held[asked as usize].then_some(asked));
        }
        assert_eq!(index.count, held.iter().filter(|&&held| held).count());
    }
}
