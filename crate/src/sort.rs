//! Sorting without a copy of the standard library's quicksort for every type, which is ten times this file's size.

/// Sorts numbers in ascending order: Shell's sort with the gaps of Ciura (2001), and multiples of 9/4 beyond.
pub fn sort(numbers: &mut [u64]) {
    for gap in gaps(numbers.len()) {
        for i in gap..numbers.len() {
            let number = numbers[i];
            let mut to = i;
            while to >= gap && numbers[to - gap] > number {
                numbers[to] = numbers[to - gap];
                to -= gap;
            }
            numbers[to] = number;
        }
    }
}

/// The gaps below a length, the largest first.
fn gaps(length: usize) -> impl Iterator<Item = usize> {
    const CIURA: [usize; 8] = [1, 4, 10, 23, 57, 132, 301, 701];
    let gap = |n: usize| CIURA.get(n).copied().unwrap_or_else(|| (CIURA.len()..=n).fold(701, |gap, _| gap * 9 / 4));
    let count = (0..).take_while(|&n| gap(n) < length).count();
    (0..count).rev().map(gap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn numbers_of_every_length_up_to_a_few_thousand_are_sorted() {
        let mut state = 1u64;
        for length in (0..60).chain([100, 701, 702, 1000, 5000]) {
            let mut numbers: Vec<u64> = (0..length)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    state >> (state % 60)
                })
                .collect();
            let mut expected = numbers.clone();
            expected.sort();
            sort(&mut numbers);
            assert_eq!(numbers, expected);
        }
    }
}
