//! Operations on binary hypervectors of 8192 dimensions, and the scan of many of them.
//!
//! Everything is exact: the vector units of a processor, plain Rust and the TypeScript of
//! `src/kernel/reference.ts` give the same bits. A set bit stands for +1, a clear bit for −1.

#![no_std]

extern crate alloc;
#[cfg(not(target_arch = "wasm32"))]
extern crate std;

#[cfg(all(target_arch = "wasm32", feature = "bindings"))]
mod bindings;
mod digest;
pub mod index;
mod lexicon;
#[cfg(target_arch = "wasm32")]
mod runtime;
mod scan;
pub mod sort;

use agidb_fast::{blake3, counter, hypervector, lanes, max_sim, prng, projection, query};

pub use counter::Counter;
pub use digest::Digest;
pub use hypervector::{BYTES, DIMENSION, Hypervector};
pub use lexicon::Lexicon;
pub use max_sim::max_sim;
pub use prng::{from_name, from_seed, tie};
pub use projection::{Terms, dots, project, project_query, project_sums, unit_sums};
pub use query::{PLANES, Query, quantise, threshold};
pub use scan::{Arena, Batch, Hit, LAYOUT, OutOfMemory, RestoreError, TopK};
