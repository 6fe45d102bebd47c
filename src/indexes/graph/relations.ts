import { loadStrings, part, saveStrings, type CheckpointParts } from '../../base/checkpoint-parts.js'
import { HEAP } from '../../base/heap-size.js'
import { Interner } from '../../base/interner.js'
import { enter, leave } from '../../base/set-map.js'
import { RELATION_TYPES, type RelationType } from '../../api/graph.js'
import { MAX_RELATIONS, type EntityGraph } from '../../kernel/graph.js'
import { Lists } from '../lists.js'

/** One entity that has to do with another, by the keys of their names. */
export interface RelationEdge {
  readonly from: string
  readonly type: RelationType
  readonly to: string
}

/**
 * Which episodes state which relations, and what of it stands in the graph of entities. There an entity has a few
 * relations at most: of one that has more, the strongest stand there, of those as strong the first by name. Which these
 * are follows from all relations as they are, in whatever order they came, so that what is forgotten leaves no trace;
 * a relation stands there if it is one of the strongest at both of its ends.
 */
export class RelationTable {
  readonly #graph: EntityGraph
  /** Gives an entity that is not in the graph its number. */
  readonly #entity: (key: string) => number
  /** Names of edges, by how many episodes state them; one more where a caller stated it. */
  readonly #edges = new Interner()
  /** By slot. */
  readonly #stated = new Lists(Uint32Array)
  /** The weights that callers gave. */
  readonly #given = new Map<number, number>()
  /** Episodes whose statement was forgotten. */
  readonly #hidden = new Map<number, number>()
  /** By the keys of both ends. */
  readonly #ofEntity = new Map<string, Set<number>>()
  /** Of entities with more relations than there is room for: the strongest. */
  readonly #strongest = new Map<string, Set<number>>()

  constructor(graph: EntityGraph, entity: (key: string) => number) {
    this.#graph = graph
    this.#entity = entity
  }

  /** How many different relations there are. */
  get size(): number {
    return this.#edges.size
  }

  /** Bytes of main memory, about. */
  get bytes(): number {
    return (
      this.#edges.bytes +
      this.#stated.bytes +
      (this.#given.size + this.#hidden.size) * HEAP.entry +
      this.#ofEntity.size * (HEAP.key + HEAP.set) +
      2 * this.#edges.size * HEAP.entry +
      this.#strongest.size * (HEAP.set + MAX_RELATIONS * HEAP.entry)
    )
  }

  /** The numbers of the relations that an episode states. */
  of(slot: number): readonly number[] {
    return [...this.#stated.get(slot)]
  }

  /** Whether an episode states an edge. */
  states(slot: number, edge: number): boolean {
    return this.#stated.get(slot).includes(edge)
  }

  find(edge: RelationEdge): number | undefined {
    return this.#edges.find(nameOf(edge))
  }

  /** The number of the edge with a name; `undefined` where nothing states it. */
  named(name: string): number | undefined {
    return this.#edges.find(name)
  }

  /** The names of all edges, in no order. */
  names(): string[] {
    return Array.from(this.all(), (edge) => this.#edges.name(edge)!)
  }

  edge(number: number): RelationEdge {
    return edgeNamed(this.#edges.name(number)!)
  }

  /** The relations from and to an entity. */
  at(key: string): Iterable<number> {
    return this.#ofEntity.get(key) ?? []
  }

  /** All relations. */
  *all(): Generator<number> {
    for (const [key, edges] of this.#ofEntity) for (const edge of edges) if (this.edge(edge).from === key) yield edge
  }

  /** How often a relation is stated and not forgotten, and the weights that callers gave it. */
  weight(edge: number): number {
    const given = this.#given.get(edge)
    const stated = this.#edges.uses(edge) - (given === undefined ? 0 : 1) - (this.#hidden.get(edge) ?? 0)
    return stated + (given ?? 0)
  }

  /** Makes the relations that an episode states these. */
  set(slot: number, edges: readonly RelationEdge[], isHidden: (edge: number) => boolean): void {
    const names = [...new Set(edges.map(nameOf))]
    const before = this.of(slot)
    if (names.length === before.length && before.every((edge) => names.includes(this.#edges.name(edge)!))) return
    const after = names.map((name) => this.#add(name))
    this.#stated.set(slot, after)
    for (const edge of after) {
      const hidden = isHidden(edge)
      if (hidden) this.#hidden.set(edge, (this.#hidden.get(edge) ?? 0) + 1)
      this.#changed(edge, !hidden)
    }
    for (const edge of before) {
      if (isHidden(edge)) this.#unhide(edge)
      this.#remove(edge)
    }
  }

  /** Says what weights callers gave which relations, in the place of what was said before. */
  give(given: ReadonlyMap<string, number>): void {
    const before = [...this.#given.keys()]
    for (const [name, weight] of given) {
      const edge = this.#edges.find(name)
      if (edge !== undefined && this.#given.has(edge)) {
        const grew = weight >= this.#given.get(edge)!
        this.#given.set(edge, weight)
        this.#changed(edge, grew)
      } else {
        const added = this.#add(name)
        this.#given.set(added, weight)
        this.#changed(added, true)
      }
    }
    for (const edge of before) {
      if (given.has(this.#edges.name(edge)!)) continue
      this.#given.delete(edge)
      this.#remove(edge)
    }
  }

  /** Says how many statements of which relations were forgotten, in the place of what was said before. */
  hide(hidden: ReadonlyMap<number, number>): void {
    for (const edge of new Set([...this.#hidden.keys(), ...hidden.keys()])) {
      const [before, now] = [this.#hidden.get(edge) ?? 0, hidden.get(edge) ?? 0]
      if (now > 0) this.#hidden.set(edge, now)
      else this.#hidden.delete(edge)
      if (now !== before && this.#edges.name(edge) !== undefined) this.#changed(edge, now < before)
    }
  }

  save(parts: CheckpointParts, name: string): void {
    this.#edges.save(parts, `${name}.edges`)
    this.#stated.save(parts, `${name}.stated`)
    parts.set(`${name}.given`, Float64Array.from([...this.#given].flat()))
    parts.set(`${name}.hidden`, Float64Array.from([...this.#hidden].flat()))
    saveStrings(parts, `${name}.hubs`, [...this.#strongest.keys()])
    parts.set(`${name}.strongest`, Uint32Array.from([...this.#strongest.values()].flatMap((top) => [...top])))
  }

  /** Takes over what was saved; the graph has what stands in it. */
  load(parts: CheckpointParts, name: string): void {
    this.#edges.load(parts, `${name}.edges`)
    this.#stated.load(parts, `${name}.stated`)
    for (const [table, map] of [['given', this.#given] as const, ['hidden', this.#hidden] as const]) {
      const saved = part(parts, `${name}.${table}`, Float64Array)
      for (let i = 0; i < saved.length; i += 2) map.set(saved[i], saved[i + 1])
    }
    for (let edge = 0, left = this.#edges.size; left > 0; edge++) {
      if (this.#edges.name(edge) === undefined) continue
      left--
      this.#link(edge)
    }
    const strongest = part(parts, `${name}.strongest`, Uint32Array)
    loadStrings(parts, `${name}.hubs`).forEach((key, i) =>
      this.#strongest.set(key, new Set(strongest.subarray(i * MAX_RELATIONS, (i + 1) * MAX_RELATIONS))),
    )
  }

  #add(name: string): number {
    const edge = this.#edges.add(name)
    if (this.#edges.uses(edge) === 1) this.#link(edge)
    return edge
  }

  #link(edge: number): void {
    const { from, to } = this.edge(edge)
    for (const key of [from, to]) enter(this.#ofEntity, key, edge)
  }

  #unhide(edge: number): void {
    const left = (this.#hidden.get(edge) ?? 0) - 1
    if (left > 0) this.#hidden.set(edge, left)
    else this.#hidden.delete(edge)
  }

  /** Takes one use of an edge away. */
  #remove(edge: number): void {
    if (this.#edges.uses(edge) > 1) {
      this.#edges.remove(edge)
      return this.#changed(edge, false)
    }
    const { from, to, type } = this.edge(edge)
    this.#put(from, type, to, 0)
    for (const key of [from, to]) leave(this.#ofEntity, key, edge)
    // Its name is needed until it is in no list.
    for (const key of [from, to]) this.#left(key, edge)
    this.#edges.remove(edge)
  }

  /** The weight of an edge is another. */
  #changed(edge: number, grew: boolean): void {
    const { from, to } = this.edge(edge)
    for (const key of [from, to]) this.#ranked(key, edge, grew)
    // What grew and is none of the strongest was none before.
    if (grew && !(this.#isStrong(from, edge) && this.#isStrong(to, edge))) return
    this.#settle(edge)
  }

  /** Brings the strongest relations of an entity up to date after one of them changed. */
  #ranked(key: string, edge: number, grew: boolean): void {
    const edges = this.#ofEntity.get(key)!
    if (edges.size <= MAX_RELATIONS) return
    const top = this.#strongest.get(key)
    if (top === undefined) return this.#rank(key, [...edges])
    const isIn = top.has(edge)
    if (isIn === grew) return
    const rest = isIn ? this.#best(edges, top) : this.#worst(top)
    if (rest === undefined || this.#compare(...(isIn ? ([edge, rest] as const) : ([rest, edge] as const))) < 0) return
    const [out, into] = isIn ? [edge, rest] : [rest, edge]
    top.delete(out)
    this.#settle(out)
    top.add(into)
    this.#settle(into)
  }

  /** Brings the strongest relations of an entity up to date after one of them is gone. */
  #left(key: string, edge: number): void {
    const edges = this.#ofEntity.get(key)
    const top = this.#strongest.get(key)
    if (top === undefined) return
    if (edges === undefined || edges.size <= MAX_RELATIONS) {
      this.#strongest.delete(key)
      for (const one of edges ?? []) if (!top.has(one)) this.#settle(one)
    } else if (top.delete(edge)) {
      const best = this.#best(edges, top)!
      top.add(best)
      this.#settle(best)
    }
  }

  #rank(key: string, edges: number[]): void {
    const sorted = edges.sort((a, b) => this.#compare(a, b))
    this.#strongest.set(key, new Set(sorted.slice(0, MAX_RELATIONS)))
    for (const edge of sorted.slice(MAX_RELATIONS)) this.#settle(edge)
  }

  #best(edges: Iterable<number>, but: ReadonlySet<number>): number | undefined {
    let best: number | undefined
    for (const edge of edges) if (!but.has(edge) && (best === undefined || this.#compare(edge, best) < 0)) best = edge
    return best
  }

  #worst(edges: Iterable<number>): number | undefined {
    let worst: number | undefined
    for (const edge of edges) if (worst === undefined || this.#compare(edge, worst) > 0) worst = edge
    return worst
  }

  #compare(a: number, b: number): number {
    return this.weight(b) - this.weight(a) || (this.#edges.name(a)! < this.#edges.name(b)! ? -1 : 1)
  }

  /** Has the graph what it is to have of an edge. */
  #settle(edge: number): void {
    const { from, type, to } = this.edge(edge)
    this.#put(from, type, to, this.#isStrong(from, edge) && this.#isStrong(to, edge) ? this.weight(edge) : 0)
  }

  /** Whether an edge is one of the strongest of an entity, or there is room for all. */
  #isStrong(key: string, edge: number): boolean {
    const top = this.#strongest.get(key)
    return top === undefined || top.has(edge)
  }

  #put(from: string, type: RelationType, to: string, weight: number): void {
    const [a, b] = [this.#graph.find(from), this.#graph.find(to)]
    const number = RELATION_TYPES.indexOf(type)
    const before = a === undefined || b === undefined ? 0 : this.#graph.relation(a, b, number)
    if (before === Math.fround(weight)) return
    if (before > 0) this.#graph.unrelate(a!, b!, number)
    if (weight > 0) this.#graph.relate(this.#entity(from), this.#entity(to), number, weight)
  }
}

/** The name of an edge, by which it is one with others. */
export function nameOf({ from, type, to }: RelationEdge): string {
  return JSON.stringify([from, type, to])
}

/** The edge of a name. */
export function edgeNamed(name: string): RelationEdge {
  const [from, type, to] = JSON.parse(name) as [string, RelationType, string]
  return { from, type, to }
}
