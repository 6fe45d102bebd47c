use crate::image::{Reader, must, write};
use crate::pages::Pages;
use crate::{MAX_NODE, NO_NODE};
use alloc::vec::Vec;

/// Words of a node: previous, next, session, and 1 where it is there.
const WORDS: usize = 4;
const PREVIOUS: usize = 0;
const NEXT: usize = 1;
const SESSION: usize = 2;
const THERE: usize = 3;

/// The slots of each session as a list linked both ways: 16 bytes a slot.
pub struct TemporalChain {
    pages: Pages,
    nodes: usize,
}

impl Default for TemporalChain {
    fn default() -> TemporalChain {
        TemporalChain { pages: Pages::new(WORDS), nodes: 0 }
    }
}

impl TemporalChain {
    /// Slots that are in a list.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.pages.bytes()
    }

    fn node(&self, slot: u32) -> Option<&[u32]> {
        self.pages.node(slot).filter(|node| node[THERE] == 1)
    }

    /// The next slot of its list, or the previous one; [`NO_NODE`] where there is none.
    pub fn step(&self, slot: u32, forward: bool) -> u32 {
        self.node(slot).map_or(NO_NODE, |node| node[if forward { NEXT } else { PREVIOUS }])
    }

    /// The number of its session.
    pub fn session(&self, slot: u32) -> Option<u32> {
        self.node(slot).map(|node| node[SESSION])
    }

    /// Puts a slot between two that follow each other, or are [`NO_NODE`].
    pub fn insert(&mut self, slot: u32, session: u32, previous: u32, next: u32) {
        self.pages.take(slot).copy_from_slice(&[previous, next, session, 1]);
        self.nodes += 1;
        self.join(previous, slot);
        self.join(slot, next);
    }

    fn join(&mut self, previous: u32, next: u32) {
        if previous != NO_NODE {
            self.pages.node_mut(previous)[NEXT] = next;
        }
        if next != NO_NODE {
            self.pages.node_mut(next)[PREVIOUS] = previous;
        }
    }

    /// Takes a slot out of its list; whether it was in one.
    pub fn remove(&mut self, slot: u32) -> bool {
        let Some(node) = self.node(slot) else { return false };
        let (previous, next) = (node[PREVIOUS], node[NEXT]);
        self.join(previous, next);
        self.pages.release(slot);
        self.nodes -= 1;
        true
    }

    /// The body of what is saved.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut at = 0;
        while let Some(slot) = self.pages.next(at) {
            at = slot + 1;
            if let Some(node) = self.node(slot) {
                write(&mut bytes, &[slot, node[NEXT], node[SESSION]]);
            }
        }
        bytes
    }

    /// Makes an empty chain what was saved; none where it was not saved so.
    pub fn load(&mut self, body: &[u8], count: usize) -> Option<()> {
        let mut reader = Reader(body);
        let mut least = 0;
        while !reader.ended() {
            let (slot, next, session) = (reader.word()?, reader.word()?, reader.word()?);
            must(slot >= least && slot <= MAX_NODE)?;
            least = slot + 1;
            self.pages.take(slot).copy_from_slice(&[NO_NODE, next, session, 1]);
            self.nodes += 1;
        }
        let mut at = 0;
        while let Some(slot) = self.pages.next(at) {
            at = slot + 1;
            let next = self.step(slot, true);
            if next != NO_NODE {
                must(next != slot && self.session(next)? == self.session(slot)? && self.step(next, false) == NO_NODE)?;
                self.pages.node_mut(next)[PREVIOUS] = slot;
            }
        }
        // A list with a first slot has no circle: all slots must be in such lists.
        let mut reached = 0;
        let mut first = 0;
        while let Some(slot) = self.pages.next(first) {
            first = slot + 1;
            let mut at = slot;
            if self.session(slot).is_some() && self.step(slot, false) == NO_NODE {
                while at != NO_NODE {
                    reached += 1;
                    at = self.step(at, true);
                }
            }
        }
        must(reached == self.nodes && self.nodes == count)
    }
}
