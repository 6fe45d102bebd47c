//! The row scan as a native program would write it, on the widest vectors that the processor has.
//! What bench/kernel-scan.ts measures the kernel against; no part of it.
//!
//!     native_scan ROWS < ROWS × 1024 bytes of signatures, then 1024 bytes of query a scan
//!
//! Prints a line `ready LEVEL` once it holds the rows, and for each query `ROW DISTANCE NANOSECONDS
//! PROCESSOR` of the nearest row, the first of several, without the time to read the query; `PROCESSOR`
//! are the nanoseconds in which no other program had the processor. To a query of zeros alone it reads
//! all rows and does next to nothing with them: no scan of rows can take less. To one of ones alone it
//! reads the same memory as a scan of columns does, half of it, and does next to nothing with that.

use std::io::{Error, Read, Write};
use std::time::Instant;

const BYTES: usize = 1024;

/// On a cache line, as the kernel's rows are.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Row([u64; BYTES / 8]);

const NOTHING: [u64; BYTES / 8] = [0; BYTES / 8];
const ALL: [u64; BYTES / 8] = [u64::MAX; BYTES / 8];

type Scan = fn(&[Row], &Row) -> (usize, u64);
type Sum = fn(&[Row]) -> u64;

fn main() -> Result<(), Error> {
    let count = std::env::args()
        .nth(1)
        .and_then(|count| count.parse().ok())
        .expect("the number of rows");
    let mut input = std::io::stdin().lock();
    let mut rows = Vec::with_capacity(count);
    for _ in 0..count {
        rows.push(read(&mut input)?);
    }
    let (level, scan, sum) = fastest();
    let mut output = std::io::stdout();
    writeln!(output, "ready {level}")?;
    while let Ok(query) = read(&mut input) {
        let (started, before) = (Instant::now(), processor());
        let (row, distance) = match query.0 {
            NOTHING => (0, sum(&rows)),
            ALL => (0, half_of_columns(&rows)),
            _ => scan(&rows, &query),
        };
        let (time, after) = (started.elapsed().as_nanos(), processor());
        let own = before
            .zip(after)
            .map_or(time, |(before, after)| after - before);
        writeln!(output, "{row} {distance} {time} {own}")?;
    }
    Ok(())
}

fn read(input: &mut impl Read) -> Result<Row, Error> {
    let mut bytes = [0; BYTES];
    input.read_exact(&mut bytes)?;
    let mut row = Row([0; BYTES / 8]);
    for (word, bytes) in row.0.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    }
    Ok(row)
}

/// Nanoseconds that this thread had the processor; `None` where nobody says.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn processor() -> Option<u128> {
    const THREAD: i32 = 3;
    #[repr(C)]
    struct Time([i64; 2]);
    unsafe extern "C" {
        fn clock_gettime(clock: i32, time: *mut Time) -> i32;
    }
    let mut time = Time([0; 2]);
    // SAFETY: the declaration is that of POSIX, whose timespec has two fields of 64 bits here.
    let failed = unsafe { clock_gettime(THREAD, &mut time) };
    (failed == 0).then(|| time.0[0] as u128 * 1_000_000_000 + time.0[1] as u128)
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
fn processor() -> Option<u128> {
    None
}

/// The first of the rows that are nearest by a distance.
#[inline(always)]
fn nearest(rows: &[Row], distance: impl Fn(&Row) -> u64) -> (usize, u64) {
    let mut best = (0, u64::MAX);
    for (number, row) in rows.iter().enumerate() {
        let distance = distance(row);
        if distance < best.1 {
            best = (number, distance);
        }
    }
    best
}

fn plain(rows: &[Row], query: &Row) -> (usize, u64) {
    nearest(rows, |row| {
        row.0
            .iter()
            .zip(&query.0)
            .map(|(a, b)| u64::from((a ^ b).count_ones()))
            .sum()
    })
}

/// The sum of all words: the reading alone takes time.
#[inline(always)]
fn added(rows: &[Row]) -> u64 {
    let mut sum = 0_u64;
    for row in rows {
        sum = sum.wrapping_add(row.0.iter().fold(0, |sum, word| sum ^ word));
    }
    sum
}

/// The sum of some words of every cache line of half of the columns, drawn at random, eight columns side by side.
fn half_of_columns(rows: &[Row]) -> u64 {
    /// Rows in the memory of a column of 32,768 signatures, 4 KiB.
    const COLUMN: usize = 4;
    const LINE: usize = 8;
    let mut state = 1_u32;
    let mut drawn = rows.chunks_exact(COLUMN).filter(|_| {
        // Numerical Recipes' ranqd1.
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 31 == 1
    });
    let mut sum = 0;
    while let [
        Some(a),
        Some(b),
        Some(c),
        Some(d),
        Some(e),
        Some(f),
        Some(g),
        Some(h),
    ] = core::array::from_fn(|_| drawn.next())
    {
        for row in 0..COLUMN {
            for word in (0..BYTES / 8).step_by(LINE) {
                sum ^= [a, b, c, d, e, f, g, h]
                    .iter()
                    .fold(0, |sum, column| sum ^ column[row].0[word]);
            }
        }
    }
    sum
}

#[cfg(not(target_arch = "x86_64"))]
fn fastest() -> (&'static str, Scan, Sum) {
    ("plain", plain, added)
}

#[cfg(target_arch = "x86_64")]
fn fastest() -> (&'static str, Scan, Sum) {
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq") {
        // SAFETY: the processor was asked.
        (
            "avx512",
            |rows, query| unsafe { x86::avx512(rows, query) },
            |rows| unsafe { x86::sum512(rows) },
        )
    } else if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor was asked.
        (
            "avx2",
            |rows, query| unsafe { x86::avx2(rows, query) },
            |rows| unsafe { x86::sum256(rows) },
        )
    } else {
        ("plain", plain, added)
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{BYTES, Row, added, nearest};
    use core::arch::x86_64::*;

    #[target_feature(enable = "avx512f")]
    pub fn sum512(rows: &[Row]) -> u64 {
        added(rows)
    }

    #[target_feature(enable = "avx2")]
    pub fn sum256(rows: &[Row]) -> u64 {
        added(rows)
    }

    #[target_feature(enable = "avx512f,avx512vpopcntdq")]
    pub fn avx512(rows: &[Row], query: &Row) -> (usize, u64) {
        // SAFETY: both are whole numbers of vectors, aligned to 64 bytes.
        let load = |row: &Row, i: usize| unsafe {
            _mm512_load_si512(row.0.as_ptr().cast::<__m512i>().add(i))
        };
        nearest(rows, |row| {
            let mut counts = [_mm512_setzero_si512(); 4];
            for i in 0..BYTES / 64 {
                let bits = _mm512_popcnt_epi64(_mm512_xor_si512(load(row, i), load(query, i)));
                counts[i % 4] = _mm512_add_epi64(counts[i % 4], bits);
            }
            let [a, b, c, d] = counts;
            _mm512_reduce_add_epi64(_mm512_add_epi64(
                _mm512_add_epi64(a, b),
                _mm512_add_epi64(c, d),
            )) as u64
        })
    }

    /// Counts by a table of the ones of four bits (Muła, Kurz and Lemire 2018).
    #[target_feature(enable = "avx2")]
    pub fn avx2(rows: &[Row], query: &Row) -> (usize, u64) {
        // SAFETY: both are whole numbers of vectors, aligned to 32 bytes.
        let load = |row: &Row, i: usize| unsafe {
            _mm256_load_si256(row.0.as_ptr().cast::<__m256i>().add(i))
        };
        let ones = _mm256_broadcastsi128_si256(_mm_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
        ));
        let low = _mm256_set1_epi8(15);
        nearest(rows, |row| {
            let mut total = _mm256_setzero_si256();
            for i in 0..BYTES / 32 {
                let bits = _mm256_xor_si256(load(row, i), load(query, i));
                let lower = _mm256_shuffle_epi8(ones, _mm256_and_si256(bits, low));
                let upper =
                    _mm256_shuffle_epi8(ones, _mm256_and_si256(_mm256_srli_epi16::<4>(bits), low));
                let bytes = _mm256_add_epi8(lower, upper);
                total = _mm256_add_epi64(total, _mm256_sad_epu8(bytes, _mm256_setzero_si256()));
            }
            let halves = _mm_add_epi64(
                _mm256_castsi256_si128(total),
                _mm256_extracti128_si256::<1>(total),
            );
            (_mm_extract_epi64::<0>(halves) + _mm_extract_epi64::<1>(halves)) as u64
        })
    }
}
