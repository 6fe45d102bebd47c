use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// A slot and its score. Greater is worse: lower score, or the same and a higher slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The slot.
    pub slot: u32,
    /// Its score.
    pub score: i32,
}

impl Ord for Hit {
    fn cmp(&self, other: &Hit) -> Ordering {
        other.score.cmp(&self.score).then(self.slot.cmp(&other.slot))
    }
}

impl PartialOrd for Hit {
    fn partial_cmp(&self, other: &Hit) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The `k` best of a stream of hits, the worst of them on top of a heap.
pub struct TopK {
    k: usize,
    heap: BinaryHeap<Hit>,
    /// What a score must reach to be looked at.
    floor: i32,
}

impl TopK {
    /// Of so many.
    pub fn new(k: usize) -> TopK {
        TopK { k, heap: BinaryHeap::with_capacity(k), floor: if k == 0 { i32::MAX } else { i32::MIN } }
    }

    /// Keeps a hit if it is one of the best so far.
    #[inline(always)]
    pub fn offer(&mut self, hit: Hit) {
        if hit.score >= self.floor {
            self.keep(hit);
        }
    }

    fn keep(&mut self, hit: Hit) {
        if self.heap.len() < self.k {
            self.heap.push(hit);
        } else if let Some(mut worst) = self.heap.peek_mut()
            && hit < *worst
        {
            *worst = hit;
        }
        if self.heap.len() == self.k
            && let Some(worst) = self.heap.peek()
        {
            self.floor = worst.score;
        }
    }

    /// What a score must reach to be looked at; `None` where none can.
    pub fn floor(&self) -> Option<i32> {
        (self.k > 0).then_some(self.floor)
    }

    /// Best first.
    pub fn hits(self) -> Vec<Hit> {
        self.heap.into_sorted_vec()
    }
}
