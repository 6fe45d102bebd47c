//! Texts of known words: the features of a word are named once, and their hypervectors kept.

use crate::blake3::hash;
use crate::counter::Counter;
use crate::hypervector::Hypervector;
use crate::index::Index;
use crate::prng::{fill_from_seed, tie};
use crate::sort::sort;
use alloc::vec::Vec;

/// Hypervectors of features of words that are kept, 16 MiB: nearly all that a language needs.
const FEATURES: usize = 16 * 1024;
/// Hypervectors of pairs of words that are kept, 8 MiB, apart from the others: most pairs never come back.
const PAIRS: usize = 8 * 1024;
const NOWHERE: u32 = u32::MAX;

/// Something that words have, by the hash of its name.
struct Feature {
    seed: [u8; 32],
    weight: u32,
    /// Where its hypervector is kept, or [`NOWHERE`].
    place: u32,
    /// The last text that it was counted in.
    text: u32,
}

/// Where a word's spelling ends, and its features.
struct Word {
    spelling: usize,
    features: usize,
}

/// Words by number, each with its features.
pub struct Lexicon {
    words: Vec<Word>,
    spellings: Vec<u8>,
    /// The features of the words, one word after the other.
    members: Vec<u32>,
    features: Vec<Feature>,
    /// The features by their seeds.
    by_seed: Index,
    kept: Kept,
    /// The places of the pairs that are kept.
    pairs: Index,
    kept_pairs: Kept,
    text: u32,
    /// Of no text, between texts: its memory is used again.
    sum: Sum,
    side_by_side: Vec<u64>,
}

impl Default for Lexicon {
    fn default() -> Lexicon {
        Lexicon::new()
    }
}

impl Lexicon {
    /// Without a word.
    pub fn new() -> Lexicon {
        Lexicon::keeping(FEATURES, PAIRS)
    }

    /// One that keeps so many hypervectors of features of words, and of pairs; at least one of each.
    pub fn keeping(features: usize, pairs: usize) -> Lexicon {
        Lexicon {
            words: Vec::new(),
            spellings: Vec::new(),
            members: Vec::new(),
            features: Vec::new(),
            by_seed: Index::default(),
            kept: Kept::new(features),
            pairs: Index::default(),
            kept_pairs: Kept::new(pairs),
            text: 0,
            sum: Sum::default(),
            side_by_side: Vec::new(),
        }
    }

    /// Enters a word with the names and weights of its features; answers its number, counted from 0.
    pub fn add<'a>(&mut self, word: &[u8], features: impl Iterator<Item = (&'a [u8], u32)>) -> u32 {
        self.spellings.extend_from_slice(word);
        for (name, weight) in features {
            let seed = hash(name);
            let known = self.by_seed.find(hash_of_seed(&seed), |other| self.features[other as usize].seed == seed);
            let feature = known.unwrap_or_else(|| {
                let next = self.features.len() as u32;
                self.features.push(Feature { seed, weight, place: NOWHERE, text: 0 });
                self.by_seed.insert(next, |other| hash_of_seed(&self.features[other as usize].seed));
                next
            });
            self.members.push(feature);
        }
        self.words.push(Word { spelling: self.spellings.len(), features: self.members.len() });
        self.words.len() as u32 - 1
    }

    /// The signature of a text: its words by number. Each feature counts once, as does each `pair:FIRST SECOND` of
    /// words that stand side by side.
    pub fn signature(&mut self, text: &[u32]) -> Hypervector {
        let mut sum = core::mem::take(&mut self.sum);
        self.text += 1;
        for &word in text {
            for member in self.features_of(word) {
                let feature = self.members[member] as usize;
                if self.features[feature].text != self.text {
                    self.features[feature].text = self.text;
                    let place = self.place(feature, &mut sum);
                    sum.add(place, self.features[feature].weight, &self.kept);
                }
            }
        }
        sum.settle(&self.kept);
        let mut pairs = core::mem::take(&mut self.side_by_side);
        pairs.extend(text.windows(2).map(|pair| u64::from(pair[0]) << 32 | u64::from(pair[1])));
        sort(&mut pairs);
        pairs.dedup();
        for &pair in &pairs {
            let place = self.pair_place(pair, &mut sum);
            sum.add(place, 1, &self.kept_pairs);
        }
        sum.settle(&self.kept_pairs);
        let signature = sum.counter.threshold(tie());
        sum.counter.clear();
        self.sum = sum;
        pairs.clear();
        self.side_by_side = pairs;
        signature
    }

    /// [`Lexicon::signature`] of several texts: `ends[i]` is after the last word of text `i`, where those of the next begin.
    pub fn signatures<'a>(&mut self, words: &'a [u32], ends: &'a [u32]) -> impl Iterator<Item = Hypervector> {
        let mut start = 0;
        ends.iter().map(move |&end| self.signature(&words[core::mem::replace(&mut start, end as usize)..end as usize]))
    }

    fn features_of(&self, word: u32) -> core::ops::Range<usize> {
        let start = if word == 0 { 0 } else { self.words[word as usize - 1].features };
        start..self.words[word as usize].features
    }

    fn spelling_of(&self, word: u32) -> &[u8] {
        let start = if word == 0 { 0 } else { self.words[word as usize - 1].spelling };
        &self.spellings[start..self.words[word as usize].spelling]
    }

    fn place(&mut self, feature: usize, sum: &mut Sum) -> u32 {
        let Feature { seed, place, .. } = self.features[feature];
        if place != NOWHERE {
            self.kept.used[place as usize] = true;
            return place;
        }
        let (place, evicted) = self.kept.keep(feature as u64, sum);
        fill_from_seed(&seed, &mut self.kept.vectors[place as usize]);
        if let Some(evicted) = evicted {
            self.features[evicted as usize].place = NOWHERE;
        }
        self.features[feature].place = place;
        place
    }

    fn pair_place(&mut self, pair: u64, sum: &mut Sum) -> u32 {
        if let Some(place) = self.pairs.find(hash_of_pair(pair), |other| self.kept_pairs.owners[other as usize] == pair)
        {
            self.kept_pairs.used[place as usize] = true;
            return place;
        }
        let name = [b"pair:", self.spelling_of((pair >> 32) as u32), b" ", self.spelling_of(pair as u32)].concat();
        let (place, evicted) = self.kept_pairs.keep(pair, sum);
        fill_from_seed(&hash(&name), &mut self.kept_pairs.vectors[place as usize]);
        let hash_of = |other: u32| hash_of_pair(self.kept_pairs.owners[other as usize]);
        if let Some(evicted) = evicted {
            self.pairs.remove(place, hash_of_pair(evicted), hash_of);
        }
        self.pairs.insert(place, hash_of);
        place
    }
}

/// A seed is a hash already.
fn hash_of_seed(seed: &[u8; 32]) -> u32 {
    u32::from_le_bytes([seed[0], seed[1], seed[2], seed[3]])
}

/// The upper half of the product with 2⁶⁴ divided by the golden ratio (Knuth, The Art of Computer Programming, 6.4).
fn hash_of_pair(pair: u64) -> u32 {
    (pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

/// What of a text is counted, and what waits to be counted eight at a time, by level: kept at these places.
#[derive(Default)]
struct Sum {
    counter: Counter,
    waiting: Vec<Vec<u32>>,
}

impl Sum {
    #[inline(always)]
    fn add(&mut self, place: u32, weight: u32, kept: &Kept) {
        let mut bits = weight;
        while bits != 0 {
            let level = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            while self.waiting.len() <= level {
                self.waiting.push(Vec::with_capacity(8));
            }
            self.waiting[level].push(place);
            if self.waiting[level].len() == 8 {
                self.count(level, kept);
            }
        }
    }

    fn count(&mut self, level: usize, kept: &Kept) {
        let waiting = &mut self.waiting[level];
        if waiting.is_empty() {
            return;
        }
        let eight =
            core::array::from_fn(|i| waiting.get(i).map_or(&Hypervector::ZERO, |&at| &kept.vectors[at as usize]));
        self.counter.add_eight(eight, waiting.len() as u32, level);
        waiting.clear();
    }

    fn waits_for(&self, place: u32) -> bool {
        self.waiting.iter().any(|places| places.contains(&place))
    }

    /// Counts what waits.
    fn settle(&mut self, kept: &Kept) {
        for level in 0..self.waiting.len() {
            self.count(level, kept);
        }
    }
}

/// Hypervectors that were made, up to a limit. Then one that was not used since the hand last came by makes room (the
/// clock algorithm, Corbató 1968): what is used once never drives out what is used often.
struct Kept {
    vectors: Vec<Hypervector>,
    owners: Vec<u64>,
    used: Vec<bool>,
    hand: usize,
    limit: usize,
}

impl Kept {
    fn new(limit: usize) -> Kept {
        Kept { vectors: Vec::new(), owners: Vec::new(), used: Vec::new(), hand: 0, limit }
    }

    /// Where it is to be written, and whose place it takes. What `sum` waits for stays until it is counted.
    fn keep(&mut self, owner: u64, sum: &mut Sum) -> (u32, Option<u64>) {
        let place = self.vectors.len();
        // With no memory to be had, what is there must do.
        if place == 0 || place < self.limit && self.vectors.try_reserve(1).is_ok() {
            self.vectors.push(Hypervector::ZERO);
            self.owners.push(owner);
            self.used.push(false);
            return (place as u32, None);
        }
        self.limit = place;
        while core::mem::take(&mut self.used[self.hand]) {
            self.hand = (self.hand + 1) % self.limit;
        }
        let place = self.hand;
        self.hand = (self.hand + 1) % self.limit;
        if sum.waits_for(place as u32) {
            sum.settle(self);
        }
        (place as u32, Some(core::mem::replace(&mut self.owners[place], owner)))
    }
}
