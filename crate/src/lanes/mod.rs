//! Sixteen bytes at a time: on the vector unit of WebAssembly, or in plain Rust elsewhere.
//!
//! Both types have the same methods, so that every algorithm above is written once.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use simd::{Lane, Tally};

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod scalar;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub use scalar::{Lane, Tally};

impl Lane {
    /// Adds three bits in each place: the sum stays in `a`, the carry is returned.
    #[inline(always)]
    pub fn full_add(a: &mut Lane, b: Lane, c: Lane) -> Lane {
        let differ = *a ^ b;
        let carry = (*a & b) | (differ & c);
        *a = differ ^ c;
        carry
    }
}
