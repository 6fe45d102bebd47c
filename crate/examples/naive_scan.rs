//! The scan as anyone would write it first: one row after the other, exclusive or, count the bits of
//! every lane. What bench/kernel-scan.ts measures the kernel against; no part of it.

#![allow(unsafe_code, missing_docs)]

#[cfg(target_arch = "wasm32")]
mod naive {
    use core::arch::wasm32::*;

    const LANES: usize = 64;

    /// Space for this many lanes, for JavaScript to write into. It is never given back.
    #[unsafe(no_mangle)]
    pub extern "C" fn allocate(lanes: usize) -> *mut v128 {
        vec![u32x4_splat(0); lanes].leak().as_mut_ptr()
    }

    /// The row that is nearest to the query, and its distance in the upper half.
    ///
    /// # Safety
    /// `rows` and `query` come from [`allocate`], with room for `count` rows and for one.
    #[unsafe(no_mangle)]
    pub unsafe extern "C" fn nearest(rows: *const v128, count: usize, query: *const v128) -> u64 {
        // SAFETY: by the contract of this function.
        let (rows, query) =
            unsafe { (core::slice::from_raw_parts(rows, count * LANES), core::slice::from_raw_parts(query, LANES)) };
        let mut best = u64::MAX;
        for (number, row) in rows.chunks_exact(LANES).enumerate() {
            let mut sums = u32x4_splat(0);
            for (&a, &b) in row.iter().zip(query) {
                let counts = i8x16_popcnt(v128_xor(a, b));
                sums = u32x4_add(sums, u32x4_extadd_pairwise_u16x8(u16x8_extadd_pairwise_u8x16(counts)));
            }
            let distance = u32x4_extract_lane::<0>(sums)
                + u32x4_extract_lane::<1>(sums)
                + u32x4_extract_lane::<2>(sums)
                + u32x4_extract_lane::<3>(sums);
            best = best.min(u64::from(distance) << 32 | number as u64);
        }
        best
    }
}
