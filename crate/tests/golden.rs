//! The vectors that `tools/make-golden.ts` computed with other implementations.

use agidb_kernel::{Counter, Hypervector, from_name, from_seed, project, tie};
use serde_json::Value;

fn rows(json: &str) -> Vec<Value> {
    let rows: Vec<Value> = serde_json::from_str(json).expect("the golden file is an array");
    assert!(rows.len() > 3);
    rows
}

fn assert_digest(vector: &Hypervector, row: &Value) {
    let hash = blake3::hash(&vector.to_bytes()).to_hex();
    assert_eq!(hash.as_str(), row["blake3"].as_str().unwrap(), "{row}");
}

#[test]
fn names() {
    for row in rows(include_str!("../../test/golden/from-name.json")) {
        assert_digest(&from_name(row["name"].as_str().unwrap().as_bytes()), &row);
    }
}

#[test]
fn a_name_of_any_length_is_hashed_as_the_blake3_crate_hashes_it() {
    let bytes: Vec<u8> = (0..20_000u32).map(|i| (i.wrapping_mul(0x9e37_79b9) >> 24) as u8).collect();
    // Around the ends of blocks and chunks, and trees of one to nineteen chunks.
    for length in
        (0..200).chain((960..3200).step_by(7)).chain((1..20).flat_map(|n| [1024 * n - 1, 1024 * n, 1024 * n + 1]))
    {
        let name = &bytes[..length];
        assert!(from_name(name) == from_seed(blake3::hash(name).as_bytes()), "{length} bytes");
    }
}

#[test]
fn seeds() {
    for row in rows(include_str!("../../test/golden/from-seed.json")) {
        let hex = row["seed"].as_str().unwrap();
        let seed = core::array::from_fn(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap());
        assert_digest(&from_seed(&seed), &row);
    }
}

#[test]
fn text_signatures() {
    for row in rows(include_str!("../../test/golden/text-signature.json")) {
        let mut counter = Counter::new();
        for (name, weight) in row["names"].as_array().unwrap().iter().zip(row["weights"].as_array().unwrap()) {
            counter.add(&from_name(name.as_str().unwrap().as_bytes()), weight.as_i64().unwrap() as i32);
        }
        assert_digest(&counter.threshold(tie()), &row);
    }
}

#[test]
fn projections() {
    for row in rows(include_str!("../../test/golden/project.json")) {
        let latent: Vec<f32> = row["latent"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap() as f32).collect();
        assert_digest(&project(&latent), &row);
    }
}
