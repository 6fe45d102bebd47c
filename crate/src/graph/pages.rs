use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// Nodes of a page.
pub const PAGE: u32 = 1024;

/// Nodes of a fixed number of words, in pages that are there only while one of their nodes is in use: no step of growth
/// copies a node, and slots may be sparse.
pub struct Pages {
    words: usize,
    pages: Vec<Option<Page>>,
}

struct Page {
    nodes: Box<[u32]>,
    used: u32,
}

impl Pages {
    pub fn new(words: usize) -> Pages {
        Pages { words, pages: Vec::new() }
    }

    /// The words of a node; none where nothing of its page is in use.
    pub fn node(&self, node: u32) -> Option<&[u32]> {
        let page = self.pages.get((node / PAGE) as usize)?.as_ref()?;
        let start = (node % PAGE) as usize * self.words;
        Some(&page.nodes[start..start + self.words])
    }

    /// The words of a node of a page in use.
    pub fn node_mut(&mut self, node: u32) -> &mut [u32] {
        let Some(Some(page)) = self.pages.get_mut((node / PAGE) as usize) else { unreachable!() };
        let start = (node % PAGE) as usize * self.words;
        &mut page.nodes[start..start + self.words]
    }

    /// Takes a node into use, which was not: all of its words are zero.
    pub fn take(&mut self, node: u32) -> &mut [u32] {
        let at = (node / PAGE) as usize;
        if at >= self.pages.len() {
            self.pages.resize_with(at + 1, || None);
        }
        let nodes = self.words * PAGE as usize;
        self.pages[at].get_or_insert_with(|| Page { nodes: vec![0; nodes].into_boxed_slice(), used: 0 }).used += 1;
        self.node_mut(node)
    }

    /// Lets a node go that was in use.
    pub fn release(&mut self, node: u32) {
        self.node_mut(node).fill(0);
        let at = (node / PAGE) as usize;
        let Some(Some(page)) = self.pages.get_mut(at) else { unreachable!() };
        page.used -= 1;
        if page.used == 0 {
            self.pages[at] = None;
        }
    }

    /// Whether all nodes of a node's page are in use.
    pub fn is_full(&self, node: u32) -> bool {
        matches!(self.pages.get((node / PAGE) as usize), Some(Some(page)) if page.used == PAGE)
    }

    /// The first node from this one on that is in a page.
    pub fn next(&self, node: u32) -> Option<u32> {
        let first = (node / PAGE) as usize;
        let later = self.pages.iter().skip(first).position(|page| page.is_some())?;
        Some(if later == 0 { node } else { (first + later) as u32 * PAGE })
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        let used = self.pages.iter().flatten().count();
        used * self.words * PAGE as usize * 4 + self.pages.capacity() * size_of::<Option<Page>>()
    }
}
