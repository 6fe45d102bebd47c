import { type EntityGraph, type EntityWalk, LEAST_WEIGHT, MAX_NODE, MAX_RELATIONS, MOST_WEIGHT } from '../../graph.js'
import { ENTITY_TYPES, RELATION_TYPES } from '../../../api/graph.js'
import { entityOfNode, nodeOfEntity } from '../../graph.js'
import { NO_NODE, type Reached, type Relations } from '../../graph.js'
import {
  checkCount,
  checkEmptyGraph,
  checkEntity,
  checkEntityName,
  checkEntitySeeds,
  checkEntityType,
  checkedWeight,
  checkNode,
  checkRelationType,
  entityWalk,
} from '../../graph/checks.js'
import { damaged, opened, sealed, WordReader, WordWriter } from '../../graph/image.js'
import { compareHashes, type Hash, hashName, keyOfHash } from '../../graph/name-hash.js'
import { Reach } from './reach.js'
import { linearLog2 } from './linear-log2.js'

/** In WebAssembly: of an entity, of an end of a relation, of a link. */
const [ENTITY_BYTES, RELATION_BYTES, LINK_BYTES] = [64, 12, 12]

interface Relation {
  readonly other: number
  readonly outgoing: boolean
  readonly type: number
  weight: number
}

type LoadedRelation = [from: number, to: number, type: number, weight: number]

interface Entity {
  readonly hash: Hash
  type: number
  /** Ascending. */
  slots: number[]
  /** By the hash of the other entity's name, then those to this entity first, then by type. */
  relations: Relation[]
}

/** Says what an entity graph means. */
export class ReferenceEntities implements EntityGraph {
  readonly #entities: (Entity | undefined)[] = []
  readonly #byName = new Map<bigint, number>()
  readonly #bySlot = new Map<number, number[]>()
  #links = 0
  #relations = 0

  get entities(): number {
    return this.#byName.size
  }

  get links(): number {
    return this.#links
  }

  get episodes(): number {
    return this.#bySlot.size
  }

  get relationCount(): number {
    return this.#relations
  }

  get bytes(): number {
    return this.entities * ENTITY_BYTES + 2 * this.#relations * RELATION_BYTES + this.#links * LINK_BYTES
  }

  add(name: string, type: number): number {
    checkEntityName(name)
    checkEntityType(type)
    return this.find(name) ?? this.#place(this.#lowestFree(), hashName(name), type)
  }

  find(name: string): number | undefined {
    checkEntityName(name)
    return this.#byName.get(keyOfHash(hashName(name)))
  }

  has(entity: number): boolean {
    return this.#entities[entity] !== undefined
  }

  type(entity: number): number {
    return this.#at(entity).type
  }

  retype(entity: number, type: number): void {
    checkEntityType(type)
    this.#at(entity).type = type
  }

  references(entity: number): number {
    return this.#at(entity).slots.length
  }

  slots(entity: number, from = 0, most = NO_NODE): Uint32Array {
    checkCount(from, 'from')
    checkCount(most, 'most')
    const { slots } = this.#at(entity)
    const first = slots.findIndex((slot) => slot >= from)
    return Uint32Array.from(first < 0 ? [] : slots.slice(first, first + most))
  }

  entitiesOf(slot: number): Uint32Array {
    checkNode(slot)
    const entities = [...(this.#bySlot.get(slot) ?? [])]
    return Uint32Array.from(entities.sort((a, b) => compareHashes(this.#at(a).hash, this.#at(b).hash)))
  }

  link(entity: number, slot: number): boolean {
    checkNode(slot)
    const { slots } = this.#at(entity)
    const before = slots.findLastIndex((other) => other <= slot)
    if (slots[before] === slot) return false
    slots.splice(before + 1, 0, slot)
    this.#bySlot.set(slot, [...(this.#bySlot.get(slot) ?? []), entity])
    this.#links++
    return true
  }

  unlink(entity: number, slot: number): boolean {
    checkNode(slot)
    const found = this.#at(entity)
    if (!found.slots.includes(slot)) return false
    found.slots = found.slots.filter((other) => other !== slot)
    const left = (this.#bySlot.get(slot) ?? []).filter((other) => other !== entity)
    if (left.length > 0) this.#bySlot.set(slot, left)
    else this.#bySlot.delete(slot)
    this.#links--
    this.#dropIfBare(entity)
    return true
  }

  unlinkSlot(slot: number): number {
    checkNode(slot)
    const entities = this.#bySlot.get(slot) ?? []
    for (const entity of entities) this.unlink(entity, slot)
    return entities.length
  }

  relate(from: number, to: number, type: number, weight = 1): number {
    const more = checkedWeight(weight)
    const before = this.relation(from, to, type)
    return this.#set(from, to, type, Math.min(MOST_WEIGHT, Math.fround(before + more)))
  }

  unrelate(from: number, to: number, type: number, weight = MOST_WEIGHT): number {
    const less = checkedWeight(weight)
    const before = this.relation(from, to, type)
    return this.#set(from, to, type, Math.max(0, Math.fround(before - less)))
  }

  relation(from: number, to: number, type: number): number {
    checkEntity(this, from, 'from')
    checkEntity(this, to, 'to')
    checkRelationType(type)
    return this.#find(from, { other: to, outgoing: true, type, weight: 0 })?.weight ?? 0
  }

  relations(entity: number): Relations {
    const { relations } = this.#at(entity)
    return {
      entities: Uint32Array.from(relations, ({ other }) => other),
      types: Uint32Array.from(relations, ({ type }) => type),
      weights: Float32Array.from(relations, ({ weight }) => weight),
      outgoing: Uint8Array.from(relations, ({ outgoing }) => Number(outgoing)),
    }
  }

  remove(entity: number): void {
    const { slots, relations } = this.#at(entity)
    for (const slot of [...slots]) this.unlink(entity, slot)
    for (const relation of [...relations]) this.#drop(entity, relation)
    // With neither it went with the last of them; one that never had any goes now.
    if (this.has(entity)) this.#dropIfBare(entity)
  }

  specificity(entity: number): number {
    const count = this.#at(entity).slots.length
    if (count === 0) return 0
    const all = Math.fround(this.episodes)
    const share = Math.fround(all / Math.fround(count))
    return Math.fround(linearLog2(Math.fround(1 + share)) / linearLog2(Math.fround(1 + all)))
  }

  activate(seeds: Uint32Array, strengths: Float32Array, options?: EntityWalk): Reached {
    checkEntitySeeds(this, seeds, strengths)
    const { depth, most, attenuation, fan, answer } = entityWalk(options)
    const reach = new Reach(this.compareNodes)
    reach.seed(seeds.map(nodeOfEntity), strengths)
    for (let hop = 1; hop <= depth; hop++) {
      for (const number of reach.level(hop - 1)) {
        const { relations } = this.#at(entityOfNode(reach.nodes[number]) as number)
        const sum = relations.reduce((sum, { weight }) => Math.fround(sum + weight), 0)
        const gives = Math.fround(reach.activations[number] * attenuation)
        for (const { other, weight } of relations)
          reach.give(nodeOfEntity(other), Math.fround(Math.fround(gives * weight) / sum), number, hop)
      }
    }
    this.#reachEpisodes(reach, depth, attenuation, fan)
    return reach.answer(most, (number) =>
      entityOfNode(reach.nodes[number]) === undefined ? (answer & 1) > 0 : (answer & 2) > 0 && reach.hops[number] > 0,
    )
  }

  /** Slots ascending, then entities by the hash of their names. */
  readonly compareNodes = (a: number, b: number): number => {
    const [left, right] = [entityOfNode(a), entityOfNode(b)]
    if (left === undefined || right === undefined) return a - b
    return compareHashes(this.#at(left).hash, this.#at(right).hash)
  }

  save(): Uint8Array {
    const writer = new WordWriter()
    this.#entities.forEach((entity, number) => {
      if (entity === undefined) return
      const { hash, type, slots } = entity
      const outgoing = entity.relations.filter((relation) => relation.outgoing)
      for (const word of [number, type, hash.low, hash.high, slots.length, outgoing.length, ...slots]) writer.word(word)
      for (const { other, type, weight } of outgoing) {
        writer.word(other)
        writer.word(type)
        writer.float(weight)
      }
    })
    return sealed('ENTG', this.entities, writer.bytes)
  }

  load(bytes: Uint8Array): void {
    checkEmptyGraph(this.entities)
    const { body, count } = opened('ENTG', bytes)
    const reader = new WordReader('ENTG', body)
    try {
      const relations: LoadedRelation[] = []
      for (let before = -1; !reader.ended; ) before = this.#read(reader, before, relations)
      for (const relation of relations) this.#readRelation(...relation)
      if (this.entities !== count) throw damaged('ENTG', 'it has another number of entities than it says')
    } catch (error) {
      this.free()
      throw error
    }
  }

  /** Reads an entity with its links; its relations wait until all entities are there. */
  #read(reader: WordReader, before: number, relations: LoadedRelation[]): number {
    const [number, type, low, high] = [reader.word(), reader.word(), reader.word(), reader.word()]
    if (number <= before || number > MAX_NODE) throw damaged('ENTG', 'its entities do not ascend')
    if (type >= ENTITY_TYPES.length) throw damaged('ENTG', 'an entity has no type')
    if (this.#byName.has(keyOfHash({ high, low }))) throw damaged('ENTG', 'a name is there twice')
    this.#place(number, { high, low }, type)
    const [links, outgoing] = [reader.word(), reader.word()]
    for (let i = 0, last = -1; i < links; i++) {
      const slot = reader.word()
      if (slot <= last || slot > MAX_NODE) throw damaged('ENTG', 'its slots do not ascend')
      last = slot
      this.link(number, slot)
    }
    for (let i = 0; i < outgoing; i++) relations.push([number, reader.word(), reader.word(), reader.float()])
    return number
  }

  #readRelation(...[from, to, type, weight]: LoadedRelation): void {
    if (!this.has(to) || to === from || type >= RELATION_TYPES.length || this.relation(from, to, type) > 0)
      throw damaged('ENTG', 'a relation is wrong')
    if (!(weight >= LEAST_WEIGHT && weight <= MOST_WEIGHT)) throw damaged('ENTG', 'a weight is out of range')
    if (this.#full(from) || this.#full(to)) throw damaged('ENTG', 'an entity has too many relations')
    this.#set(from, to, type, weight)
  }

  free(): void {
    this.#entities.length = 0
    this.#byName.clear()
    this.#bySlot.clear()
    this.#links = this.#relations = 0
  }

  #at(entity: number): Entity {
    checkEntity(this, entity)
    return this.#entities[entity] as Entity
  }

  #lowestFree(): number {
    const free = this.#entities.findIndex((entity) => entity === undefined)
    return free < 0 ? this.#entities.length : free
  }

  #place(number: number, hash: Hash, type: number): number {
    this.#entities[number] = { hash, type, slots: [], relations: [] }
    this.#byName.set(keyOfHash(hash), number)
    return number
  }

  #dropIfBare(entity: number): void {
    const { slots, relations, hash } = this.#at(entity)
    if (slots.length > 0 || relations.length > 0) return
    this.#byName.delete(keyOfHash(hash))
    this.#entities[entity] = undefined
  }

  #full(entity: number): boolean {
    return this.#at(entity).relations.length === MAX_RELATIONS
  }

  #find(entity: number, like: Relation): Relation | undefined {
    return this.#at(entity).relations.find((relation) => this.#compare(relation, like) === 0)
  }

  /** The order of the relations of an entity. */
  #compare(a: Relation, b: Relation): number {
    return (
      compareHashes(this.#at(a.other).hash, this.#at(b.other).hash) ||
      Number(a.outgoing) - Number(b.outgoing) ||
      a.type - b.type
    )
  }

  #weaker(a: Relation, b: Relation): boolean {
    return a.weight < b.weight || (a.weight === b.weight && this.#compare(a, b) > 0)
  }

  #weakest(entity: number): Relation {
    return this.#at(entity).relations.reduce((weakest, relation) =>
      this.#weaker(relation, weakest) ? relation : weakest,
    )
  }

  #set(from: number, to: number, type: number, weight: number): number {
    if (from === to) return 0
    const there: Relation = { other: to, outgoing: true, type, weight }
    const back: Relation = { other: from, outgoing: false, type, weight }
    const found = this.#find(from, there)
    if (found !== undefined && weight < LEAST_WEIGHT) this.#drop(from, found)
    if (weight < LEAST_WEIGHT) return 0
    if (found !== undefined) {
      found.weight = weight
      ;(this.#find(to, back) as Relation).weight = weight
      return weight
    }
    if (!this.#admits(from, there) || !this.#admits(to, back)) return 0
    // In it goes before another goes out: an end that loses its only other relation must not be gone with it.
    this.#insert(from, there)
    this.#insert(to, back)
    this.#relations++
    for (const end of [from, to])
      if (this.#at(end).relations.length > MAX_RELATIONS) this.#drop(end, this.#weakest(end))
    return weight
  }

  #admits(entity: number, relation: Relation): boolean {
    return !this.#full(entity) || this.#weaker(this.#weakest(entity), relation)
  }

  #insert(entity: number, relation: Relation): void {
    this.#at(entity).relations.push(relation)
    this.#at(entity).relations.sort((a, b) => this.#compare(a, b))
  }

  /** Removes a relation from both of its ends. */
  #drop(entity: number, { other, outgoing, type }: Relation): void {
    const ends = [
      [entity, { other, outgoing, type, weight: 0 }],
      [other, { other: entity, outgoing: !outgoing, type, weight: 0 }],
    ] as const
    for (const [end, like] of ends)
      this.#at(end).relations = this.#at(end).relations.filter((relation) => this.#compare(relation, like) !== 0)
    this.#relations--
    for (const [end] of ends) this.#dropIfBare(end)
  }

  #reachEpisodes(reach: Reach, depth: number, attenuation: number, fan: number): void {
    for (let hop = 0; hop <= depth; hop++) {
      for (const number of reach.level(hop)) {
        const entity = entityOfNode(reach.nodes[number])
        if (entity === undefined || this.references(entity) > fan) continue
        const gives = Math.fround(Math.fround(reach.activations[number] * attenuation) * this.specificity(entity))
        for (const slot of this.#at(entity).slots) reach.giveAny(slot, gives, number)
      }
    }
  }
}
