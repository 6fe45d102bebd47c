use crate::hypervector::{DIMENSION, WORDS};
use crate::query::{PLANES, Query};

/// How the scores of a block's signatures are counted from its columns, each read once at most.
///
/// The score of signature `x` is `Σ m − 2 · Σ_{q=1} m + 2 · Σ ±m·x`, with + where the query has a 1.
/// The last sum is `Σ_t Cₜ` for t = 15 … 1, where `Cₜ` is the signed count of ones at the dimensions
/// of magnitude t and more: every column is counted once, and the running count is added 15 times.
///
/// Of a binary query half of the columns need not be read: with |x|, the ones of a signature, the sum
/// is `2·Σ_{q=1} x − |x|`, or `|x| − 2·Σ_{q=0} x`, whichever has fewer columns.
pub struct Plan {
    pub steps: Vec<Step>,
    /// Whether |x| is added, or taken away.
    pub ones: Ones,
    /// The score of a signature whose sum is 0.
    base: i32,
}

/// Columns to add to the running count, and how often that is then added to the sum.
#[derive(Default)]
pub struct Step {
    pub positive: Vec<u16>,
    pub negative: Vec<u16>,
    pub times: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ones {
    Add,
    Subtract,
    Ignore,
}

/// What is added to the sums, so that none is below 0: no less than 15 · 8192.
pub const OFFSET: u32 = 1 << 17;

/// Binary queries that are counted together: more have too many classes of too few columns.
pub const TOGETHER: usize = 4;

/// The dimensions by which of the queries have a 1 there: bit `q` of the class.
pub fn classes(queries: &[&Query]) -> Vec<Vec<u16>> {
    let signs: Vec<_> = queries.iter().map(|query| query.signs.to_words()).collect();
    let mut classes = vec![Vec::new(); 1 << queries.len()];
    for d in 0..DIMENSION {
        let one = |(q, signs): (usize, &[u32; WORDS])| ((signs[d / 32] >> (d % 32) & 1) as usize) << q;
        classes[signs.iter().enumerate().map(one).sum::<usize>()].push(d as u16);
    }
    classes
}

impl Plan {
    pub fn of(query: &Query) -> Plan {
        let signs = query.signs.to_words();
        let one = |d: usize| signs[d / 32] >> (d % 32) & 1 == 1;
        let Some(planes) = &query.planes else { return Plan::of_signs(query, 0..DIMENSION as u16) };
        let planes: Vec<_> = planes.iter().map(|plane| plane.to_words()).collect();
        let mut steps: Vec<Step> = Vec::new();
        steps.resize_with(1 << PLANES, || Step { times: 1, ..Step::default() });
        let mut base = query.highest();
        for d in 0..DIMENSION {
            let magnitude = (0..PLANES).map(|p| (planes[p][d / 32] >> (d % 32) & 1) << p).sum::<u32>();
            let step = &mut steps[magnitude as usize];
            if one(d) {
                base -= 2 * magnitude as i32;
                step.positive.push(d as u16);
            } else {
                step.negative.push(d as u16);
            }
        }
        steps.remove(0);
        steps.reverse();
        Plan { steps, ones: Ones::Ignore, base }
    }

    /// As a binary query, at some dimensions.
    pub fn of_signs(query: &Query, dimensions: impl Iterator<Item = u16>) -> Plan {
        let signs = query.signs.to_words();
        let one = |d: &u16| signs[usize::from(*d) / 32] >> (d % 32) & 1 == 1;
        let (positive, negative): (Vec<_>, Vec<_>) = dimensions.partition(one);
        let base = negative.len() as i32 - positive.len() as i32;
        let few = positive.len() <= negative.len();
        let step = Step { times: 2, ..Step::default() };
        Plan {
            steps: vec![if few { Step { positive, ..step } } else { Step { negative, ..step } }],
            ones: if few { Ones::Subtract } else { Ones::Add },
            base,
        }
    }

    /// The score that a sum means.
    pub fn score(&self, sum: u32) -> i32 {
        self.base + 2 * (sum as i32 - OFFSET as i32)
    }

    /// The least sum whose score is not less than this.
    pub fn least(&self, score: i32) -> u32 {
        let half = (i64::from(score) - i64::from(self.base) + 1).div_euclid(2);
        (half + i64::from(OFFSET)).clamp(0, 2 * i64::from(OFFSET) - 1) as u32
    }
}
