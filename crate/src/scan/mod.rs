//! Many signatures by slot, and the search for those that score best against a query.

mod allowed;
mod arena;
mod batch;
mod block;
mod columns;
mod count;
mod image;
mod plan;
mod rows;
mod score;
mod search;
mod sketch;
mod slots;
mod sums;
mod together;
mod top_k;

pub use arena::{Arena, OutOfMemory};
pub use batch::Batch;
pub use image::{LAYOUT, RestoreError};
pub use top_k::Hit;
