//! Many signatures by slot, and the search for those that score best against a query.

mod allowed;
mod arena;
mod batch;
mod block;
mod count;
mod image;
mod plan;
mod rows;
mod search;
mod sketch;
mod slots;
mod together;
mod top_k;

use agidb_fast::scan::{columns, score, sums};

pub use agidb_fast::scan::OutOfMemory;
pub use arena::Arena;
pub use batch::Batch;
pub use image::{LAYOUT, RestoreError};
pub use top_k::{Hit, TopK};
