//! Arenas of more signatures than a block holds, against a map and the sum of products: what an
//! arena answers must not tell whether it counts rows or columns.

use agidb_kernel::{Arena, DIMENSION, Hit, Hypervector, PLANES, Query, from_name, from_seed, quantise, threshold};
use quickcheck::{Arbitrary, Gen, QuickCheck};
use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock};

const BLOCK: u32 = 32_768;
/// A block, and some rows of a tail.
const HELD: u32 = BLOCK + 700;

type Model = BTreeMap<u32, u32>;

/// Few signatures, so that most scores tie; made once, for they are many in a block.
fn signatures() -> &'static [Hypervector] {
    static ALL: OnceLock<Vec<Hypervector>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all: Vec<_> = (0..400u32).map(|n| from_name(&n.to_le_bytes())).collect();
        all.push(Hypervector::ZERO);
        all.push(Hypervector::from_bytes(&[255; 1024]).unwrap());
        all
    })
}

fn signature(kind: u32) -> &'static Hypervector {
    &signatures()[kind as usize % signatures().len()]
}

/// Slots in a mixed order, three apart.
fn slot(place: u32) -> u32 {
    3 * (place * 7919 % HELD)
}

fn filled(mut arena: Arena) -> (Arena, Model) {
    let mut model = Model::new();
    for place in 0..HELD {
        arena.set(slot(place), signature(place * 31)).unwrap();
        model.insert(slot(place), place * 31);
    }
    (arena, model)
}

fn weights(query: &Query) -> Vec<i32> {
    let magnitude = |d: usize| match &query.planes {
        None => 1,
        Some(planes) => (0..PLANES).map(|p| i32::from(planes[p].bit(d)) << p).sum(),
    };
    (0..DIMENSION).map(|d| if query.signs.bit(d) { magnitude(d) } else { -magnitude(d) }).collect()
}

fn scores(query: &Query) -> Vec<i32> {
    let weights = weights(query);
    let score = |x: &Hypervector| weights.iter().enumerate().map(|(d, w)| if x.bit(d) { *w } else { -*w }).sum();
    signatures().iter().map(score).collect()
}

fn contains(allow: Option<&[u32]>, slot: u32) -> bool {
    allow.is_none_or(|allow| allow.get(slot as usize / 32).is_some_and(|word| word >> (slot % 32) & 1 == 1))
}

fn assert_agrees(arena: &mut Arena, model: &Model, query: &Query, ks: &[usize], allow: Option<&[u32]>) {
    let scores = scores(query);
    let of = |kind: u32| scores[kind as usize % scores.len()];
    let mut hits: Vec<Hit> = model.iter().map(|(&slot, &kind)| Hit { slot, score: of(kind) }).collect();
    hits.retain(|hit| contains(allow, hit.slot));
    hits.sort_by_key(|hit| (-hit.score, hit.slot));
    for &k in ks {
        assert!(arena.scan(query, k, allow) == hits[..k.min(hits.len())], "k = {k}");
    }
    let both = arena.scan_many(&[binary(9), query.clone(), weighted(&[(1, 2), (2, 1)]), query.clone()], 10, allow);
    assert!(both[1] == hits[..10.min(hits.len())] && both[3] == both[1]);
    assert_eq!(both[0], arena.scan(&binary(9), 10, allow));
    let slots: Vec<u32> = (0..3 * HELD).step_by(97).collect();
    let wanted: Vec<Option<i32>> = slots.iter().map(|slot| model.get(slot).map(|&kind| of(kind))).collect();
    assert_eq!(arena.score(query, &slots), wanted);
    // And once it was counted for those that are allowed.
    arena.scan(query, 1, allow);
    assert_eq!(arena.score(query, &slots), wanted);
    assert_eq!(arena.size(), model.len());
}

fn binary(kind: u32) -> Query {
    Query { signs: *signature(kind), planes: None }
}

fn weighted(terms: &[(u32, i32)]) -> Query {
    let mut sum = vec![0; DIMENSION];
    for &(kind, weight) in terms {
        for (d, sum) in sum.iter_mut().enumerate() {
            *sum += if signature(kind).bit(d) { weight } else { -weight };
        }
    }
    quantise(&sum).0
}

/// As many dimensions as there are, or fewer, all with the same magnitude.
fn flat(kind: u32, count: usize, plane: usize) -> Query {
    let mut bytes = [0; DIMENSION / 8];
    for d in 0..count {
        let d = 7919 * d % DIMENSION;
        bytes[d / 8] |= 1 << (d % 8);
    }
    let mut planes = [Hypervector::ZERO; PLANES];
    planes[plane] = Hypervector::from_bytes(&bytes).unwrap();
    Query { signs: *signature(kind), planes: Some(Box::new(planes)) }
}

/// The extremes, too: no column, all columns, all magnitudes 15, all 0.
fn queries() -> Vec<Query> {
    let all = |sign: i32| quantise(&vec![sign; DIMENSION]).0;
    let flats = [flat(9, 512, 0), flat(10, 511, 0), flat(11, 1, 0), flat(12, 300, 2), flat(13, DIMENSION, 0)];
    let others =
        [binary(3), binary(400), binary(401), all(1), all(-1), all(0), weighted(&[(5, 4), (6, -3), (7, 1), (8, 2)])];
    others.into_iter().chain(flats).collect()
}

#[test]
fn a_block_and_a_tail_answer_as_a_map_does() {
    let (mut arena, model) = filled(Arena::new());
    let one = vec![0x8000_0001; 100];
    for query in queries() {
        assert_agrees(&mut arena, &model, &query, &[0, 1, 10, 5000, 100_000], None);
        assert_agrees(&mut arena, &model, &query, &[1, 10, 5000], Some(&one));
        assert_agrees(&mut arena, &model, &query, &[10], Some(&[]));
    }
    for place in (0..HELD).step_by(1999) {
        assert_eq!(arena.get(slot(place)).as_ref(), Some(signature(place * 31)));
    }
    assert_eq!(arena.get(1), None);
}

#[test]
fn queries_asked_together_are_answered_as_each_alone() {
    let (mut arena, _) = filled(Arena::new());
    let mask = [0x5a0f_0001; 3 * HELD as usize / 32];
    // The last two have all dimensions the same: 400 and 401 are ZERO and its complement.
    let binary: Vec<Query> = [7, 8, 9, 7, 10, 11, 12, 13, 14, 15, 9, 400, 401, 400].map(binary).into();
    for allow in [None, Some(&mask[..]), Some(&mask[..9])] {
        let alone: Vec<Vec<Hit>> = binary.iter().map(|query| arena.scan(query, 10, allow)).collect();
        for count in 1..=binary.len() {
            let from = binary.len() - count;
            assert!(arena.scan_many(&binary[from..], 10, allow) == alone[from..], "{count} queries");
        }
    }
}

#[test]
fn slots_in_their_order_and_masks_of_a_few() {
    for first in [0, 64, 5] {
        let (mut arena, mut model) = (Arena::new(), Model::new());
        for place in 0..HELD {
            arena.set(first + place, signature(place * 31)).unwrap();
            model.insert(first + place, place * 31);
        }
        for slot in [first + 40, first + 2000, first + 31_000] {
            arena.clear(slot);
            model.remove(&slot);
        }
        let mut few = vec![0; 2000];
        for run in [30..70, 1990..2010, 2047..2048, 30_900..31_100, HELD - 20..HELD + 9] {
            run.for_each(|slot| few[slot as usize / 32] |= 1 << (slot % 32));
        }
        let mixed: Vec<u32> = (0..1500u32).map(|word| word.wrapping_mul(0x9e37_79b9)).collect();
        for query in [flat(9, 512, 0), binary(3), weighted(&[(5, 4), (6, -3)])] {
            for mask in [&few, &mixed] {
                assert_agrees(&mut arena, &model, &query, &[1, 300], Some(mask));
            }
        }
    }
}

#[derive(Clone, Debug)]
enum Change {
    Set(u32, u32),
    Clear(u32),
    /// Scores between changes: what was counted before a change must not be taken for what is.
    Ask(u32),
}

impl Arbitrary for Change {
    fn arbitrary(g: &mut Gen) -> Change {
        let place = u32::arbitrary(g) % (HELD + 50);
        // New slots, beyond all others, too.
        let slot = if place < HELD { slot(place) } else { 3 * place };
        match u8::arbitrary(g) % 8 {
            0..=3 => Change::Set(slot, u32::arbitrary(g)),
            4..=6 => Change::Clear(slot),
            _ => Change::Ask(u32::arbitrary(g) % 4),
        }
    }
}

#[derive(Clone, Debug)]
struct History {
    rows: bool,
    changes: Vec<Change>,
    terms: Vec<u32>,
    mask: Option<u64>,
}

impl Arbitrary for History {
    fn arbitrary(g: &mut Gen) -> History {
        History {
            rows: bool::arbitrary(g),
            changes: (0..u8::arbitrary(g)).map(|_| Change::arbitrary(g)).collect(),
            terms: (0..4).map(|_| u32::arbitrary(g)).collect(),
            mask: Option::arbitrary(g),
        }
    }
}

#[test]
fn any_history_over_the_border_of_a_block() {
    fn law(History { rows, changes, terms, mask }: History) -> bool {
        // One arena for all, and one that keeps rows: histories add up.
        static ARENAS: Mutex<Vec<(Arena, Model)>> = Mutex::new(Vec::new());
        let mut arenas = ARENAS.lock().unwrap();
        if arenas.is_empty() {
            arenas.extend([filled(Arena::new()), filled(Arena::keeping(BLOCK as usize))]);
        }
        let (arena, model) = &mut arenas[usize::from(rows)];
        let queries = [
            binary(terms[0]),
            flat(terms[1], terms[2] as usize % 1200, 0),
            weighted(&[(terms[1], 3), (terms[2], -2), (terms[3], 1)]),
        ];
        for change in changes {
            match change {
                Change::Set(slot, kind) => {
                    arena.set(slot, signature(kind)).unwrap();
                    model.insert(slot, kind);
                }
                Change::Clear(slot) => {
                    arena.clear(slot);
                    model.remove(&slot);
                }
                Change::Ask(which) => drop(arena.scan(&queries[which as usize % 3], 3, None)),
            }
        }
        let mask: Option<Vec<u32>> = mask.map(|seed| {
            let bits = from_seed(&core::array::from_fn(|i| seed.to_le_bytes()[i % 8])).to_bytes();
            let words: Vec<u32> = bits.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
            // A stretch of slots, with none before.
            let start = seed as usize % (3 * HELD as usize / 32);
            [vec![0; start], words].concat()
        });
        for query in &queries {
            assert_agrees(arena, model, query, &[1, 20], mask.as_deref());
        }
        model.keys().step_by(6007).all(|&slot| arena.get(slot).as_ref() == Some(signature(model[&slot])))
    }
    QuickCheck::new().tests(12).quickcheck(law as fn(History) -> bool);
}

#[test]
fn a_block_half_empty_gives_its_rows_back_and_its_memory() {
    let (mut arena, mut model) = filled(Arena::new());
    let full = arena.bytes();
    for place in 0..BLOCK {
        if place % 16 != 0 {
            arena.clear(slot(place));
            model.remove(&slot(place));
        }
    }
    assert!(arena.bytes() < full / 2 + 20_000_000, "{} of {full}", arena.bytes());
    for query in queries() {
        assert_agrees(&mut arena, &model, &query, &[10, 100_000], None);
    }
    // And full again, twice over.
    for place in 0..2 * BLOCK {
        arena.set(10 * place, signature(place)).unwrap();
        model.insert(10 * place, place);
    }
    for query in queries() {
        assert_agrees(&mut arena, &model, &query, &[10, 100_000], None);
    }
}

#[test]
fn an_arena_answers_as_a_map_does_while_its_last_block_grows() {
    for keep in [0, HELD as usize] {
        let (mut arena, mut model) = (Arena::keeping(keep), Model::new());
        for place in 0..14_000 {
            arena.set(slot(place), signature(place * 31)).unwrap();
            model.insert(slot(place), place * 31);
            if place % 7 == 0 {
                // In columns that moved already, in such as did not, and in rows.
                arena.set(slot(place / 2), signature(place)).unwrap();
                model.insert(slot(place / 2), place);
            }
            if place % 11 == 0 {
                arena.clear(slot(place / 3));
                model.remove(&slot(place / 3));
            }
            if place % 1009 == 0 || [6143, 6144, 6200, 6656, 12_300].contains(&place) {
                assert_agrees(&mut arena, &model, &weighted(&[(place, 3), (5, -2)]), &[10], None);
                assert_agrees(&mut arena, &model, &binary(place), &[10, 20_000], Some(&vec![0x0f00_8001; 2000]));
                for slot in [slot(place), slot(place / 2 + 1)] {
                    assert_eq!(arena.get(slot).as_ref(), model.get(&slot).map(|&kind| signature(kind)));
                }
            }
        }
        // Until it is not worth a block.
        for place in 0..12_000 {
            arena.clear(slot(place));
            model.remove(&slot(place));
        }
        assert_agrees(&mut arena, &model, &binary(3), &[10, 20_000], None);
    }
}

#[test]
fn what_an_arena_takes_is_near_to_what_it_holds() {
    let mut arena = Arena::new();
    let mut held = 0;
    for count in [1000u32, 5000, 10_876, 20_000, 32_768, 50_000, 65_536] {
        for place in held..count {
            arena.set(place, signature(place)).unwrap();
        }
        held = count;
        // At most twice, while columns move, and once more what is begun with; the sums and the table of slots.
        let most = 1024 * (held as usize + held.min(BLOCK) as usize * 3 / 2) + 10_000_000;
        assert!((1024 * held as usize..most).contains(&arena.bytes()), "{} of {held}", arena.bytes());
    }
}

#[test]
fn scores_of_columns_are_those_of_rows() {
    let (mut many, _) = filled(Arena::new());
    let mut few = Arena::new();
    for kind in 0..402 {
        few.set(kind, signature(kind)).unwrap();
        many.set(slot(kind), signature(kind)).unwrap();
    }
    for query in queries().into_iter().chain([Query { signs: threshold(&[0; DIMENSION]), planes: None }]) {
        let slots: Vec<u32> = (0..402).collect();
        let elsewhere: Vec<u32> = slots.iter().map(|&kind| slot(kind)).collect();
        assert_eq!(many.score(&query, &elsewhere), few.score(&query, &slots));
    }
}
