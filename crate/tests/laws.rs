//! What must hold for all vectors, against the shortest code that could be right.

use agidb_kernel::{
    Arena, Counter, DIMENSION, Hit, Hypervector, Lexicon, PLANES, Query, Terms, from_name, from_seed, max_sim, project,
    quantise, threshold, tie,
};
use quickcheck::{Arbitrary, Gen, QuickCheck};

#[derive(Clone, Debug)]
struct Any(Hypervector);

impl Arbitrary for Any {
    fn arbitrary(g: &mut Gen) -> Any {
        Any(from_seed(&core::array::from_fn(|_| u8::arbitrary(g))))
    }
}

/// One of few slots, so that some are set twice, and some of a scan's scores tie.
#[derive(Clone, Debug)]
enum Change {
    Set(u32, u8),
    Clear(u32),
}

impl Arbitrary for Change {
    fn arbitrary(g: &mut Gen) -> Change {
        let slot = *g.choose(&[0, 1, 2, 3, 7, 8, 31, 32, 33, 4095, 4096, 9999, 1_000_000, u32::MAX]).unwrap();
        if u8::arbitrary(g) < 64 { Change::Clear(slot) } else { Change::Set(slot, u8::arbitrary(g) % 16) }
    }
}

/// An arena's history, and what it is asked.
#[derive(Clone, Debug)]
struct Search {
    changes: Vec<Change>,
    terms: Vec<(Any, i32)>,
    weighted: bool,
    k: usize,
    allow: Option<Vec<u32>>,
}

impl Arbitrary for Search {
    fn arbitrary(g: &mut Gen) -> Search {
        Search {
            changes: Vec::arbitrary(g),
            terms: small(Vec::arbitrary(g)),
            weighted: bool::arbitrary(g),
            k: usize::from(u8::arbitrary(g) % 20),
            allow: Option::arbitrary(g),
        }
    }
}

fn bits(vector: &Hypervector) -> Vec<bool> {
    (0..DIMENSION).map(|d| vector.bit(d)).collect()
}

fn sums(terms: &[(Any, i32)]) -> Vec<i32> {
    let mut sums = vec![0; DIMENSION];
    for (Any(vector), weight) in terms {
        for (d, sum) in sums.iter_mut().enumerate() {
            *sum += if vector.bit(d) { *weight } else { -*weight };
        }
    }
    sums
}

fn small(terms: Vec<(Any, i32)>) -> Vec<(Any, i32)> {
    terms.into_iter().take(40).map(|(vector, weight)| (vector, weight % (1 << 24))).collect()
}

fn count(terms: &[(Any, i32)]) -> Counter {
    let mut counter = Counter::new();
    for (Any(vector), weight) in terms {
        counter.add(vector, *weight);
    }
    counter
}

fn magnitude(query: &Query, d: usize) -> i32 {
    let Some(planes) = &query.planes else { return 1 };
    (0..PLANES).map(|p| i32::from(planes[p].bit(d)) << p).sum()
}

fn naive_score(query: &Query, signature: &Hypervector) -> i32 {
    let agree = |d| query.signs.bit(d) == signature.bit(d);
    (0..DIMENSION).map(|d| if agree(d) { magnitude(query, d) } else { -magnitude(query, d) }).sum()
}

#[test]
fn bytes_round_trip() {
    fn law(Any(a): Any) -> bool {
        Hypervector::from_bytes(&a.to_bytes()) == Some(a)
    }
    QuickCheck::new().quickcheck(law as fn(Any) -> bool);
    assert_eq!(Hypervector::from_bytes(&[0; 1023]), None);
    assert_eq!(Hypervector::from_bytes(&[0; 1025]), None);
}

#[test]
fn bind_is_its_own_inverse() {
    fn law(Any(a): Any, Any(b): Any) -> bool {
        a.bind(&b) == b.bind(&a) && a.bind(&b).bind(&b) == a && a.bind(&a) == Hypervector::ZERO
    }
    QuickCheck::new().quickcheck(law as fn(Any, Any) -> bool);
}

#[test]
fn permute_rotates_and_returns() {
    fn law(Any(a): Any, shift: i32) -> bool {
        let shift = i64::from(shift);
        let turned = bits(&a.permute(shift));
        let moved = |d: usize| (d as i64 + shift).rem_euclid(DIMENSION as i64) as usize;
        bits(&a).iter().enumerate().all(|(d, &bit)| turned[moved(d)] == bit) && a.permute(shift).permute(-shift) == a
    }
    QuickCheck::new().quickcheck(law as fn(Any, i32) -> bool);
}

#[test]
fn hamming_is_a_metric_that_bind_keeps() {
    fn law(Any(a): Any, Any(b): Any, Any(c): Any) -> bool {
        let naive = bits(&a).iter().zip(bits(&b)).filter(|(a, b)| **a != *b).count() as u32;
        a.hamming(&b) == naive
            && a.hamming(&b) == b.hamming(&a)
            && a.hamming(&a) == 0
            && a.hamming(&c) <= a.hamming(&b) + b.hamming(&c)
            && a.bind(&c).hamming(&b.bind(&c)) == a.hamming(&b)
    }
    QuickCheck::new().quickcheck(law as fn(Any, Any, Any) -> bool);
}

#[test]
fn counter_counts_as_plain_addition_does() {
    fn law(terms: Vec<(Any, i32)>) -> bool {
        let terms = small(terms);
        let naive = sums(&terms);
        count(&terms).sums() == naive && count(&terms).threshold(tie()) == threshold(&naive)
    }
    QuickCheck::new().quickcheck(law as fn(Vec<(Any, i32)>) -> bool);
}

#[test]
fn counter_holds_the_largest_weights() {
    let (a, b) = (from_name(b"a"), from_name(b"b"));
    let terms = [(Any(a), i32::MAX - 5), (Any(b), -5)];
    assert_eq!(count(&terms).sums(), sums(&terms));
    assert_eq!(count(&terms).threshold(tie()), a);
}

#[test]
fn threshold_is_the_majority_and_ties_take_the_tie_bit() {
    fn law(Any(a): Any, Any(b): Any) -> bool {
        let bundle = bits(&count(&[(Any(a), 1), (Any(b), 1)]).threshold(tie()));
        (0..DIMENSION).all(|d| bundle[d] == if a.bit(d) == b.bit(d) { a.bit(d) } else { tie().bit(d) })
    }
    QuickCheck::new().quickcheck(law as fn(Any, Any) -> bool);
    assert_eq!(Counter::new().threshold(tie()), *tie());
}

#[test]
fn a_lexicon_counts_each_feature_of_a_text_once_however_few_it_keeps() {
    fn law(texts: Vec<Vec<u8>>, features: u8, pairs: u8) -> bool {
        // 32 words with some of 48 features, whose weights are 1 to 3.
        let names: Vec<String> = (0..48).map(|i| format!("feature {i}")).collect();
        let has = |word: usize| (0..48).filter(move |feature| (word * 7 + feature * 5) % 11 < 3);
        let weight = |feature: usize| 1 + feature as u32 % 3;
        let mut lexicon = Lexicon::keeping(usize::from(features % 40), usize::from(pairs % 20));
        for word in 0..32 {
            let number = lexicon.add(
                format!("w{word}").as_bytes(),
                has(word).map(|feature| (names[feature].as_bytes(), weight(feature))),
            );
            assert_eq!(number as usize, word);
        }
        let texts: Vec<Vec<u32>> =
            texts.iter().map(|text| text.iter().map(|word| u32::from(word % 32)).collect()).collect();
        let mut end = 0;
        let ends: Vec<u32> = texts
            .iter()
            .map(|text| {
                end += text.len() as u32;
                end
            })
            .collect();
        let together: Vec<Hypervector> = lexicon.signatures(&texts.concat(), &ends).collect();
        texts.iter().zip(together).all(|(text, one_of_many)| {
            let mut wanted = Counter::new();
            for (feature, name) in names.iter().enumerate() {
                if text.iter().any(|&word| has(word as usize).any(|one| one == feature)) {
                    wanted.add(&from_name(name.as_bytes()), weight(feature) as i32);
                }
            }
            let mut pairs: Vec<String> =
                text.windows(2).map(|pair| format!("pair:w{} w{}", pair[0], pair[1])).collect();
            pairs.sort();
            pairs.dedup();
            for pair in pairs {
                wanted.add(&from_name(pair.as_bytes()), 1);
            }
            let wanted = wanted.threshold(tie());
            lexicon.signature(text) == wanted && one_of_many == wanted
        })
    }
    QuickCheck::new().quickcheck(law as fn(Vec<Vec<u8>>, u8, u8) -> bool);
}

#[test]
fn quantise_rounds_to_four_bits() {
    fn law(terms: Vec<(Any, i32)>) -> bool {
        let sum = sums(&small(terms));
        let max = sum.iter().map(|s| i64::from(s.unsigned_abs())).max().unwrap();
        let (query, squares) = quantise(&sum);
        let wanted = |d: usize| {
            let s = i64::from(sum[d].unsigned_abs());
            if max == 0 { 0 } else { ((30 * s + max) / (2 * max)) as i32 }
        };
        query.signs == threshold(&sum)
            && (0..DIMENSION).all(|d| magnitude(&query, d) == wanted(d))
            && squares as i32 == (0..DIMENSION).map(|d| wanted(d) * wanted(d)).sum::<i32>()
    }
    QuickCheck::new().quickcheck(law as fn(Vec<(Any, i32)>) -> bool);
}

#[test]
fn scan_finds_what_sorting_would() {
    fn law(Search { changes, terms, weighted, k, allow }: Search) -> bool {
        let (mut arena, mut model) = (Arena::new(), std::collections::BTreeMap::new());
        for change in changes {
            match change {
                Change::Set(slot, name) => {
                    let signature = from_name(&[name]);
                    arena.set(slot, &signature).unwrap();
                    model.insert(slot, signature);
                }
                Change::Clear(slot) => {
                    arena.clear(slot);
                    model.remove(&slot);
                }
            }
        }
        let sum = sums(&terms);
        let query = if weighted { quantise(&sum).0 } else { Query { signs: threshold(&sum), planes: None } };
        let allowed = |slot: u32| {
            let word = |words: &Vec<u32>| words.get(slot as usize / 32).copied().unwrap_or(0);
            allow.as_ref().is_none_or(|words| word(words) >> (slot % 32) & 1 == 1)
        };
        let mut all: Vec<Hit> = model.iter().map(|(&slot, x)| Hit { slot, score: naive_score(&query, x) }).collect();
        let slots: Vec<u32> = model.keys().copied().chain([5, 6]).collect();
        let scores: Vec<Option<i32>> = all.iter().map(|hit| Some(hit.score)).chain([None, None]).collect();
        all.retain(|hit| allowed(hit.slot));
        all.sort_by_key(|hit| (-hit.score, hit.slot));
        all.truncate(k);
        arena.size() == model.len()
            && arena.scan(&query, k, allow.as_deref()) == all
            && arena.score(&query, &slots) == scores
            && model.iter().all(|(&slot, x)| arena.get(slot) == Some(*x))
    }
    QuickCheck::new().quickcheck(law as fn(Search) -> bool);
}

#[test]
fn scan_reaches_every_row_of_many_chunks() {
    let mut arena = Arena::new();
    let signature = |slot: u32| from_name(&slot.to_le_bytes());
    for slot in 0..9500 {
        arena.set(3 * slot, &signature(slot)).unwrap();
    }
    for slot in (0..9500).step_by(7) {
        arena.clear(3 * slot);
    }
    for slot in (0..9500).step_by(101) {
        let best = arena.scan(&Query { signs: signature(slot), planes: None }, 1, None)[0];
        assert_eq!(best == Hit { slot: 3 * slot, score: 8192 }, slot % 7 != 0);
    }
    let all = arena.scan(&Query { signs: *tie(), planes: None }, 20_000, None);
    assert_eq!(all.len(), arena.size());
    assert!(all.windows(2).all(|two| (-two[0].score, two[0].slot) < (-two[1].score, two[1].slot)));
}

#[test]
fn projection_keeps_angles() {
    fn law(seed: u32, length: u16, mix: f32) -> bool {
        let length = 1 + usize::from(length) % 1200;
        let mut state = u64::from(seed) | 1;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f32 / (1 << 24) as f32 - 0.5
        };
        let mix = if mix.is_finite() { mix % 3.0 } else { 0.0 };
        let a: Vec<f32> = (0..length).map(|_| next()).collect();
        let b: Vec<f32> = a.iter().map(|x| mix * x + next()).collect();
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum::<f64>();
        let cosine = dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt();
        let angle = cosine.clamp(-1.0, 1.0).acos() / core::f64::consts::PI;
        // Six standard deviations of 8192 fair coins.
        (f64::from(project(&a).hamming(&project(&b))) / 8192.0 - angle).abs() < 6.0 * 0.5 / 8192f64.sqrt()
    }
    QuickCheck::new().quickcheck(law as fn(u32, u16, f32) -> bool);
}

#[test]
fn projection_knows_no_scale_and_turns_with_the_sign() {
    let a: Vec<f32> = (0..300).map(|i| (i as f32).sin()).collect();
    let scaled = |factor: f32| project(&a.iter().map(|x| x * factor).collect::<Vec<f32>>());
    assert_eq!(scaled(1024.0), scaled(1.0));
    assert_eq!(scaled(-1.0).hamming(&scaled(1.0)), 8192);
    assert_ne!(project(&[f32::MAX, f32::MAX]), *tie());
    assert_ne!(project(&[f32::from_bits(1)]), *tie());
}

/// Sums of few terms, and other rows: the greatest product of each with a term, in the plainest loops.
#[test]
fn max_sim_is_the_greatest_product_of_a_term() {
    fn law(pattern: Vec<i8>, length: u8, picks: Vec<u8>, cuts: Vec<u8>) -> bool {
        let (length, rows, count) = (usize::from(length) % 40 + 1, 5, 3);
        let filled = |numbers: usize, from: usize| -> Vec<i8> {
            (0..numbers).map(|i| pattern.get((i * i + from) % pattern.len().max(1)).copied().unwrap_or(-128)).collect()
        };
        let (row_bytes, others) = (filled(rows * length, 0), filled(count * length, 3));
        let factors = [0.5, -1.0, 0.0, 1.0 / 3.0, 2.0];
        let terms: Vec<u16> = picks.iter().map(|&pick| u16::from(pick) % 5).collect();
        let mut ends: Vec<u32> = cuts.iter().map(|&cut| u32::from(cut).min(terms.len() as u32)).collect();
        ends.sort_unstable();
        let found = max_sim(Terms { rows: &row_bytes, factors: &factors, terms: &terms, ends: &ends }, &others, length);
        let mut start = 0;
        let mut expected = Vec::new();
        for &end in &ends {
            for other in others.chunks(length) {
                let products = terms[start..end as usize].iter().map(|&term| {
                    let row = &row_bytes[usize::from(term) * length..][..length];
                    let product: i32 = row.iter().zip(other).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum();
                    factors[usize::from(term)] * f64::from(product)
                });
                expected.push(products.fold(0.0, f64::max));
            }
            start = end as usize;
        }
        found == expected
    }
    QuickCheck::new().quickcheck(law as fn(Vec<i8>, u8, Vec<u8>, Vec<u8>) -> bool);
}
