//! The graphs as JavaScript sees them. Weights cross as numbers, walks as the words of this package.

use crate::{AssociationGraph, EntityGraph, EntityWalk, Over, Rank, TagTable, TemporalChain};
use alloc::vec::Vec;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
#[derive(Default)]
pub struct WasmAssociations(AssociationGraph);

#[wasm_bindgen]
impl WasmAssociations {
    #[wasm_bindgen(constructor)]
    pub fn new() -> WasmAssociations {
        WasmAssociations::default()
    }

    /// Nodes, edges, or bytes.
    pub fn size(&self, of: u32) -> u32 {
        (match of {
            0 => self.0.nodes(),
            1 => self.0.edges(),
            _ => self.0.bytes(),
        }) as u32
    }

    pub fn weight(&self, a: u32, b: u32) -> f32 {
        self.0.weight(a, b)
    }

    /// Slots, each with the bits of its weight.
    pub fn neighbours(&self, slot: u32) -> Vec<u32> {
        self.0.neighbours(slot).as_flattened().to_vec()
    }

    pub fn set(&mut self, a: u32, b: u32, weight: f32) -> f32 {
        self.0.set(a, b, weight)
    }

    pub fn decay(&mut self, factor: f32, from: u32, end: u32) {
        self.0.decay(factor, from, end);
    }

    pub fn activate(&self, seeds: &[u32], strengths: &[f32], depth: u32, most: u32, attenuation: f32) -> Vec<u32> {
        self.0.activate(seeds, strengths, depth, most as usize, attenuation)
    }

    pub fn save(&self) -> Vec<u8> {
        self.0.save()
    }

    /// Whether it was saved so; otherwise the graph is to be freed.
    pub fn load(&mut self, body: &[u8], count: u32) -> bool {
        self.0.load(body, count as usize).is_some()
    }
}

#[wasm_bindgen]
#[derive(Default)]
pub struct WasmChain(TemporalChain);

#[wasm_bindgen]
impl WasmChain {
    #[wasm_bindgen(constructor)]
    pub fn new() -> WasmChain {
        WasmChain::default()
    }

    /// Nodes, or bytes.
    pub fn size(&self, of: u32) -> u32 {
        (if of == 0 { self.0.nodes() } else { self.0.bytes() }) as u32
    }

    /// The next slot of its list, or the previous one.
    pub fn step(&self, slot: u32, forward: bool) -> u32 {
        self.0.step(slot, forward)
    }

    pub fn session(&self, slot: u32) -> Option<u32> {
        self.0.session(slot)
    }

    pub fn insert(&mut self, slot: u32, session: u32, previous: u32, next: u32) {
        self.0.insert(slot, session, previous, next);
    }

    pub fn remove(&mut self, slot: u32) -> bool {
        self.0.remove(slot)
    }

    pub fn save(&self) -> Vec<u8> {
        self.0.save()
    }

    /// As [`WasmAssociations::load`].
    pub fn load(&mut self, body: &[u8], count: u32) -> bool {
        self.0.load(body, count as usize).is_some()
    }
}

#[wasm_bindgen]
#[derive(Default)]
pub struct WasmEntities(EntityGraph);

#[wasm_bindgen]
impl WasmEntities {
    #[wasm_bindgen(constructor)]
    pub fn new() -> WasmEntities {
        WasmEntities::default()
    }

    /// Entities, links, episodes, relations, or bytes.
    pub fn size(&self, of: u32) -> u32 {
        (match of {
            0 => self.0.entities(),
            1 => self.0.links(),
            2 => self.0.episodes(),
            3 => self.0.relation_count(),
            _ => self.0.bytes(),
        }) as u32
    }

    pub fn has(&self, entity: u32) -> bool {
        self.0.has(entity)
    }

    #[wasm_bindgen(js_name = typeOf)]
    pub fn type_of(&self, entity: u32) -> u32 {
        self.0.type_of(entity)
    }

    pub fn retype(&mut self, entity: u32, to: u32) {
        self.0.retype(entity, to);
    }

    pub fn find(&self, low: u32, high: u32) -> Option<u32> {
        self.0.find(low, high)
    }

    pub fn add(&mut self, low: u32, high: u32, of_type: u32) -> u32 {
        self.0.add(low, high, of_type)
    }

    pub fn references(&self, entity: u32) -> u32 {
        self.0.references(entity) as u32
    }

    pub fn slots(&self, entity: u32, from: u32, most: u32) -> Vec<u32> {
        let mut slots = Vec::new();
        self.0.each_slot(entity, from, &mut |slot| {
            let more = slots.len() < most as usize;
            if more {
                slots.push(slot);
            }
            more
        });
        slots
    }

    #[wasm_bindgen(js_name = entitiesOf)]
    pub fn entities_of(&self, slot: u32) -> Vec<u32> {
        self.0.entities_of(slot)
    }

    pub fn link(&mut self, entity: u32, slot: u32) -> bool {
        self.0.link(entity, slot)
    }

    pub fn unlink(&mut self, entity: u32, slot: u32) -> bool {
        self.0.unlink(entity, slot)
    }

    pub fn relation(&self, from: u32, to: u32, of_type: u32) -> f32 {
        self.0.relation(from, to, of_type)
    }

    #[wasm_bindgen(js_name = setRelation)]
    pub fn set_relation(&mut self, from: u32, to: u32, of_type: u32, weight: f32) -> f32 {
        self.0.set_relation(from, to, of_type, weight)
    }

    /// Of each the other entity, its type with a bit for its direction, and the bits of its weight.
    pub fn relations(&self, entity: u32) -> Vec<u32> {
        self.0.relations(entity).to_vec()
    }

    #[wasm_bindgen(js_name = dropIfBare)]
    pub fn drop_if_bare(&mut self, entity: u32) {
        self.0.drop_if_bare(entity);
    }

    pub fn specificity(&self, entity: u32) -> f32 {
        self.0.specificity(entity)
    }

    #[allow(clippy::too_many_arguments)]
    pub fn activate(
        &self,
        seeds: &[u32],
        strengths: &[f32],
        depth: u32,
        attenuation: f32,
        fan: u32,
        most: u32,
        answer: u32,
    ) -> Vec<u32> {
        let walk = EntityWalk { depth, attenuation, fan: fan as usize, most: most as usize, answer };
        self.0.activate(seeds, strengths, &walk)
    }

    pub fn save(&self) -> Vec<u8> {
        self.0.save()
    }

    /// As [`WasmAssociations::load`].
    pub fn load(&mut self, body: &[u8], count: u32) -> bool {
        self.0.load(body, count as usize).is_some()
    }
}

#[wasm_bindgen]
pub struct WasmTags(TagTable);

#[wasm_bindgen]
impl WasmTags {
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: u32) -> WasmTags {
        WasmTags(TagTable::new(bytes as usize))
    }

    /// Links, or bytes.
    pub fn size(&self, of: u32) -> u32 {
        (if of == 0 { self.0.size() } else { self.0.bytes() }) as u32
    }

    /// The words of a link, or none.
    pub fn get(&self, key: &[u32]) -> Vec<u32> {
        key.first_chunk().and_then(|&key| self.0.get(key)).unwrap_or_default().to_vec()
    }

    pub fn set(&mut self, link: &[u32]) {
        if let Some(link) = link.first_chunk() {
            self.0.set(link);
        }
    }

    pub fn remove(&mut self, key: &[u32]) -> bool {
        key.first_chunk().is_some_and(|&key| self.0.remove(key))
    }

    pub fn links(&self, low: u32, high: u32, side: u32) -> Vec<u32> {
        self.0.links(low, high, side)
    }

    pub fn decay(&mut self, factor: f32) {
        self.0.decay(factor);
    }
}

/// `weights` and `counts` are the fields of [`Rank`] in their order.
#[wasm_bindgen(js_name = pageRank)]
pub fn page_rank(
    associations: &WasmAssociations,
    chain: &WasmChain,
    entities: &WasmEntities,
    seeds: &[u32],
    strengths: &[f32],
    weights: &[f32],
    counts: &[u32],
) -> Vec<u32> {
    let over = Over { associations: &associations.0, chain: &chain.0, entities: &entities.0 };
    let &[damping, epsilon, entity, relation, association, forward, backward] = weights else { unreachable!() };
    let &[iterations, hops, edges, fan, most, answer] = counts else { unreachable!() };
    let (edges, fan, most) = (edges as usize, fan as usize, most as usize);
    let weights = Rank {
        damping,
        epsilon,
        entity,
        relation,
        association,
        forward,
        backward,
        iterations,
        hops,
        edges,
        fan,
        most,
        answer,
    };
    crate::page_rank(&over, seeds, strengths, &weights)
}
