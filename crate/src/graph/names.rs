use crate::pages::Pages;
use agidb_small::index::Index;
use alloc::vec::Vec;

/// Where the halves of the hash are in the node of an entity.
pub const LOW: usize = 1;
pub const HIGH: usize = 2;

/// Tables, by the highest byte of the hash: each grows by itself, so that no step of growth moves them all.
const TABLES: usize = 256;

/// Entities by the hashes of their names.
pub struct Names {
    tables: Vec<Index>,
    pub size: usize,
}

impl Default for Names {
    fn default() -> Names {
        let mut tables = Vec::new();
        tables.resize_with(TABLES, Index::default);
        Names { tables, size: 0 }
    }
}

fn low_of(entities: &Pages, entity: u32) -> u32 {
    entities.node(entity).map_or(0, |node| node[LOW])
}

impl Names {
    pub fn find(&self, entities: &Pages, low: u32, high: u32) -> Option<u32> {
        let is = |entity| entities.node(entity).is_some_and(|node| node[LOW] == low && node[HIGH] == high);
        self.tables[(high >> 24) as usize].find(low, is)
    }

    /// Adds an entity, whose node has its hash.
    pub fn insert(&mut self, entities: &Pages, entity: u32, high: u32) {
        self.tables[(high >> 24) as usize].insert(entity, |other| low_of(entities, other));
        self.size += 1;
    }

    /// Removes an entity, whose node still has its hash.
    pub fn remove(&mut self, entities: &Pages, entity: u32, low: u32, high: u32) {
        self.tables[(high >> 24) as usize].remove(entity, low, |other| low_of(entities, other));
        self.size -= 1;
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.tables.iter().map(|table| table.bytes()).sum::<usize>() + TABLES * size_of::<Index>()
    }
}
