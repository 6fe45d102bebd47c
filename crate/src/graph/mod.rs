//! Graphs of a memory: see `src/kernel/graph.ts`, which says what each operation means.
//!
//! Weights are `f32`, and nothing but sums, products and quotients of them is taken, in an order that is stated, so that
//! the TypeScript of `src/kernel/reference/graph` has the same bits.

#![no_std]

extern crate alloc;

mod association;
#[cfg(target_arch = "wasm32")]
mod bindings;
mod chain;
mod co_activation;
mod entities;
mod image;
mod list;
mod names;
mod page_rank;
mod pages;
mod pool;
mod reach;
mod relations;

pub use association::AssociationGraph;
pub use chain::TemporalChain;
pub use co_activation::TagTable;
pub use entities::{EntityGraph, EntityWalk};
pub use page_rank::{Over, Rank, page_rank};

/// Neighbours of a slot at most.
pub const MAX_NEIGHBOURS: usize = 20;
/// Relations of an entity at most, to and from it.
pub const MAX_RELATIONS: usize = 32;
/// An edge with a smaller weight is none.
pub const LEAST_WEIGHT: f32 = 1.0 / 1024.0;
/// What no weight goes above.
pub const MOST_WEIGHT: f32 = 1_048_576.0;
/// The highest slot, and the highest number of an entity.
pub const MAX_NODE: u32 = 0x7fff_fffe;
/// No node.
pub const NO_NODE: u32 = u32::MAX;
/// Steps of a walk at most.
pub const MAX_HOPS: usize = 8;
/// Nodes that a walk reaches at most.
pub const MAX_REACHED: usize = 20_000;
/// Links of a table of tags at most.
pub const MAX_TAG_LINKS: usize = 65_536;
/// The node of entity 0; slots are below.
pub const FIRST_ENTITY: u32 = 1 << 31;

/// A weight that an edge can have.
fn is_weight(weight: f32) -> bool {
    (LEAST_WEIGHT..=MOST_WEIGHT).contains(&weight)
}
