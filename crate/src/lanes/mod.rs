//! Sixteen bytes at a time: on the vector unit of WebAssembly, or in plain Rust elsewhere.
//!
//! Both types have the same methods, so that every algorithm above is written once.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use simd::{Lane, Tally, floor, root};

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod scalar;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub use scalar::{Lane, Tally, floor, root};

impl Lane {
    /// The butterfly of the Walsh–Hadamard transform on words as f32: sum and difference.
    #[inline(always)]
    pub fn butterfly(a: Lane, b: Lane) -> (Lane, Lane) {
        (a.add_floats(b), a.sub_floats(b))
    }

    /// Two layers of butterflies on four lanes: neighbours, then those two apart.
    #[inline(always)]
    pub fn butterflies([a, b, c, d]: [Lane; 4]) -> [Lane; 4] {
        let ((a, b), (c, d)) = (Lane::butterfly(a, b), Lane::butterfly(c, d));
        let ((a, c), (b, d)) = (Lane::butterfly(a, c), Lane::butterfly(b, d));
        [a, b, c, d]
    }

    /// Adds three bits in each place: the sum stays in `a`, the carry is returned.
    #[inline(always)]
    pub fn full_add(a: &mut Lane, b: Lane, c: Lane) -> Lane {
        let differ = *a ^ b;
        let carry = (*a & b) | (differ & c);
        *a = differ ^ c;
        carry
    }
}
