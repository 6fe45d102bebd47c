use crate::hypervector::{Hypervector, LANES};
use crate::lanes::{Lane, Tally};
use crate::query::PLANES;

/// Dimensions in which two hypervectors differ, by carry-save addition: eight lanes are added into
/// counters of four bits a place, so that only one lane in eight has its bits counted.
#[inline(always)]
pub fn differing(row: &Hypervector, signs: &Hypervector) -> u32 {
    let (mut ones, mut twos, mut fours) = (Lane::ZERO, Lane::ZERO, Lane::ZERO);
    let mut eights = Tally::EMPTY;
    for i in (0..LANES).step_by(8) {
        let at = |j: usize| row.lanes[i + j] ^ signs.lanes[i + j];
        let a = Lane::full_add(&mut ones, at(0), at(1));
        let b = Lane::full_add(&mut ones, at(2), at(3));
        let c = Lane::full_add(&mut twos, a, b);
        let a = Lane::full_add(&mut ones, at(4), at(5));
        let b = Lane::full_add(&mut ones, at(6), at(7));
        let d = Lane::full_add(&mut twos, a, b);
        eights.add(Lane::full_add(&mut fours, c, d));
    }
    8 * eights.total() + 4 * count(fours) + 2 * count(twos) + count(ones)
}

/// The magnitudes, added up, of the dimensions in which a row differs from the signs.
#[inline(always)]
pub fn weighted_differing(row: &Hypervector, signs: &Hypervector, planes: &[Hypervector; PLANES]) -> u32 {
    let mut total = [0; PLANES];
    for i in (0..LANES).step_by(16) {
        let mut tallies = [Tally::EMPTY; PLANES];
        for j in i..i + 16 {
            let lane = row.lanes[j] ^ signs.lanes[j];
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

/// Brings rows that lie anywhere in memory into the cache. Scored one after the other each would be waited for; so the
/// processor fetches all of them at the same time.
pub fn fetch<'a>(rows: impl Iterator<Item = &'a Hypervector>) {
    /// Lanes of a line of the cache, 64 bytes.
    const LINE: usize = 4;
    let lines = rows.flat_map(|row| row.lanes.iter().step_by(LINE));
    core::hint::black_box(lines.fold(Lane::ZERO, |touched, &lane| touched ^ lane).any());
}

#[inline(always)]
fn count(lane: Lane) -> u32 {
    let mut tally = Tally::EMPTY;
    tally.add(lane);
    tally.total()
}
