import * as wasm from '../../built/agidb_graphs.js'
import { type EntityGraph, type EntityWalk, MOST_WEIGHT, NO_NODE, type Reached, type Relations } from '../../graph.js'
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
import { hashName } from '../../graph/name-hash.js'
import { column, Held, weightsOf } from './held.js'
import { reachedOf } from './reached.js'

/** The bit of the type of a relation that leads from an entity to the other one. */
const OUTGOING = 256

/** An entity graph in the memory of WebAssembly. */
export class WasmEntityGraph implements EntityGraph {
  readonly held = new Held('ENTG', () => new wasm.WasmEntities())

  get entities(): number {
    return this.held.live.size(0)
  }

  get links(): number {
    return this.held.live.size(1)
  }

  get episodes(): number {
    return this.held.live.size(2)
  }

  get relationCount(): number {
    return this.held.live.size(3)
  }

  get bytes(): number {
    return this.held.live.size(4)
  }

  add(name: string, type: number): number {
    checkEntityName(name)
    checkEntityType(type)
    const { low, high } = hashName(name)
    return this.held.live.add(low, high, type)
  }

  find(name: string): number | undefined {
    checkEntityName(name)
    const { low, high } = hashName(name)
    return this.held.live.find(low, high)
  }

  has(entity: number): boolean {
    return this.held.live.has(entity)
  }

  type(entity: number): number {
    return this.#with(entity).typeOf(entity)
  }

  retype(entity: number, type: number): void {
    checkEntityType(type)
    this.#with(entity).retype(entity, type)
  }

  references(entity: number): number {
    return this.#with(entity).references(entity)
  }

  slots(entity: number, from = 0, most = NO_NODE): Uint32Array {
    checkCount(from, 'from')
    checkCount(most, 'most')
    return this.#with(entity).slots(entity, from, most)
  }

  entitiesOf(slot: number): Uint32Array {
    checkNode(slot)
    return this.held.live.entitiesOf(slot)
  }

  link(entity: number, slot: number): boolean {
    checkNode(slot)
    return this.#with(entity).link(entity, slot)
  }

  unlink(entity: number, slot: number): boolean {
    checkNode(slot)
    return this.#with(entity).unlink(entity, slot)
  }

  unlinkSlot(slot: number): number {
    const entities = this.entitiesOf(slot)
    for (const entity of entities) this.held.live.unlink(entity, slot)
    return entities.length
  }

  relate(from: number, to: number, type: number, weight = 1): number {
    const more = checkedWeight(weight)
    const sum = Math.fround(this.relation(from, to, type) + more)
    return this.held.live.setRelation(from, to, type, Math.min(MOST_WEIGHT, sum))
  }

  unrelate(from: number, to: number, type: number, weight = MOST_WEIGHT): number {
    const less = checkedWeight(weight)
    const left = Math.fround(this.relation(from, to, type) - less)
    return this.held.live.setRelation(from, to, type, Math.max(0, left))
  }

  relation(from: number, to: number, type: number): number {
    checkEntity(this, from, 'from')
    checkEntity(this, to, 'to')
    checkRelationType(type)
    return this.held.live.relation(from, to, type)
  }

  relations(entity: number): Relations {
    const words = this.#with(entity).relations(entity)
    const codes = column(words, 3, 1)
    return {
      entities: column(words, 3, 0),
      types: codes.map((code) => code & ~OUTGOING),
      weights: weightsOf(column(words, 3, 2)),
      outgoing: Uint8Array.from(codes, (code) => Number(code >= OUTGOING)),
    }
  }

  remove(entity: number): void {
    const { entities, types, outgoing } = this.relations(entity)
    const slots = this.slots(entity)
    entities.forEach((other, i) => {
      const [from, to] = outgoing[i] ? [entity, other] : [other, entity]
      this.held.live.setRelation(from, to, types[i], 0)
    })
    for (const slot of slots) this.held.live.unlink(entity, slot)
    // With neither it went with the last of them; one that never had any goes now.
    if (this.has(entity)) this.held.live.dropIfBare(entity)
  }

  specificity(entity: number): number {
    return this.#with(entity).specificity(entity)
  }

  activate(seeds: Uint32Array, strengths: Float32Array, options?: EntityWalk): Reached {
    checkEntitySeeds(this, seeds, strengths)
    const { depth, attenuation, fan, most, answer } = entityWalk(options)
    return reachedOf(this.held.live.activate(seeds, strengths, depth, attenuation, fan, most, answer))
  }

  save(): Uint8Array {
    return this.held.save(this.entities)
  }

  load(bytes: Uint8Array): void {
    checkEmptyGraph(this.entities)
    this.held.load(bytes)
  }

  free(): void {
    this.held.free()
  }

  /** The graph, which has this entity. */
  #with(entity: number): wasm.WasmEntities {
    checkEntity(this, entity)
    return this.held.live
  }
}
