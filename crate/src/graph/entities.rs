use crate::image::{Reader, must, write};
use crate::list::List;
use crate::names::{HIGH, LOW, Names};
use crate::pages::{PAGE, Pages};
use crate::pool::Pool;
use crate::reach::{Reach, order, slot_key};
use crate::relations::{self, OUTGOING, Relations};
use crate::{FIRST_ENTITY, LEAST_WEIGHT, MAX_NODE, is_weight, list};
use alloc::vec;
use alloc::vec::Vec;

/// Words of an entity: type, hash (2), the list of its slots (7), how many relations and the block of them, and four that
/// are free.
const WORDS: usize = 16;
const TYPE: usize = 0;
const LIST: usize = 3;
/// The bit of the first word of an entity that is there.
const THERE: u32 = 1 << 8;
const ENTITY_TYPES: u32 = 22;
const RELATION_TYPES: u32 = 21;

/// Entities by the hashes of their names, the slots that name them, and relations between them.
pub struct EntityGraph {
    nodes: Pages,
    names: Names,
    relations: Relations,
    /// The list of the entities of each slot.
    by_slot: Pages,
    /// Of all lists.
    blocks: Pool,
    links: usize,
    episodes: usize,
    relation_count: usize,
    /// No number below this one is free.
    taken: u32,
}

impl Default for EntityGraph {
    fn default() -> EntityGraph {
        EntityGraph {
            nodes: Pages::new(WORDS),
            names: Names::default(),
            relations: Relations::default(),
            by_slot: Pages::new(size_of::<List>() / 4),
            blocks: Pool::new(list::BLOCK),
            links: 0,
            episodes: 0,
            relation_count: 0,
            taken: 0,
        }
    }
}

fn list_of(node: &[u32]) -> &List {
    let Some(list) = node[LIST..].first_chunk() else { unreachable!() };
    list
}

fn list_mut(words: &mut [u32]) -> &mut List {
    let Some(list) = words.first_chunk_mut() else { unreachable!() };
    list
}

/// The logarithm to base 2 of a number of 1 or more, linear between powers of two.
fn linear_log2(x: f32) -> f32 {
    let bits = x.to_bits();
    let exponent = (bits >> 23) as f32 - 127.0;
    exponent + (bits & 0x7f_ffff) as f32 / 8_388_608.0
}

impl EntityGraph {
    /// Entities.
    pub fn entities(&self) -> usize {
        self.names.size
    }

    /// Pairs of an entity and a slot.
    pub fn links(&self) -> usize {
        self.links
    }

    /// Slots that name an entity.
    pub fn episodes(&self) -> usize {
        self.episodes
    }

    /// Relations.
    pub fn relation_count(&self) -> usize {
        self.relation_count
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        let pools = self.relations.bytes() + self.blocks.bytes();
        self.nodes.bytes() + self.names.bytes() + self.by_slot.bytes() + pools
    }

    fn node(&self, entity: u32) -> &[u32] {
        let Some(node) = self.nodes.node(entity) else { unreachable!() };
        node
    }

    /// Whether there is an entity of this number.
    pub fn has(&self, entity: u32) -> bool {
        self.nodes.node(entity).is_some_and(|node| node[TYPE] & THERE > 0)
    }

    /// The hash of its name.
    pub fn hash(&self, entity: u32) -> u64 {
        let node = self.node(entity);
        u64::from(node[HIGH]) << 32 | u64::from(node[LOW])
    }

    /// The number of its type.
    pub fn type_of(&self, entity: u32) -> u32 {
        self.node(entity)[TYPE] ^ THERE
    }

    /// Gives it another type.
    pub fn retype(&mut self, entity: u32, to: u32) {
        self.nodes.node_mut(entity)[TYPE] = to | THERE;
    }

    /// The entity whose name has this hash.
    pub fn find(&self, low: u32, high: u32) -> Option<u32> {
        self.names.find(&self.nodes, low, high)
    }

    /// The number of the entity whose name has this hash; a new one gets the lowest that is free.
    pub fn add(&mut self, low: u32, high: u32, of_type: u32) -> u32 {
        if let Some(known) = self.find(low, high) {
            return known;
        }
        let mut entity = self.taken;
        while self.has(entity) {
            entity += if entity.is_multiple_of(PAGE) && self.nodes.is_full(entity) { PAGE } else { 1 };
        }
        self.taken = entity + 1;
        self.put(entity, low, high, of_type);
        entity
    }

    fn put(&mut self, entity: u32, low: u32, high: u32, of_type: u32) {
        let node = self.nodes.take(entity);
        (node[TYPE], node[LOW], node[HIGH]) = (of_type | THERE, low, high);
        self.names.insert(&self.nodes, entity, high);
    }

    /// Removes an entity that has neither a slot nor a relation.
    pub fn drop_if_bare(&mut self, entity: u32) {
        let node = self.node(entity);
        if list::count(list_of(node)) > 0 || relations::degree(node) > 0 {
            return;
        }
        let (low, high) = (node[LOW], node[HIGH]);
        self.names.remove(&self.nodes, entity, low, high);
        self.nodes.release(entity);
        self.taken = self.taken.min(entity);
    }

    /// How many slots name it.
    pub fn references(&self, entity: u32) -> usize {
        list::count(list_of(self.node(entity)))
    }

    /// Goes over the slots of an entity from `from` on, ascending, until `visit` answers false.
    pub fn each_slot(&self, entity: u32, from: u32, visit: &mut dyn FnMut(u32) -> bool) {
        list::each(list_of(self.node(entity)), &self.blocks, from, visit);
    }

    /// The entities of a slot, by the hash of their names.
    pub fn entities_of(&self, slot: u32) -> Vec<u32> {
        let mut entities = Vec::new();
        if let Some(list) = self.by_slot.node(slot).and_then(|list| list.first_chunk()) {
            list::each(list, &self.blocks, 0, &mut |entity| {
                entities.push(entity);
                true
            });
        }
        order(&mut entities, &|entity| self.hash(entity));
        entities
    }

    /// Whether they were not linked yet.
    pub fn link(&mut self, entity: u32, slot: u32) -> bool {
        if !list::insert(list_mut(&mut self.nodes.node_mut(entity)[LIST..]), &mut self.blocks, slot) {
            return false;
        }
        if self.by_slot.node(slot).is_none_or(|list| list[list::ALL] == 0) {
            self.by_slot.take(slot);
            self.episodes += 1;
        }
        list::insert(list_mut(self.by_slot.node_mut(slot)), &mut self.blocks, entity);
        self.links += 1;
        true
    }

    /// Whether they were linked.
    pub fn unlink(&mut self, entity: u32, slot: u32) -> bool {
        if !list::remove(list_mut(&mut self.nodes.node_mut(entity)[LIST..]), &mut self.blocks, slot) {
            return false;
        }
        let list = list_mut(self.by_slot.node_mut(slot));
        list::remove(list, &mut self.blocks, entity);
        if list::count(list) == 0 {
            self.by_slot.release(slot);
            self.episodes -= 1;
        }
        self.links -= 1;
        self.drop_if_bare(entity);
        true
    }

    /// The relations of an entity: of each the other entity, its type (and [`OUTGOING`]), the bits of its weight.
    pub fn relations(&self, entity: u32) -> &[u32] {
        self.relations.of(self.node(entity))
    }

    fn find_relation(&self, entity: u32, other: u32, code: u32) -> Option<usize> {
        let relations = self.relations(entity);
        relations.chunks_exact(relations::WORDS).position(|relation| relation[..2] == [other, code])
    }

    /// The weight of a relation; 0 where there is none.
    pub fn relation(&self, from: u32, to: u32, of_type: u32) -> f32 {
        let at = self.find_relation(from, to, of_type | OUTGOING);
        at.map_or(0.0, |at| f32::from_bits(self.relations(from)[at * relations::WORDS + 2]))
    }

    /// The order of the relations of an entity.
    fn rank(&self, other: u32, code: u32) -> (u64, u32) {
        (self.hash(other), code)
    }

    /// The weakest of some, of the same weight the last.
    fn weakest(&self, entity: u32) -> (usize, u32) {
        let relations = self.relations(entity).chunks_exact(relations::WORDS).enumerate();
        relations.fold(
            (0, u32::MAX),
            |weakest, (at, relation)| {
                if relation[2] <= weakest.1 { (at, relation[2]) } else { weakest }
            },
        )
    }

    fn admits(&self, entity: u32, other: u32, code: u32, weight: f32) -> bool {
        if !relations::is_full(self.node(entity)) {
            return true;
        }
        let (at, bits) = self.weakest(entity);
        let relation = &self.relations(entity)[at * relations::WORDS..];
        let weakest = self.rank(relation[0], relation[1]);
        bits < weight.to_bits() || bits == weight.to_bits() && weakest > self.rank(other, code)
    }

    /// Gives a relation a weight, which answers; 0 where it did not stay.
    pub fn set_relation(&mut self, from: u32, to: u32, of_type: u32, weight: f32) -> f32 {
        if from == to {
            return 0.0;
        }
        let ends = [(from, to, of_type | OUTGOING), (to, from, of_type)];
        let found = self.find_relation(from, to, of_type | OUTGOING);
        if weight < LEAST_WEIGHT {
            if let Some(at) = found {
                self.drop_relation(from, at, &[]);
            }
            return 0.0;
        }
        if found.is_some() {
            for (end, other, code) in ends {
                if let Some(at) = self.find_relation(end, other, code) {
                    let words = self.relations.of_mut(self.nodes.node_mut(end));
                    words[at * relations::WORDS + 2] = weight.to_bits();
                }
            }
            return weight;
        }
        if !ends.iter().all(|&(end, other, code)| self.admits(end, other, code, weight)) {
            return 0.0;
        }
        for end in [from, to] {
            if relations::is_full(self.node(end)) {
                let (at, _) = self.weakest(end);
                self.drop_relation(end, at, &[from, to]);
            }
        }
        for (end, other, code) in ends {
            let rank = self.rank(other, code);
            let relations = self.relations(end).chunks_exact(relations::WORDS);
            let at = relations.filter(|relation| self.rank(relation[0], relation[1]) < rank).count();
            self.relations.insert(self.nodes.node_mut(end), at, [other, code, weight.to_bits()]);
        }
        self.relation_count += 1;
        weight
    }

    /// Removes a relation from both of its ends; those in `kept` stay even when they are bare.
    fn drop_relation(&mut self, entity: u32, at: usize, kept: &[u32]) {
        let relation = &self.relations(entity)[at * relations::WORDS..];
        let (other, code) = (relation[0], relation[1] ^ OUTGOING);
        self.relations.remove(self.nodes.node_mut(entity), at);
        if let Some(back) = self.find_relation(other, entity, code) {
            self.relations.remove(self.nodes.node_mut(other), back);
        }
        self.relation_count -= 1;
        for end in [entity, other] {
            if !kept.contains(&end) {
                self.drop_if_bare(end);
            }
        }
    }

    /// How much it tells that a slot names this entity: see the port.
    pub fn specificity(&self, entity: u32) -> f32 {
        let count = self.references(entity) as f32;
        let all = self.episodes as f32;
        if count == 0.0 { 0.0 } else { linear_log2(1.0 + all / count) / linear_log2(1.0 + all) }
    }

    /// Spreads activation from entities: see the port.
    pub fn activate(&self, seeds: &[u32], strengths: &[f32], walk: &EntityWalk) -> Vec<u32> {
        let mut reach = Reach::default();
        for (&seed, &strength) in seeds.iter().zip(strengths) {
            reach.seed(FIRST_ENTITY + seed, self.hash(seed), strength);
        }
        let mut levels = vec![reach.level(0)];
        for hop in 0..walk.depth as usize {
            let start = reach.items.len();
            for &number in &levels[hop] {
                let item = &reach.items[number as usize];
                let relations = self.relations(item.node - FIRST_ENTITY).chunks_exact(relations::WORDS);
                let sum = relations.clone().fold(0.0, |sum, relation| sum + f32::from_bits(relation[2]));
                let gives = item.activation * walk.attenuation;
                for relation in relations {
                    let share = gives * f32::from_bits(relation[2]) / sum;
                    reach.give(FIRST_ENTITY + relation[0], self.hash(relation[0]), share, number, false);
                }
            }
            levels.push(reach.level(start));
        }
        for number in levels.into_iter().flatten() {
            let item = &reach.items[number as usize];
            let entity = item.node - FIRST_ENTITY;
            if self.references(entity) <= walk.fan {
                let gives = item.activation * walk.attenuation * self.specificity(entity);
                self.each_slot(entity, 0, &mut |slot| {
                    reach.give(slot, slot_key(slot), gives, number, true);
                    true
                });
            }
        }
        reach.answer(walk.most, walk.answer)
    }

    /// The body of what is saved: each entity with its slots and the relations from it.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut at = 0;
        while let Some(entity) = self.nodes.next(at) {
            at = entity + 1;
            if !self.has(entity) {
                continue;
            }
            let node = self.node(entity);
            let relations = self.relations(entity).chunks_exact(relations::WORDS);
            let outgoing = relations.filter(|relation| relation[1] & OUTGOING > 0);
            let counts = [list::count(list_of(node)) as u32, outgoing.clone().count() as u32];
            write(&mut bytes, &[entity, self.type_of(entity), node[LOW], node[HIGH]]);
            write(&mut bytes, &counts);
            self.each_slot(entity, 0, &mut |slot| {
                write(&mut bytes, &[slot]);
                true
            });
            for relation in outgoing {
                write(&mut bytes, &[relation[0], relation[1] ^ OUTGOING, relation[2]]);
            }
        }
        bytes
    }

    /// Makes an empty graph what was saved; none where it was not saved so.
    pub fn load(&mut self, body: &[u8], count: usize) -> Option<()> {
        let mut reader = Reader(body);
        let mut waiting = Vec::new();
        let mut least = 0;
        while !reader.ended() {
            let (entity, of_type) = (reader.word()?, reader.word()?);
            let (low, high) = (reader.word()?, reader.word()?);
            let (slots, outgoing) = (reader.word()?, reader.word()?);
            must(entity >= least && entity <= MAX_NODE && of_type < ENTITY_TYPES)?;
            must(self.find(low, high).is_none())?;
            least = entity + 1;
            self.put(entity, low, high, of_type);
            let mut least_slot = 0;
            for _ in 0..slots {
                let slot = reader.word()?;
                must(slot >= least_slot && slot <= MAX_NODE)?;
                least_slot = slot + 1;
                self.link(entity, slot);
            }
            for _ in 0..outgoing {
                waiting.push([entity, reader.word()?, reader.word()?, reader.word()?]);
            }
        }
        for [from, to, of_type, bits] in waiting {
            let weight = f32::from_bits(bits);
            must(self.has(to) && to != from && of_type < RELATION_TYPES && is_weight(weight))?;
            must(self.relation(from, to, of_type) == 0.0)?;
            must(![from, to].iter().any(|&end| relations::is_full(self.node(end))))?;
            self.set_relation(from, to, of_type, weight);
        }
        must(self.names.size == count)
    }
}

/// How to walk over entities: see the port.
pub struct EntityWalk {
    /// Steps from entity to entity.
    pub depth: u32,
    /// What activation is multiplied by at each step.
    pub attenuation: f32,
    /// An entity of more slots gives them nothing.
    pub fan: usize,
    /// Nodes of the answer.
    pub most: usize,
    /// What the answer is of: slots (1), entities (2).
    pub answer: u32,
}
