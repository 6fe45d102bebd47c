//! What an arena is asked: the best slots for a query, and the scores of some.

use super::allowed::Allowed;
use super::arena::{Arena, Place};
use super::block::Block;
use super::columns::{BLOCK, Column};
use super::plan::Plan;
use super::score::Scoring;
use super::sketch;
use super::slots::Slots;
use super::together::{TOGETHER, classes};
use super::top_k::{Hit, TopK};
use crate::query::Query;
use crate::sort::sort;
use alloc::{vec, vec::Vec};

/// Signatures that are scored in a scan of two stages to know how near the best are, at least.
const VERIFIED: usize = 64;
/// One in so many may be left by the sketch: scoring these takes longer for each than the exact scan for all.
const SHARE: usize = 8;

impl Arena {
    /// The `k` best slots, ties by slot. `allow` is a bit set over slots; `None` allows all.
    pub fn scan(&mut self, query: &Query, k: usize, allow: Option<&[u32]>) -> Vec<Hit> {
        let mut best = self.scan_rows(query, k, allow);
        self.plan(query);
        let allowed = self.allowed(allow);
        if let (Some(work), Some((_, plan))) = (&mut self.work, &self.asked) {
            for (block, slots, allowed) in each(&mut self.blocks, &self.slots, allowed) {
                block.scan(work, plan, slots, allowed.as_ref(), &mut best);
            }
        }
        best.hits()
    }

    /// [`Arena::scan`] in two stages, see [`sketch`]: a binary query in an arena that keeps all rows leaves most signatures at
    /// the sketch, if some are much nearer than the others. Else this is the same scan.
    pub fn scan_pruned(&mut self, query: &Query, k: usize, allow: Option<&[u32]>) -> Vec<Hit> {
        let found = if query.planes.is_none() && self.blocks.iter().all(Block::has_rows) {
            self.try_pruned(query, k, allow)
        } else {
            None
        };
        found.unwrap_or_else(|| self.scan(query, k, allow))
    }

    /// `None` where it does not pay.
    fn try_pruned(&mut self, query: &Query, k: usize, allow: Option<&[u32]>) -> Option<Vec<Hit>> {
        let plan = Plan::of_signs(query, sketch::sketch().iter().copied());
        let mut nearest = TopK::new(VERIFIED.max(2 * k).min(self.size()));
        let allowed = self.allowed(allow);
        let work = self.work.as_mut()?;
        let mut likely = Vec::with_capacity(self.blocks.len());
        for (block, slots, allowed) in each(&mut self.blocks, &self.slots, allowed) {
            likely.push(block.scan_sketch(work, &plan, slots, allowed.as_ref(), &mut nearest).ok()?);
        }
        let mut best = self.scan_rows(query, k, allow);
        let verified: Vec<usize> = nearest.hits().iter().filter_map(|hit| self.slots.place(hit.slot)).collect();
        self.verify(query, &verified, &mut best);
        for place in verified {
            if let Some(likely) = likely.get_mut(place / BLOCK) {
                likely.put(place % BLOCK, false);
            }
        }
        let least = sketch::least(best.floor().filter(|&floor| floor > i32::MIN)?);
        for (block, likely) in self.blocks.iter().zip(&mut likely) {
            block.keep_likely(&plan, least, likely);
        }
        if SHARE * likely.iter().map(Column::count).sum::<usize>() > self.size() {
            return None;
        }
        let mut places = Vec::new();
        for (n, rows) in likely.iter().enumerate() {
            rows.list(n * BLOCK, &mut places);
        }
        self.verify(query, &places, &mut best);
        Some(best.hits())
    }

    /// Offers signatures of blocks that keep their rows, by their places.
    fn verify(&self, query: &Query, places: &[usize], best: &mut TopK) {
        let row = |&place: &usize| self.blocks.get(place / BLOCK)?.row(place % BLOCK);
        let (slots, rows): (Vec<u32>, Vec<_>) =
            places.iter().filter_map(|place| Some((self.slots.by_place()[*place], row(place)?))).unzip();
        for (slot, score) in slots.into_iter().zip(Scoring::of(query).scores(&rows)) {
            best.offer(Hit { slot, score });
        }
    }

    /// [`Arena::scan`] for several queries; the binary ones read the columns together.
    pub fn scan_many(&mut self, queries: &[Query], k: usize, allow: Option<&[u32]>) -> Vec<Vec<Hit>> {
        let mut found = vec![Vec::new(); queries.len()];
        let (binary, weighted): (Vec<_>, Vec<_>) = (0..queries.len()).partition(|&q| queries[q].planes.is_none());
        for together in binary.chunks(TOGETHER) {
            let asked: Vec<&Query> = together.iter().map(|&q| &queries[q]).collect();
            for (&q, hits) in together.iter().zip(self.scan_together(&asked, k, allow)) {
                found[q] = hits;
            }
        }
        for q in weighted {
            found[q] = self.scan(&queries[q], k, allow);
        }
        found
    }

    fn scan_together(&mut self, queries: &[&Query], k: usize, allow: Option<&[u32]>) -> Vec<Vec<Hit>> {
        // Without memory to count them together each reads the columns for itself.
        let ready = self.work.as_mut().is_none_or(|work| work.prepare_together().is_ok());
        if queries.len() == 1 || !ready {
            return queries.iter().map(|query| self.scan(query, k, allow)).collect();
        }
        let mut best: Vec<TopK> = queries.iter().map(|query| self.scan_rows(query, k, allow)).collect();
        let allowed = self.allowed(allow);
        if let Some(work) = &mut self.work {
            let classes = classes(queries);
            let plans: Vec<Plan> = queries.iter().map(|query| Plan::of(query)).collect();
            let mut asked: Vec<_> = plans.iter().zip(&mut best).collect();
            for (block, slots, allowed) in each(&mut self.blocks, &self.slots, allowed) {
                block.scan_together(work, &classes, &mut asked, slots, allowed.as_ref());
            }
        }
        best.into_iter().map(TopK::hits).collect()
    }

    fn allowed<'a>(&self, allow: Option<&'a [u32]>) -> Option<Allowed<'a>> {
        allow.map(|set| Allowed::of(set, &self.slots, self.blocks.len()))
    }

    /// The best of the tail.
    fn scan_rows(&self, query: &Query, k: usize, allow: Option<&[u32]>) -> TopK {
        let mut best = TopK::new(k.min(self.size()));
        let scoring = Scoring::of(query);
        let slots = &self.slots.by_place()[self.in_blocks()..];
        self.rows.visit(|row, signature| {
            let slot = slots[row];
            if allow.is_none_or(|allow| contains(allow, slot)) {
                best.offer(Hit { slot, score: scoring.score(signature) });
            }
        });
        best
    }

    /// The scores of given slots; `None` where there is no signature, or it is awaited. What was counted for the query in
    /// a scan is not counted again.
    pub fn score(&mut self, query: &Query, slots: &[u32]) -> Vec<Option<i32>> {
        let mut scores = vec![None; slots.len()];
        let is_counted = self.is_asked(query);
        // The place of each, then where its score goes.
        let mut in_columns: Vec<u64> = Vec::new();
        let mut in_rows = Vec::with_capacity(slots.len());
        let mut of_rows = Vec::with_capacity(slots.len());
        for (i, &slot) in slots.iter().enumerate() {
            match self.place(slot) {
                None => {}
                Some(Place::Row(row)) => {
                    in_rows.push(self.rows.get(row));
                    of_rows.push(i);
                }
                Some(Place::Block(block, row)) => match self.blocks[block].row(row).filter(|_| !is_counted) {
                    Some(row) => {
                        in_rows.push(row);
                        of_rows.push(i);
                    }
                    None if self.blocks[block].awaited.is_some() => {}
                    None => in_columns.push(((block * BLOCK + row) as u64) << 32 | i as u64),
                },
            }
        }
        for (i, score) in of_rows.into_iter().zip(Scoring::of(query).scores(&in_rows)) {
            scores[i] = Some(score);
        }
        if in_columns.is_empty() {
            return scores;
        }
        self.plan(query);
        if let (Some(work), Some((_, plan))) = (&mut self.work, &self.asked) {
            sort(&mut in_columns);
            let place = |asked: u64| (asked >> 32) as usize;
            for of_block in in_columns.chunk_by(|&a, &b| place(a) / BLOCK == place(b) / BLOCK) {
                let rows = of_block.iter().map(|&asked| place(asked) % BLOCK);
                let found = self.blocks[place(of_block[0]) / BLOCK].score(work, plan, rows);
                for (&asked, score) in of_block.iter().zip(found) {
                    scores[asked as u32 as usize] = Some(score);
                }
            }
        }
        scores
    }

    /// Whether a query is the one that the blocks counted for last.
    #[inline(never)]
    fn is_asked(&self, query: &Query) -> bool {
        self.asked.as_ref().is_some_and(|(asked, _)| asked == query)
    }

    /// Makes the blocks ready for a query.
    fn plan(&mut self, query: &Query) {
        if !self.blocks.is_empty() && !self.is_asked(query) {
            self.blocks.iter_mut().for_each(Block::forget);
            self.asked = Some((query.clone(), Plan::of(query)));
        }
    }
}

/// Every block with the slots of its places, and which of its rows are allowed.
fn each<'a>(
    blocks: &'a mut [Block],
    slots: &'a Slots,
    allowed: Option<Allowed<'a>>,
) -> impl Iterator<Item = (&'a mut Block, &'a [u32], Option<Column>)> {
    blocks
        .iter_mut()
        .zip(slots.by_place().chunks(BLOCK))
        .enumerate()
        .map(move |(n, (block, slots))| (block, slots, allowed.as_ref().map(|allowed| allowed.rows(n, slots))))
}

#[inline(always)]
fn contains(set: &[u32], slot: u32) -> bool {
    set.get(slot as usize >> 5).is_some_and(|word| word >> (slot & 31) & 1 == 1)
}
