//! Operations on binary hypervectors of 8192 dimensions, and the scan of many of them.
//!
//! Everything is exact: the vector units of a processor, plain Rust and the TypeScript of
//! `src/kernel/reference.ts` give the same bits. A set bit stands for +1, a clear bit for −1.
//!
//! This package is the one that is linked, and its optimisation level is that of the linker, which decides whether loops
//! are vectorised at all. Functions keep the level of the package that they are in: `agidb_fast`, `agidb_small` or
//! `agidb_graph`.

#![no_std]

#[cfg(feature = "graphs")]
pub use agidb_graph::*;
pub use agidb_small::*;
