//! Hypervectors, and the loops over their bits: what is optimised for speed while the rest of the kernel is optimised
//! for size. Everything that is public here is for the kernel only.

#![no_std]

extern crate alloc;
#[cfg(not(target_arch = "wasm32"))]
extern crate std;

pub mod blake3;
pub mod chacha;
pub mod cipher;
pub mod counter;
pub mod hypervector;
pub mod lanes;
pub mod max_sim;
pub mod prng;
pub mod projection;
pub mod query;
pub mod scan {
    //! What the scan counts with.

    pub mod columns;
    pub mod score;
    pub mod sums;

    use alloc::collections::TryReserveError;

    /// No memory for another signature. The arena is as it was.
    #[derive(Debug)]
    pub struct OutOfMemory;

    impl From<TryReserveError> for OutOfMemory {
        fn from(_: TryReserveError) -> OutOfMemory {
            OutOfMemory
        }
    }
}
