//! What JavaScript sees. The caller checks its arguments; lengths that are wrong here are a defect
//! and stop the program.

use crate::blake3::hash;
use crate::prng::fill_from_seed;
use crate::{
    Arena, BYTES, Batch, Counter, Digest, Hit, Hypervector, LAYOUT, Lexicon, PLANES, Query, RestoreError, Terms,
};
use agidb_fast::cipher;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::{vec, vec::Vec};
use wasm_bindgen::prelude::*;

fn vector(bytes: &[u8]) -> Hypervector {
    let Some(vector) = Hypervector::from_bytes(bytes) else { unreachable!("a hypervector has 1024 bytes") };
    vector
}

fn query(signs: &[u8], planes: &[u8]) -> Query {
    let planes = (!planes.is_empty())
        .then(|| Box::new(core::array::from_fn::<_, PLANES, _>(|p| vector(&planes[p * BYTES..(p + 1) * BYTES]))));
    Query { signs: vector(signs), planes }
}

#[wasm_bindgen]
pub fn bind(a: &[u8], b: &[u8]) -> Vec<u8> {
    vector(a).bind(&vector(b)).to_bytes()
}

#[wasm_bindgen]
pub fn permute(a: &[u8], shift: i32) -> Vec<u8> {
    vector(a).permute(shift.into()).to_bytes()
}

/// `vectors` holds `weights.len()` hypervectors one after the other.
#[wasm_bindgen]
pub fn bundle(vectors: &[u8], weights: &[i32]) -> Vec<u8> {
    let mut counter = Counter::new();
    for (bytes, &weight) in vectors.chunks_exact(BYTES).zip(weights) {
        counter.add(&vector(bytes), weight);
    }
    counter.threshold(crate::tie()).to_bytes()
}

#[wasm_bindgen]
pub fn hamming(a: &[u8], b: &[u8]) -> u32 {
    vector(a).hamming(&vector(b))
}

#[wasm_bindgen(js_name = fromSeed)]
pub fn from_seed(seed: &[u8]) -> Vec<u8> {
    let Some(seed) = seed.first_chunk() else { unreachable!() };
    crate::from_seed(seed).to_bytes()
}

#[wasm_bindgen(js_name = fromName)]
pub fn from_name(name: &[u8]) -> Vec<u8> {
    crate::from_name(name).to_bytes()
}

/// Names are packed one after the other; `ends[i]` is where name `i` ends.
#[wasm_bindgen]
pub fn superpose(names: &[u8], ends: &[u32], weights: &[i32]) -> Vec<i32> {
    count(names, ends, weights).sums()
}

#[wasm_bindgen(js_name = textSignature)]
pub fn text_signature(names: &[u8], ends: &[u32], weights: &[i32]) -> Vec<u8> {
    count(names, ends, weights).threshold(crate::tie()).to_bytes()
}

/// Names that are packed: see [`superpose`].
fn unpack<'a>(names: &'a [u8], ends: &'a [u32]) -> impl Iterator<Item = &'a [u8]> {
    let mut start = 0;
    ends.iter().map(move |&end| &names[core::mem::replace(&mut start, end as usize)..end as usize])
}

fn count(names: &[u8], ends: &[u32], weights: &[i32]) -> Counter {
    let mut counter = Counter::new();
    let mut vector = Hypervector::ZERO;
    for (name, &weight) in unpack(names, ends).zip(weights) {
        fill_from_seed(&hash(name), &mut vector);
        counter.add(&vector, weight);
    }
    counter
}

#[wasm_bindgen]
pub fn threshold(sum: &[i32]) -> Vec<u8> {
    crate::threshold(sum).to_bytes()
}

/// Writes signs and planes; returns the sum of the squared magnitudes.
#[wasm_bindgen]
pub fn quantise(sum: &[i32], signs: &mut [u8], planes: &mut [u8]) -> u32 {
    write(crate::quantise(sum), signs, planes)
}

fn write((query, squares): (Query, u32), signs: &mut [u8], planes: &mut [u8]) -> u32 {
    signs.copy_from_slice(&query.signs.to_bytes());
    for (bytes, plane) in planes.chunks_exact_mut(BYTES).zip(query.planes.iter().flat_map(|planes| planes.iter())) {
        bytes.copy_from_slice(&plane.to_bytes());
    }
    squares
}

#[wasm_bindgen]
pub fn project(latent: &[f32]) -> Vec<u8> {
    crate::project(latent).to_bytes()
}

/// As [`quantise`].
#[wasm_bindgen(js_name = projectQuery)]
pub fn project_query(latent: &[f32], signs: &mut [u8], planes: &mut [u8]) -> u32 {
    write(crate::project_query(latent), signs, planes)
}

/// A digest of bytes that are written to its memory piece by piece.
#[wasm_bindgen]
pub struct WasmDigest {
    digest: Digest,
    space: Vec<u8>,
}

#[wasm_bindgen]
impl WasmDigest {
    #[wasm_bindgen(constructor)]
    pub fn new() -> WasmDigest {
        // What stays in the cache between being written and being read.
        WasmDigest { digest: Digest::default(), space: vec![0; 1 << 18] }
    }

    #[wasm_bindgen(getter)]
    pub fn address(&mut self) -> u32 {
        self.space.as_mut_ptr().addr() as u32
    }

    #[wasm_bindgen(getter)]
    pub fn bytes(&self) -> u32 {
        self.space.len() as u32
    }

    /// Adds as many bytes as were written.
    pub fn update(&mut self, bytes: u32) {
        self.digest.update(&self.space[..bytes as usize]);
    }

    #[wasm_bindgen(getter)]
    pub fn value(&self) -> u64 {
        self.digest.value()
    }
}

/// A text that is encrypted or decrypted where it lies. `address` leads to the key (32 bytes), the nonce (24), what is
/// authenticated with the text, the text, and 16 bytes for the tag, one after the other.
#[wasm_bindgen]
#[derive(Default)]
pub struct WasmCipher {
    space: Vec<u8>,
}

#[wasm_bindgen]
impl WasmCipher {
    #[wasm_bindgen(constructor)]
    pub fn new() -> WasmCipher {
        WasmCipher::default()
    }

    /// The address of room for so many bytes in all; it stays until more are asked for.
    pub fn room(&mut self, bytes: u32) -> u32 {
        if self.space.len() < bytes as usize {
            self.space = vec![0; bytes as usize];
        }
        self.space.as_mut_ptr().addr() as u32
    }

    pub fn seal(&mut self, associated: u32, text: u32) {
        let (key, nonce, associated, text, tag) = parts(&mut self.space, associated as usize, text as usize);
        tag.copy_from_slice(&cipher::seal(key, nonce, associated, text));
    }

    /// Whether the tag fits; otherwise the text stays as it is.
    pub fn open(&mut self, associated: u32, text: u32) -> bool {
        let (key, nonce, associated, text, tag) = parts(&mut self.space, associated as usize, text as usize);
        cipher::open(key, nonce, associated, text, tag)
    }
}

type Parts<'a> = (&'a [u8; 32], &'a [u8; 24], &'a [u8], &'a mut [u8], &'a mut [u8; cipher::TAG]);

fn parts(space: &mut [u8], associated: usize, text: usize) -> Parts<'_> {
    let Some((key, rest)) = space.split_first_chunk_mut() else { unreachable!() };
    let Some((nonce, rest)) = rest.split_first_chunk_mut() else { unreachable!() };
    let (associated, rest) = rest.split_at_mut(associated);
    let (text, rest) = rest.split_at_mut(text);
    let Some(tag) = rest.first_chunk_mut() else { unreachable!() };
    (key, nonce, associated, text, tag)
}

/// How a restoration ended.
#[wasm_bindgen]
pub enum Restored {
    Whole,
    OutOfMemory,
    SlotTwice,
}

#[wasm_bindgen(js_name = unitSums)]
pub fn unit_sums(rows: &[i8], factors: &[f64], terms: &[u16], ends: &[u32]) -> Vec<f32> {
    crate::unit_sums(Terms { rows, factors, terms, ends })
}

#[wasm_bindgen(js_name = maxSim)]
pub fn max_sim(rows: &[i8], factors: &[f64], terms: &[u16], ends: &[u32], others: &[i8], length: u32) -> Vec<f64> {
    crate::max_sim(Terms { rows, factors, terms, ends }, others, length as usize)
}

#[wasm_bindgen]
pub fn dots(vectors: &[f32], others: &[f32], length: u32) -> Vec<f64> {
    crate::dots(vectors, others, length as usize)
}

/// Hypervectors that lie where they were made until the next ones are.
#[wasm_bindgen]
#[derive(Default)]
pub struct WasmMade {
    vectors: Vec<Hypervector>,
}

#[wasm_bindgen]
impl WasmMade {
    #[wasm_bindgen(constructor)]
    pub fn new() -> WasmMade {
        WasmMade::default()
    }

    #[wasm_bindgen(getter)]
    pub fn address(&self) -> u32 {
        self.vectors.as_ptr().addr() as u32
    }

    /// Of texts, one after the other.
    pub fn texts(&mut self, lexicon: &mut WasmLexicon, words: &[u32], ends: &[u32]) {
        self.vectors.clear();
        self.vectors.extend(lexicon.0.signatures(words, ends));
    }

    /// Of sums of latents, one after the other; of one without a direction zeros, and 0 in what is answered.
    #[wasm_bindgen(js_name = projectSums)]
    pub fn project_sums(&mut self, rows: &[i8], factors: &[f64], terms: &[u16], ends: &[u32]) -> Vec<u8> {
        self.vectors.clear();
        let mut some = Vec::with_capacity(ends.len());
        for projected in crate::project_sums(Terms { rows, factors, terms, ends }) {
            some.push(projected.is_some().into());
            self.vectors.push(projected.unwrap_or(Hypervector::ZERO));
        }
        some
    }
}

#[wasm_bindgen]
pub struct WasmLexicon(Lexicon);

#[wasm_bindgen]
impl WasmLexicon {
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default)]
    pub fn new() -> WasmLexicon {
        WasmLexicon(Lexicon::new())
    }

    /// The names of the word's features are packed as for [`superpose`]; answers its number.
    pub fn add(&mut self, word: &[u8], names: &[u8], ends: &[u32], weights: &[u32]) -> u32 {
        self.0.add(word, unpack(names, ends).zip(weights.iter().copied()))
    }

    pub fn signature(&mut self, words: &[u32]) -> Vec<u8> {
        self.0.signature(words).to_bytes()
    }
}

#[wasm_bindgen]
pub struct WasmArena(Arena);

#[wasm_bindgen]
impl WasmArena {
    #[wasm_bindgen(constructor)]
    pub fn new(rows: u32) -> WasmArena {
        WasmArena(Arena::keeping(rows as usize))
    }

    #[wasm_bindgen(getter)]
    pub fn size(&self) -> u32 {
        self.0.size() as u32
    }

    #[wasm_bindgen(getter)]
    pub fn bytes(&self) -> f64 {
        self.0.bytes() as f64
    }

    pub fn has(&self, slot: u32) -> bool {
        self.0.has(slot)
    }

    /// How many of the signatures were set: fewer than given when memory ran out.
    #[wasm_bindgen(js_name = setMany)]
    pub fn set_many(&mut self, slots: &[u32], signatures: &[u8]) -> u32 {
        let pairs = slots.iter().zip(signatures.chunks_exact(BYTES));
        pairs.map_while(|(&slot, bytes)| self.0.set(slot, &vector(bytes)).ok()).count() as u32
    }

    pub fn clear(&mut self, slot: u32) {
        self.0.clear(slot);
    }

    pub fn get(&self, slot: u32) -> Option<Vec<u8>> {
        self.0.get(slot).map(|signature| signature.to_bytes())
    }

    /// All slots, then all scores. `planes` is empty for a binary query.
    pub fn scan(&mut self, signs: &[u8], planes: &[u8], k: u32, allow: Option<Vec<u32>>) -> Vec<i32> {
        flat(&self.0.scan(&query(signs, planes), k as usize, allow.as_deref()))
    }

    pub fn score(&mut self, signs: &[u8], planes: &[u8], slots: &[u32]) -> Vec<i32> {
        let scores = self.0.score(&query(signs, planes), slots);
        scores.into_iter().map(|score| score.unwrap_or(i32::MIN)).collect()
    }

    /// The slot of each place.
    #[wasm_bindgen(js_name = byPlace)]
    pub fn by_place(&self) -> Vec<u32> {
        self.0.by_place().to_vec()
    }

    /// The signatures that are in no block.
    pub fn rows(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.0.rows().for_each(|row| bytes.extend_from_slice(&row.to_bytes()));
        bytes
    }

    #[wasm_bindgen(getter)]
    pub fn blocks(&self) -> u32 {
        self.0.blocks() as u32
    }

    pub fn stamp(&self, block: u32) -> f64 {
        self.0.stamp_of(block as usize) as f64
    }

    /// Address and length.
    pub fn block(&mut self, number: u32) -> Vec<u32> {
        let (address, bytes) = self.0.block(number as usize);
        vec![address.addr() as u32, bytes as u32]
    }

    /// Whether there were rows to make; none without memory for them.
    #[wasm_bindgen(js_name = makeRows)]
    pub fn make_rows(&mut self) -> bool {
        self.0.make_rows().unwrap_or(false)
    }

    pub fn restore(&mut self, by_place: &[u32], rows: &[u8]) -> Restored {
        match self.0.restore(by_place, rows.chunks_exact(BYTES).map(vector)) {
            Ok(()) => Restored::Whole,
            Err(RestoreError::OutOfMemory) => Restored::OutOfMemory,
            Err(RestoreError::SlotTwice) => Restored::SlotTwice,
        }
    }

    /// The number of each awaited block, and how many signatures are to come with it.
    pub fn awaited(&self) -> Vec<u32> {
        let mut awaited = Vec::new();
        for (number, signatures) in self.0.awaited() {
            awaited.extend_from_slice(&[number, signatures as u32]);
        }
        awaited
    }

    pub fn awaits(&self, slot: u32) -> Option<u32> {
        self.0.awaits(slot)
    }

    #[wasm_bindgen(js_name = awaitedSlots)]
    pub fn awaited_slots(&self, number: u32) -> Vec<u32> {
        self.0.awaited_slots(number)
    }

    /// Address and length; empty where the block is not awaited.
    pub fn more(&mut self, number: u32, bytes: u32) -> Vec<u32> {
        let found = self.0.more(number, bytes as usize);
        found.map_or(Vec::new(), |(address, bytes)| vec![address.addr() as u32, bytes as u32])
    }

    pub fn admit(&mut self, number: u32) -> bool {
        self.0.admit(number)
    }
}

/// The scans that no recall asks. A page loads the kernel without them.
#[cfg(feature = "scans")]
#[wasm_bindgen]
impl WasmArena {
    /// As [`WasmArena::scan`].
    #[wasm_bindgen(js_name = scanPruned)]
    pub fn scan_pruned(&mut self, signs: &[u8], planes: &[u8], k: u32, allow: Option<Vec<u32>>) -> Vec<i32> {
        flat(&self.0.scan_pruned(&query(signs, planes), k as usize, allow.as_deref()))
    }

    /// The same for queries one after the other; `weighted` says which of them have planes.
    #[wasm_bindgen(js_name = scanMany)]
    pub fn scan_many(
        &mut self,
        signs: &[u8],
        planes: &[u8],
        weighted: &[u8],
        k: u32,
        allow: Option<Vec<u32>>,
    ) -> Vec<i32> {
        let mut planes = planes.chunks_exact(PLANES * BYTES);
        let planes = weighted.iter().map(|&weighted| if weighted == 0 { None } else { planes.next() });
        let queries = signs.chunks_exact(BYTES).zip(planes).map(|(signs, planes)| query(signs, planes.unwrap_or(&[])));
        let hits = self.0.scan_many(&queries.collect::<Vec<_>>(), k as usize, allow.as_deref());
        // As many for each: the same slots are candidates.
        flat(&hits.concat())
    }
}

#[wasm_bindgen]
#[derive(Default)]
pub struct WasmBatch(Batch);

#[wasm_bindgen]
impl WasmBatch {
    #[wasm_bindgen(constructor)]
    pub fn new() -> WasmBatch {
        WasmBatch::default()
    }

    /// The address of room for so many signatures; none without memory for them.
    pub fn room(&mut self, signatures: u32) -> Option<u32> {
        self.0.room(signatures as usize).ok().map(|room| room.as_mut_ptr().addr() as u32)
    }

    pub fn score(&self, signs: &[u8], planes: &[u8], count: u32) -> Vec<i32> {
        self.0.score(&query(signs, planes), count as usize)
    }

    #[wasm_bindgen(getter)]
    pub fn bytes(&self) -> f64 {
        self.0.bytes() as f64
    }
}

fn flat(hits: &[Hit]) -> Vec<i32> {
    let mut flat = Vec::with_capacity(2 * hits.len());
    flat.extend(hits.iter().map(|hit| hit.slot as i32));
    flat.extend(hits.iter().map(|hit| hit.score));
    flat
}

/// How blocks are laid out.
#[wasm_bindgen]
pub fn layout() -> String {
    LAYOUT.to_owned()
}
