use super::OutOfMemory;
use super::columns::LINE_ROWS;
use crate::hypervector::{BYTES, Hypervector};
use alloc::vec::Vec;
use core::hint::black_box;

/// Rows that are allocated at a time: those of a line of columns.
const CHUNK: usize = LINE_ROWS;
/// Chunks for which the memory grows at once, where at least as many were needed already.
const AHEAD: usize = 16;

/// Signatures in row-major order, in chunks: growth never copies what is there.
#[derive(Default)]
pub struct Rows {
    chunks: Vec<Vec<Hypervector>>,
    /// Chunks that were allocated in advance.
    spare: Vec<Vec<Hypervector>>,
    /// Chunks that were allocated so far; some may have been taken away since.
    made: usize,
}

impl Rows {
    pub fn bytes(&self) -> usize {
        (self.chunks.len() + self.spare.len()) * CHUNK * BYTES
    }

    pub fn len(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.len())
    }

    /// Has the memory grow at once for as many more rows as will be pushed little by little: each time it grows, a
    /// JavaScript engine may collect its garbage. The memory is given back, for them to take.
    pub fn grow_for(more: usize) {
        let mut room: Vec<Hypervector> = Vec::new();
        // Without it, the one who needs it first says so.
        let _ = room.try_reserve_exact(more);
        black_box(&room);
    }

    /// Makes sure that as many more rows can be pushed.
    pub fn reserve(&mut self, more: usize) -> Result<(), OutOfMemory> {
        let chunks = (self.len() + more).div_ceil(CHUNK);
        while self.chunks.len() + self.spare.len() < chunks {
            self.spare.try_reserve(1)?;
            let chunk = self.make_chunk()?;
            self.spare.push(chunk);
        }
        self.chunks.try_reserve(self.spare.len())?;
        Ok(())
    }

    fn make_chunk(&mut self) -> Result<Vec<Hypervector>, OutOfMemory> {
        if self.made >= AHEAD && self.made % AHEAD == 0 {
            Self::grow_for(AHEAD * CHUNK);
        }
        let mut chunk = Vec::new();
        chunk.try_reserve_exact(CHUNK)?;
        self.made += 1;
        Ok(chunk)
    }

    /// The first rows, as many as fill a line of columns, or all.
    pub fn first_chunk(&self) -> &[Hypervector] {
        self.chunks.first().map_or(&[], |chunk| chunk)
    }

    /// Takes [`Rows::first_chunk`] away.
    pub fn take_chunk(&mut self) -> Vec<Hypervector> {
        if self.chunks.is_empty() { Vec::new() } else { self.chunks.remove(0) }
    }

    /// Makes sure that [`Rows::push_chunk`] has room.
    pub fn reserve_chunk(&mut self) -> Result<(), OutOfMemory> {
        Ok(self.chunks.try_reserve(1)?)
    }

    /// Adds a full chunk after full ones.
    pub fn push_chunk(&mut self, chunk: Vec<Hypervector>) {
        self.chunks.push(chunk);
    }

    pub fn get(&self, row: usize) -> &Hypervector {
        &self.chunks[row / CHUNK][row % CHUNK]
    }

    pub fn set(&mut self, row: usize, signature: &Hypervector) {
        self.chunks[row / CHUNK][row % CHUNK] = *signature;
    }

    pub fn push(&mut self, signature: &Hypervector) -> Result<(), OutOfMemory> {
        if self.chunks.last().is_none_or(|chunk| chunk.len() == CHUNK) {
            self.chunks.try_reserve(1)?;
            let chunk = match self.spare.pop() {
                Some(chunk) => chunk,
                None => self.make_chunk()?,
            };
            self.chunks.push(chunk);
        }
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.push(*signature);
        }
        Ok(())
    }

    /// Takes the last row away and wipes where it was.
    pub fn pop(&mut self) {
        if let Some(chunk) = self.chunks.last_mut() {
            if let Some(last) = chunk.last_mut() {
                *last = Hypervector::ZERO;
            }
            chunk.pop();
            if chunk.is_empty() {
                self.chunks.pop();
            }
        }
    }

    /// Visits every row in turn: chunks side by side would lie a power of two apart, and drive each other out of the cache.
    #[inline(always)]
    pub fn visit(&self, mut visit: impl FnMut(usize, &Hypervector)) {
        for (c, chunk) in self.chunks.iter().enumerate() {
            for (i, row) in chunk.iter().enumerate() {
                visit(c * CHUNK + i, row);
            }
        }
    }
}
