use crate::hypervector::{DIMENSION, Hypervector, LANES, WORDS};
use crate::lanes::Lane;
use alloc::vec::Vec;

/// A weighted sum of hypervectors, counted in bit planes: plane `p` holds bit `p` of the count of
/// every dimension, so that one instruction counts in 128 dimensions at a time.
///
/// A plane adds two vectors at once with full adders (carry-save): a vector that comes alone waits
/// for the next. That makes one full adder a vector and set bit of its weight, whatever the number.
#[derive(Default)]
pub struct Counter {
    planes: Vec<Plane>,
    /// Sum of the absolute weights: the count that every dimension would have if all agreed on +1.
    total: u32,
}

struct Plane {
    count: Hypervector,
    waiting: Hypervector,
    waits: bool,
}

impl Plane {
    const EMPTY: Plane = Plane { count: Hypervector::ZERO, waiting: Hypervector::ZERO, waits: false };
}

impl Counter {
    /// A sum of nothing.
    pub fn new() -> Counter {
        Counter::default()
    }

    /// Adds `weight` times the vector. The absolute weights must add up to less than 2³¹.
    #[inline(never)]
    pub fn add(&mut self, vector: &Hypervector, weight: i32) {
        self.total += weight.unsigned_abs();
        // −w·x is w·(−x), and −x has every bit flipped.
        let flipped;
        let vector = if weight < 0 {
            flipped = vector.zip(vector, |lane, _| !lane);
            &flipped
        } else {
            vector
        };
        let mut bits = weight.unsigned_abs();
        while bits != 0 {
            self.add_at(bits.trailing_zeros() as usize, vector);
            bits &= bits - 1;
        }
    }

    fn add_at(&mut self, mut level: usize, vector: &Hypervector) {
        let mut carry = *vector;
        loop {
            while self.planes.len() <= level {
                self.planes.push(Plane::EMPTY);
            }
            let plane = &mut self.planes[level];
            if !plane.waits {
                plane.waiting = carry;
                plane.waits = true;
                return;
            }
            plane.waits = false;
            for i in 0..LANES {
                carry.lanes[i] = Lane::full_add(&mut plane.count.lanes[i], plane.waiting.lanes[i], carry.lanes[i]);
            }
            level += 1;
        }
    }

    /// Adds eight vectors `1 << level` times each, of which the last that are over `number` are [`Hypervector::ZERO`] and
    /// do not count. Seven full adders for eight vectors, with the planes in registers (Harley and Seal).
    #[inline(never)]
    pub fn add_eight(&mut self, vectors: [&Hypervector; 8], number: u32, level: usize) {
        while self.planes.len() < level + 3 {
            self.planes.push(Plane::EMPTY);
        }
        self.total += number << level;
        let [ones, twos, fours] = &mut self.planes[level..level + 3] else { unreachable!() };
        let (ones, twos, fours) = (&mut ones.count.lanes, &mut twos.count.lanes, &mut fours.count.lanes);
        let mut eights = Hypervector::ZERO;
        for i in 0..LANES {
            let [a, b, c, d, e, f, g, h] = vectors.map(|vector| vector.lanes[i]);
            let (mut one, mut two, mut four) = (ones[i], twos[i], fours[i]);
            let ab = Lane::full_add(&mut one, a, b);
            let cd = Lane::full_add(&mut one, c, d);
            let abcd = Lane::full_add(&mut two, ab, cd);
            let ef = Lane::full_add(&mut one, e, f);
            let gh = Lane::full_add(&mut one, g, h);
            let efgh = Lane::full_add(&mut two, ef, gh);
            eights.lanes[i] = Lane::full_add(&mut four, abcd, efgh);
            (ones[i], twos[i], fours[i]) = (one, two, four);
        }
        self.add_at(level + 3, &eights);
    }

    /// Adds what still waits, so that the planes alone hold the counts.
    fn settle(&mut self) {
        let mut carry = Hypervector::ZERO;
        for plane in &mut self.planes {
            let waiting = if plane.waits { plane.waiting } else { Hypervector::ZERO };
            plane.waits = false;
            for i in 0..LANES {
                carry.lanes[i] = Lane::full_add(&mut plane.count.lanes[i], waiting.lanes[i], carry.lanes[i]);
            }
        }
        self.planes.push(Plane { count: carry, ..Plane::EMPTY });
    }

    /// The bipolar sum of each dimension: its count less the count of those that disagree.
    #[inline(never)]
    pub fn sums(mut self) -> Vec<i32> {
        self.settle();
        let planes: Vec<_> = self.planes.iter().map(|plane| plane.count.to_words()).collect();
        let mut sums = Vec::with_capacity(DIMENSION);
        for word in 0..WORDS {
            let mut counts = [0u32; 32];
            for (p, plane) in planes.iter().enumerate().take(31) {
                for (bit, count) in counts.iter_mut().enumerate() {
                    *count |= if plane[word] & 1 << bit == 0 { 0 } else { 1 << p };
                }
            }
            sums.extend(counts.map(|count| (2 * count).wrapping_sub(self.total) as i32));
        }
        sums
    }

    /// The signs of [`Counter::sums`] without the sums: counts are compared with half of the total,
    /// bit plane by bit plane from the lowest, each as soon as what waits is added to it. A zero takes the bit of `tie`.
    #[inline(never)]
    pub fn threshold(&self, tie: &Hypervector) -> Hypervector {
        let half = self.total / 2;
        // Of an odd total no count is half.
        let even = Lane::splat(self.total % 2 == 0);
        let mut signs = Hypervector::ZERO;
        for i in 0..LANES {
            let (mut carry, mut greater, mut equal) = (Lane::ZERO, Lane::ZERO, even & tie.lanes[i]);
            for (p, plane) in self.planes.iter().enumerate() {
                let mut count = plane.count.lanes[i];
                let waiting = if plane.waits { plane.waiting.lanes[i] } else { Lane::ZERO };
                carry = Lane::full_add(&mut count, waiting, carry);
                if half.checked_shr(p as u32).unwrap_or(0) & 1 == 1 {
                    (greater, equal) = (greater & count, equal & count);
                } else {
                    (greater, equal) = (greater | count, equal & !count);
                }
            }
            // What is carried out of the highest plane is more than half, unless that has a bit there.
            if half.checked_shr(self.planes.len() as u32).unwrap_or(0) & 1 == 1 {
                (greater, equal) = (greater & carry, equal & carry);
            } else {
                (greater, equal) = (greater | carry, equal & !carry);
            }
            signs.lanes[i] = greater | equal;
        }
        signs
    }

    /// Becomes a sum of nothing, and keeps its memory for the next one.
    pub fn clear(&mut self) {
        for plane in &mut self.planes {
            plane.count = Hypervector::ZERO;
            plane.waits = false;
        }
        self.total = 0;
    }
}
