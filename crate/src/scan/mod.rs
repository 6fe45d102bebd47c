//! Many signatures by slot, and the search for those that score best against a query.

mod arena;
mod rows;
mod score;
mod slots;
mod top_k;

pub use arena::{Arena, OutOfMemory};
pub use top_k::Hit;
