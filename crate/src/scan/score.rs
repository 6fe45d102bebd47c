use crate::hypervector::{Hypervector, LANES};
use crate::lanes::{Lane, Tally};
use crate::query::{PLANES, Query};
use alloc::vec::Vec;

/// Rows that are fetched together before they are scored.
const AHEAD: usize = 8;

/// A query ready to be scored against rows.
pub struct Scoring<'a> {
    signs: &'a Hypervector,
    magnitudes: Magnitudes<'a>,
    highest: i32,
}

enum Magnitudes<'a> {
    /// 1 at all dimensions.
    One,
    /// 1 at those of a plane, 0 elsewhere.
    Some(&'a Hypervector),
    Planes(&'a [Hypervector; PLANES]),
}

impl<'a> Scoring<'a> {
    pub fn of(query: &'a Query) -> Scoring<'a> {
        let magnitudes = match &query.planes {
            None => Magnitudes::One,
            Some(planes) if planes[1..].iter().all(|plane| plane.ones() == 0) => Magnitudes::Some(&planes[0]),
            Some(planes) => Magnitudes::Planes(planes),
        };
        Scoring { signs: &query.signs, magnitudes, highest: query.highest() }
    }

    /// The score of a row: all magnitudes, less twice those of the dimensions in which it differs.
    #[inline(never)]
    pub fn score(&self, row: &Hypervector) -> i32 {
        let differ = |i: usize| row.lanes[i] ^ self.signs.lanes[i];
        let differing = match self.magnitudes {
            Magnitudes::One => count(differ),
            Magnitudes::Some(plane) => count(|i| differ(i) & plane.lanes[i]),
            Magnitudes::Planes(planes) => weigh(differ, planes),
        };
        self.highest - 2 * differing as i32
    }

    /// The scores of rows that lie anywhere in memory.
    #[inline(never)]
    pub fn scores(&self, rows: &[&Hypervector]) -> Vec<i32> {
        let mut scores = Vec::with_capacity(rows.len());
        for rows in rows.chunks(AHEAD) {
            fetch(rows);
            scores.extend(rows.iter().map(|row| self.score(row)));
        }
        scores
    }
}

/// The magnitudes, added up, of the bits that are set in the lanes of a hypervector.
#[inline(always)]
fn weigh(lane: impl Fn(usize) -> Lane, planes: &[Hypervector; PLANES]) -> u32 {
    let mut total = [0; PLANES];
    for i in (0..LANES).step_by(16) {
        let mut tallies = [Tally::EMPTY; PLANES];
        for j in i..i + 16 {
            let lane = lane(j);
            for p in 0..PLANES {
                tallies[p].add(lane & planes[p].lanes[j]);
            }
        }
        for p in 0..PLANES {
            total[p] += tallies[p].total();
        }
    }
    total.iter().enumerate().map(|(p, total)| total << p).sum()
}

/// Bits that are set in the lanes of a hypervector, by carry-save addition: eight lanes are added into counters of four
/// bits a place, so that only one lane in eight has its bits counted.
#[inline(always)]
fn count(lane: impl Fn(usize) -> Lane) -> u32 {
    let (mut ones, mut twos, mut fours) = (Lane::ZERO, Lane::ZERO, Lane::ZERO);
    let mut eights = Tally::EMPTY;
    for i in (0..LANES).step_by(8) {
        let at = |j: usize| lane(i + j);
        let a = Lane::full_add(&mut ones, at(0), at(1));
        let b = Lane::full_add(&mut ones, at(2), at(3));
        let c = Lane::full_add(&mut twos, a, b);
        let a = Lane::full_add(&mut ones, at(4), at(5));
        let b = Lane::full_add(&mut ones, at(6), at(7));
        let d = Lane::full_add(&mut twos, a, b);
        eights.add(Lane::full_add(&mut fours, c, d));
    }
    8 * eights.total() + 4 * set(fours) + 2 * set(twos) + set(ones)
}

/// Brings rows that lie anywhere in memory into the cache. Scored one after the other each would be waited for; so the
/// processor fetches all of them at the same time.
#[inline(always)]
fn fetch(rows: &[&Hypervector]) {
    /// Lanes of a line of the cache, 64 bytes.
    const LINE: usize = 4;
    let lines = rows.iter().flat_map(|row| row.lanes.iter().step_by(LINE));
    core::hint::black_box(lines.fold(Lane::ZERO, |touched, &lane| touched ^ lane).any());
}

#[inline(always)]
fn set(lane: Lane) -> u32 {
    let mut tally = Tally::EMPTY;
    tally.add(lane);
    tally.total()
}
