import type { Episode } from '../../api/episode.js'
import { ENTITY_TYPES } from '../../api/graph.js'
import type { LearningEvent } from '../../api/learning.js'
import { loadStrings, part, saveStrings, type CheckpointParts } from '../../base/checkpoint-parts.js'
import { HEAP } from '../../base/heap-size.js'
import { identityOf } from '../../extraction/concepts/identity.js'
import type { EntityGraph, GraphKernel } from '../../kernel/graph.js'
import type { Logged } from '../../records/event-log.js'
import type { Catalog } from '../catalog.js'
import type { ConceptNames } from '../concepts/concept-names.js'
import type { Index } from '../port.js'
import { edgeNamed, nameOf, type RelationEdge, RelationTable } from './relations.js'
import { entityTypeOf, relationTypeOf } from './relation-types.js'

/** What of the memory entities follow from, beside the events. */
export interface EntitySources {
  readonly conceptNames: Pick<ConceptNames, 'names' | 'typeOf'>
  readonly catalog: Pick<Catalog, 'slot'>
}

/** Indexes what episodes name, and who has to do with whom. */
export function entityIndex(graphs: GraphKernel): Index<Entities> {
  const entities = new Entities(graphs.entities())
  return {
    contents: entities,
    add: (slot, episode) => entities.set(slot, episode),
    update: (slot, episode) => entities.set(slot, episode),
    remove: (slot) => entities.remove(slot),
  }
}

type RelationEvent = LearningEvent<'entitiesRelated'> | LearningEvent<'edgesForgotten'>
/** What a caller said of relations. */
export type Said = Logged<RelationEvent['kind']>

/**
 * The graph of what episodes name: a function of the live episodes, and of what callers said of relations. Names are
 * nodes by their keys (`identityOf`); which of them are of one concept, `ConceptNames` knows.
 */
export class Entities {
  readonly #graph: EntityGraph
  readonly #relations: RelationTable
  #sources: EntitySources | undefined
  #log: () => Iterable<Logged> = () => []
  /** The key of each entity, by its number. */
  readonly #keys: (string | undefined)[] = []
  #characters = 0
  /** Edges that a caller forgot: what episodes before a slot state of them does not count. By their names. */
  #forgotten = new Map<string, number>()
  /** Whether what callers said is to be taken in anew. */
  #isStale = false
  /** What callers said, in order; absent since it changed. */
  #said: readonly Said[] | undefined = []

  constructor(graph: EntityGraph) {
    this.#graph = graph
    this.#relations = new RelationTable(graph, (key) => this.#entity(key))
  }

  /** Says where names and ids are looked up. */
  use(sources: EntitySources): void {
    this.#sources = sources
  }

  /** Says where the events stand. */
  follow(log: () => Iterable<Logged>): void {
    this.#log = log
  }

  /** Says that events came or went. */
  heard(events: readonly LearningEvent[]): void {
    if (!events.some(isRelationEvent)) return
    this.#said = undefined
    this.#isStale = true
  }

  /** The graph, after what callers said is taken in. */
  get graph(): EntityGraph {
    this.settle()
    return this.#graph
  }

  /** The relations, after what callers said is taken in. */
  get relations(): RelationTable {
    this.settle()
    return this.#relations
  }

  /** Bytes of the graph in the kernel. */
  get graphBytes(): number {
    return this.#graph.bytes
  }

  /** Bytes of main memory beside the kernel's, about. */
  get bytes(): number {
    return this.#keys.length * HEAP.key + this.#characters + this.#relations.bytes
  }

  /** The key of an entity of the graph. */
  key(entity: number): string | undefined {
    return this.#keys[entity]
  }

  /** Whether an episode states an edge that was not forgotten after it. */
  states(slot: number, edge: number): boolean {
    return this.#relations.states(slot, edge) && !this.#isForgotten(edge, slot)
  }

  /** What callers said of relations, in order. */
  get said(): readonly Said[] {
    return (this.#said ??= [...this.#log()].filter(isSaid))
  }

  /** Takes in what an episode names and states. */
  set(slot: number, episode: Pick<Episode, 'triples' | 'superseded'>): void {
    if (this.#said?.length !== 0) this.#isStale = true
    const names = this.#sources?.conceptNames.names.of(slot) ?? []
    // A name of accents alone has no key.
    const keys = new Set(names.map(identityOf).filter((key) => key !== ''))
    const before = [...this.#graph.entitiesOf(slot)]
    for (const key of keys) this.#graph.link(this.#entity(key), slot)
    this.#relations.set(slot, edgesOf(episode), (edge) => this.#isForgotten(edge, slot))
    for (const entity of before) if (!keys.has(this.#keys[entity]!)) this.#graph.unlink(entity, slot)
    for (const entity of before) if (this.#keys[entity] !== undefined) keys.add(this.#keys[entity])
    this.#tidy(before)
    for (const key of keys) this.#type(key)
  }

  remove(slot: number): void {
    if (this.#said?.length !== 0) this.#isStale = true
    const before = [...this.#graph.entitiesOf(slot)]
    const stated = this.#relations.of(slot).flatMap((edge) => {
      const { from, to } = this.#relations.edge(edge)
      return [this.#graph.find(from), this.#graph.find(to)].filter((entity) => entity !== undefined)
    })
    this.#relations.set(slot, [], (edge) => this.#isForgotten(edge, slot))
    this.#graph.unlinkSlot(slot)
    this.#tidy([...before, ...stated])
    for (const entity of before) {
      const key = this.#keys[entity]
      if (key !== undefined) this.#type(key)
    }
  }

  /** Takes in what callers said. To be called before the graph is read. */
  settle(): void {
    if (!this.#isStale) return
    this.#isStale = false
    const given = new Map<string, number>()
    this.#forgotten = new Map()
    for (const { event, slot } of this.said) {
      if (!this.counts({ event, slot })) continue
      if (event.kind === 'entitiesRelated') {
        const name = nameOf(edgeOf(event.from, event.relation, event.to))
        given.set(name, (given.get(name) ?? 0) + event.weight)
      } else
        for (const { from, type, to } of event.relations ?? []) {
          const name = nameOf({ from: identityOf(from), type, to: identityOf(to) })
          given.delete(name)
          this.#forgotten.set(name, slot)
        }
    }
    this.#relations.give(given)
    this.#relations.hide(this.#hidden())
    this.#tidy(this.#keys.keys())
  }

  save(parts: CheckpointParts, name: string): void {
    this.settle()
    parts.set(`${name}.ENTG`, this.#graph.save())
    saveStrings(
      parts,
      `${name}.keys`,
      Array.from(this.#keys, (key) => key ?? ''),
    )
    saveStrings(parts, `${name}.forgotten`, [...this.#forgotten.keys()])
    parts.set(`${name}.forgottenBefore`, Float64Array.from(this.#forgotten.values()))
    this.#relations.save(parts, `${name}.relations`)
  }

  load(parts: CheckpointParts, name: string): void {
    this.#graph.load(part(parts, `${name}.ENTG`, Uint8Array))
    for (const [entity, key] of loadStrings(parts, `${name}.keys`).entries()) {
      this.#keys[entity] = this.#graph.has(entity) ? key : undefined
      this.#characters += this.#keys[entity]?.length ?? 0
    }
    const before = part(parts, `${name}.forgottenBefore`, Float64Array)
    for (const [i, edge] of loadStrings(parts, `${name}.forgotten`).entries()) this.#forgotten.set(edge, before[i])
    this.#relations.load(parts, `${name}.relations`)
    // What callers said since the checkpoint, and what of it was forgotten, is not in it.
    this.#said = undefined
    this.#isStale = true
  }

  /** Gives the kernel's memory back. */
  free(): void {
    this.#graph.free()
  }

  #entity(key: string): number {
    const entity = this.#graph.add(key, ENTITY_TYPES.indexOf('OTHER'))
    const before = this.#keys[entity]
    if (before === key) return entity
    this.#keys[entity] = key
    this.#characters += key.length - (before?.length ?? 0)
    return entity
  }

  /** Forgets the keys of entities that are gone. */
  #tidy(entities: Iterable<number>): void {
    for (const entity of entities) {
      const key = this.#keys[entity]
      if (key === undefined || this.#graph.has(entity)) continue
      this.#keys[entity] = undefined
      this.#characters -= key.length
    }
  }

  #type(key: string): void {
    const entity = this.#graph.find(key)
    if (entity === undefined) return
    const type = ENTITY_TYPES.indexOf(entityTypeOf(this.#sources?.conceptNames.typeOf([key])))
    if (this.#graph.type(entity) !== type) this.#graph.retype(entity, type)
  }

  /** Whether what a caller said counts: a piece of its evidence is there, or it has none. */
  counts({ event: { evidence }, slot }: Said): boolean {
    return evidence.length === 0 || evidence.some((id) => this.#isThere(id, slot))
  }

  #isThere(id: string, before: number): boolean {
    const slot = this.#sources?.catalog.slot(id)
    return slot !== undefined && slot < before
  }

  #isForgotten(edge: number, slot: number): boolean {
    if (this.#forgotten.size === 0) return false
    const before = this.#forgotten.get(nameOf(this.#relations.edge(edge)))
    return before !== undefined && slot < before
  }

  /** How many episodes state what a caller forgot after them. */
  #hidden(): Map<number, number> {
    const hidden = new Map<number, number>()
    for (const [name, before] of this.#forgotten) {
      const named = edgeNamed(name)
      const edge = this.#relations.find(named)
      const entity = this.#graph.find(named.from)
      if (edge === undefined || entity === undefined) continue
      let count = 0
      for (const slot of this.#graph.slots(entity)) if (slot < before && this.#relations.states(slot, edge)) count++
      hidden.set(edge, count)
    }
    return hidden
  }
}

/** The relation that a statement or a caller names, by the keys of its ends. */
export function edgeOf(from: string, relation: string, to: string): RelationEdge {
  return { from: identityOf(from.trim()), type: relationTypeOf(relation) ?? 'OTHER', to: identityOf(to.trim()) }
}

/** The relations that an episode states, as long as it is not superseded. */
function edgesOf({ triples, superseded }: Pick<Episode, 'triples' | 'superseded'>): RelationEdge[] {
  if (superseded !== undefined) return []
  return triples.flatMap(({ subject, predicate, object }) => {
    if (relationTypeOf(predicate) === undefined || subject.trim() === '' || object.trim() === '') return []
    const edge = edgeOf(subject, predicate, object)
    return edge.from === edge.to || edge.from === '' || edge.to === '' ? [] : [edge]
  })
}

function isSaid(one: Logged): one is Said {
  return isRelationEvent(one.event)
}

function isRelationEvent(event: LearningEvent): event is RelationEvent {
  return event.kind === 'entitiesRelated' || (event.kind === 'edgesForgotten' && event.relations !== undefined)
}
