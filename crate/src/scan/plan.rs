use super::sums::digits_for;
use crate::hypervector::DIMENSION;
use crate::query::{PLANES, Query};
use alloc::{vec, vec::Vec};

/// How the scores of a block's signatures are counted from its columns, each read once at most.
///
/// The score of signature `x` is `Σ m − 2 · Σ_{q=1} m + 2 · Σ ±m·x`, with + where the query has a 1.
/// The last sum is `Σ_t Cₜ` for t = 15 … 1, where `Cₜ` is the signed count of ones at the dimensions
/// of magnitude t and more: every column is counted once, and the running count is added 15 times; where no
/// dimension has a magnitude, or none that is greater, there is nothing to count, or nothing to add.
///
/// Of a binary query half of the columns need not be read: with |x|, the ones of a signature, the sum
/// is `2·Σ_{q=1} x − |x|`, or `|x| − 2·Σ_{q=0} x`, whichever has fewer columns.
pub struct Plan {
    pub steps: Vec<Step>,
    /// Whether |x| is added, or taken away.
    pub ones: Ones,
    /// Binary digits that the sums have.
    pub digits: usize,
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

impl Step {
    fn is_empty(&self) -> bool {
        self.positive.is_empty() && self.negative.is_empty()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ones {
    Add,
    Subtract,
    Ignore,
}

impl Plan {
    pub fn of(query: &Query) -> Plan {
        let Some(planes) = &query.planes else { return Plan::of_signs(query, 0..DIMENSION as u16) };
        let signs = query.signs.to_words();
        let planes = planes.each_ref().map(|plane| plane.to_words());
        let mut steps: Vec<Step> = Vec::new();
        steps.resize_with(1 << PLANES, || Step { times: 1, ..Step::default() });
        let mut base = query.highest();
        for (w, sign) in signs.into_iter().enumerate() {
            let words = planes.each_ref().map(|plane| plane[w]);
            let mut weighty = words.into_iter().fold(0, |any, word| any | word);
            while weighty != 0 {
                let bit = weighty.trailing_zeros();
                weighty &= weighty - 1;
                let magnitude = words.iter().enumerate().map(|(p, word)| (word >> bit & 1) << p).sum::<u32>();
                let step = &mut steps[magnitude as usize];
                let d = (32 * w) as u16 + bit as u16;
                if sign >> bit & 1 == 1 {
                    base -= 2 * magnitude as i32;
                    step.positive.push(d);
                } else {
                    step.negative.push(d);
                }
            }
        }
        let mut counted: Vec<Step> = Vec::new();
        for step in steps.into_iter().skip(1).rev() {
            match counted.last_mut() {
                Some(last) if step.is_empty() => last.times += 1,
                None if step.is_empty() => {}
                _ => counted.push(step),
            }
        }
        Plan { steps: counted, ones: Ones::Ignore, digits: digits_for(query.highest() as u32), base }
    }

    /// As a binary query, at some dimensions.
    pub fn of_signs(query: &Query, dimensions: impl Iterator<Item = u16>) -> Plan {
        let signs = query.signs.to_words();
        let one = |d: &u16| signs[usize::from(*d) / 32] >> (d % 32) & 1 == 1;
        let (positive, negative): (Vec<_>, Vec<_>) = dimensions.partition(one);
        let base = negative.len() as i32 - positive.len() as i32;
        let few = positive.len() <= negative.len();
        let step = Step { times: 2, ..Step::default() };
        // Twice those of the step, and |x|.
        let digits = digits_for(2 * (positive.len() + negative.len()) as u32);
        Plan {
            digits,
            steps: vec![if few { Step { positive, ..step } } else { Step { negative, ..step } }],
            ones: if few { Ones::Subtract } else { Ones::Add },
            base,
        }
    }

    /// What is added to the sums, so that none is below 0: half of the numbers that they can be.
    pub fn offset(&self) -> u32 {
        1 << (self.digits - 1)
    }

    /// The score that a sum means.
    pub fn score(&self, sum: u32) -> i32 {
        self.base + 2 * (sum as i32 - self.offset() as i32)
    }

    /// The least sum whose score is not less than this.
    pub fn least(&self, score: i32) -> u32 {
        let half = (i64::from(score) - i64::from(self.base) + 1).div_euclid(2);
        let offset = i64::from(self.offset());
        (half + offset).clamp(0, 2 * offset - 1) as u32
    }
}
