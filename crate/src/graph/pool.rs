use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// No block.
pub const NONE: u32 = 0;
/// Words of a page, about.
const PAGE: usize = 4096;

/// Blocks of a fixed number of words, by number from 1 on. Blocks that were let go are used again, the last first.
pub struct Pool {
    words: usize,
    pages: Vec<Box<[u32]>>,
    taken: usize,
    free: u32,
}

impl Pool {
    pub fn new(words: usize) -> Pool {
        Pool { words, pages: Vec::new(), taken: 0, free: NONE }
    }

    fn start(&self, block: u32) -> (usize, usize) {
        let on_page = PAGE / self.words;
        let at = block as usize - 1;
        (at / on_page, at % on_page * self.words)
    }

    pub fn block(&self, block: u32) -> &[u32] {
        let (page, start) = self.start(block);
        &self.pages[page][start..start + self.words]
    }

    pub fn block_mut(&mut self, block: u32) -> &mut [u32] {
        let (page, start) = self.start(block);
        &mut self.pages[page][start..start + self.words]
    }

    /// A block whose words are zero.
    pub fn take(&mut self) -> u32 {
        let block = self.free;
        if block != NONE {
            self.free = self.block(block)[0];
            self.block_mut(block)[0] = 0;
            return block;
        }
        self.taken += 1;
        if self.start(self.taken as u32).0 == self.pages.len() {
            self.pages.push(vec![0; PAGE].into_boxed_slice());
        }
        self.taken as u32
    }

    pub fn release(&mut self, block: u32) {
        let free = self.free;
        let words = self.block_mut(block);
        words.fill(0);
        words[0] = free;
        self.free = block;
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.pages.len() * PAGE * 4
    }
}
