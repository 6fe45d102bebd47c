//! The sums of several binary queries, each column read once for all of them.
//!
//! The dimensions are parted into classes, by which of the queries have a 1 there. The classes are the leaves of a binary tree
//! in which each query parts one level; the count of a node is that of its halves, and what a query adds up is the
//! halves where it has a 1. So `2^q` classes need less than `2 · 2^q` additions for `q` queries, and not one for every query
//! of every class; and half of them are, near the leaves, of numbers of few digits.

use super::OutOfMemory;
use super::columns::Columns;
use super::plan::Plan;
use super::sums::{Adder, Sums, digits_of};
use crate::hypervector::{DIMENSION, WORDS};
use crate::query::Query;
use alloc::{vec, vec::Vec};
use core::ops::Range;

/// Queries that are counted together: of more the classes would have too few columns.
pub const TOGETHER: usize = 8;

/// Dimensions by which of the queries have a 1 there: bit `q` of the class.
pub fn classes(queries: &[&Query]) -> Vec<Vec<u16>> {
    let signs: Vec<_> = queries.iter().map(|query| query.signs.to_words()).collect();
    let mut classes = vec![Vec::new(); 1 << queries.len()];
    for d in 0..DIMENSION {
        let one = |(q, signs): (usize, &[u32; WORDS])| ((signs[d / 32] >> (d % 32) & 1) as usize) << q;
        classes[signs.iter().enumerate().map(one).sum::<usize>()].push(d as u16);
    }
    classes
}

/// The sums of a block for several queries, two at least.
pub struct Together {
    /// What was counted for each query.
    pub sums: Vec<Sums>,
    /// The counts of the nodes that are being added up, by their height.
    nodes: Vec<Sums>,
}

impl Together {
    pub const BYTES: usize = (2 * TOGETHER + 1) * Sums::BYTES;

    pub fn new() -> Result<Together, OutOfMemory> {
        let sums = |count| (0..count).map(|_| Sums::new()).collect::<Result<Vec<_>, _>>();
        Ok(Together { sums: sums(TOGETHER)?, nodes: sums(TOGETHER + 1)? })
    }

    /// Counts for the plans of the queries of these classes. Those of binary queries differ in nothing that matters here.
    pub fn count(
        &mut self,
        columns: &Columns,
        adder: &mut Adder,
        classes: &[Vec<u16>],
        plan: &Plan,
        lines: &Range<usize>,
    ) {
        let queries = height(classes);
        for sums in &mut self.sums[..queries] {
            sums.of(plan.digits).fill(plan.offset() / 2, lines.clone());
        }
        self.count_node(columns, adder, classes, lines);
        let ones = &self.nodes[queries];
        for sums in &mut self.sums[..queries] {
            sums.double(lines.clone());
            sums.add(ones, true, lines.clone());
        }
    }

    /// Leaves the count of the node in its place; how many columns it has.
    fn count_node(
        &mut self,
        columns: &Columns,
        adder: &mut Adder,
        classes: &[Vec<u16>],
        lines: &Range<usize>,
    ) -> usize {
        let height = height(classes);
        if let [without, with] = classes {
            let counted = with.len() + without.len();
            let count = self.nodes[height].of(digits_of(counted));
            count.fill(0, lines.clone());
            adder.add(count, columns, with, lines.clone());
            self.sums[0].add(count, false, lines.clone());
            adder.add(count, columns, without, lines.clone());
            return counted;
        }
        let (without, with) = classes.split_at(classes.len() / 2);
        let mut counted = self.count_node(columns, adder, without, lines);
        self.nodes.swap(height - 1, height);
        counted += self.count_node(columns, adder, with, lines);
        let (half, node) = self.nodes.split_at_mut(height);
        let (half, node) = (&half[height - 1], &mut node[0]);
        self.sums[height - 1].add(half, false, lines.clone());
        node.widen(digits_of(counted), lines.clone());
        node.add(half, false, lines.clone());
        counted
    }
}

/// Of the node that these classes are the leaves of.
fn height(classes: &[Vec<u16>]) -> usize {
    classes.len().trailing_zeros() as usize
}
