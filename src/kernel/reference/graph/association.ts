import { type AssociationGraph, type AssociationWalk, MAX_NEIGHBOURS, type Neighbours } from '../../graph.js'
import { LEAST_WEIGHT, MAX_NODE, MOST_WEIGHT, type Reached } from '../../graph.js'
import {
  associationWalk,
  checkEmptyGraph,
  checkedWeight,
  checkFactor,
  checkNode,
  checkRange,
  checkSlotSeeds,
} from '../../graph/checks.js'
import { damaged, opened, sealed, WordReader, WordWriter } from '../../graph/image.js'
import { Reach } from './reach.js'

/** Of a node in WebAssembly. */
const NODE_BYTES = 164

interface Edge {
  readonly to: number
  weight: number
}

/** Says what an association graph means: the edges of each slot, ascending by neighbour. */
export class ReferenceAssociations implements AssociationGraph {
  readonly #nodes = new Map<number, Edge[]>()
  #edges = 0

  get nodes(): number {
    return this.#nodes.size
  }

  get edges(): number {
    return this.#edges
  }

  get bytes(): number {
    return this.nodes * NODE_BYTES
  }

  weight(a: number, b: number): number {
    checkNode(a, 'a')
    checkNode(b, 'b')
    return this.#edge(a, b)?.weight ?? 0
  }

  degree(slot: number): number {
    checkNode(slot)
    return this.#of(slot).length
  }

  neighbours(slot: number): Neighbours {
    checkNode(slot)
    const edges = this.#of(slot)
    return { slots: Uint32Array.from(edges, ({ to }) => to), weights: Float32Array.from(edges, ({ weight }) => weight) }
  }

  strengthen(a: number, b: number, weight: number): number {
    const more = checkedWeight(weight)
    return this.set(a, b, Math.min(MOST_WEIGHT, Math.fround(this.weight(a, b) + more)))
  }

  weaken(a: number, b: number, weight: number): number {
    const less = checkedWeight(weight)
    return this.set(a, b, Math.max(0, Math.fround(this.weight(a, b) - less)))
  }

  set(a: number, b: number, weight: number): number {
    checkNode(a, 'a')
    checkNode(b, 'b')
    const kept = checkedWeight(weight)
    if (a === b) return 0
    if (kept < LEAST_WEIGHT) {
      this.removeEdge(a, b)
      return 0
    }
    const [there, back] = [this.#edge(a, b), this.#edge(b, a)]
    if (there !== undefined && back !== undefined) return (there.weight = back.weight = kept)
    if (!this.#admits(a, b, kept) || !this.#admits(b, a, kept)) return 0
    this.#insert(a, b, kept)
    this.#insert(b, a, kept)
    this.#edges++
    return kept
  }

  removeEdge(a: number, b: number): boolean {
    checkNode(a, 'a')
    checkNode(b, 'b')
    if (this.#edge(a, b) === undefined) return false
    this.#drop(a, b)
    this.#drop(b, a)
    this.#edges--
    return true
  }

  remove(slot: number): number {
    checkNode(slot)
    const edges = [...this.#of(slot)]
    for (const { to } of edges) this.removeEdge(slot, to)
    return edges.length
  }

  decay(factor: number, from = 0, end = Infinity): void {
    checkFactor(factor)
    checkRange(from, end)
    const by = Math.fround(factor)
    for (const [slot, edges] of [...this.#nodes]) {
      if (slot < from || slot >= end) continue
      for (const { to, weight } of [...edges]) if (to > slot) this.set(slot, to, Math.fround(weight * by))
    }
  }

  activate(seeds: Uint32Array, strengths: Float32Array, options?: AssociationWalk): Reached {
    checkSlotSeeds(seeds, strengths)
    const { depth, most, attenuation } = associationWalk(options)
    const reach = new Reach((a, b) => a - b)
    reach.seed(seeds, strengths)
    for (let hop = 1; hop <= depth; hop++) {
      for (const number of reach.level(hop - 1)) {
        const edges = this.#of(reach.nodes[number])
        const sum = edges.reduce((sum, { weight }) => Math.fround(sum + weight), 0)
        const gives = Math.fround(reach.activations[number] * attenuation)
        for (const { to, weight } of edges) reach.give(to, Math.fround(Math.fround(gives * weight) / sum), number, hop)
      }
    }
    return reach.answer(most, (number) => reach.hops[number] > 0)
  }

  save(): Uint8Array {
    const writer = new WordWriter()
    for (const slot of [...this.#nodes.keys()].sort((a, b) => a - b)) {
      const edges = this.#of(slot).filter(({ to }) => to > slot)
      if (edges.length === 0) continue
      writer.word(slot)
      writer.word(edges.length)
      for (const { to, weight } of edges) {
        writer.word(to)
        writer.float(weight)
      }
    }
    return sealed('HGPH', this.#edges, writer.bytes)
  }

  load(bytes: Uint8Array): void {
    checkEmptyGraph(this.nodes)
    const { body, count } = opened('HGPH', bytes)
    const reader = new WordReader('HGPH', body)
    try {
      for (let before = -1; !reader.ended; ) {
        const slot = reader.word()
        if (slot <= before || slot > MAX_NODE) throw damaged('HGPH', 'its slots do not ascend')
        before = slot
        let left = reader.word()
        if (left === 0) throw damaged('HGPH', 'a slot has no edge')
        for (let last = slot; left > 0; left--) {
          const to = reader.word()
          const weight = reader.float()
          if (to <= last || to > MAX_NODE) throw damaged('HGPH', 'its slots do not ascend')
          if (!(weight >= LEAST_WEIGHT && weight <= MOST_WEIGHT)) throw damaged('HGPH', 'a weight is out of range')
          if (this.degree(slot) === MAX_NEIGHBOURS || this.degree(to) === MAX_NEIGHBOURS)
            throw damaged('HGPH', 'a slot has too many edges')
          this.set(slot, to, weight)
          last = to
        }
      }
      if (this.#edges !== count) throw damaged('HGPH', 'it has another number of edges than it says')
    } catch (error) {
      this.free()
      throw error
    }
  }

  free(): void {
    this.#nodes.clear()
    this.#edges = 0
  }

  #of(slot: number): readonly Edge[] {
    return this.#nodes.get(slot) ?? []
  }

  #edge(a: number, b: number): Edge | undefined {
    return this.#of(a).find(({ to }) => to === b)
  }

  /** Whether a new edge would stay at a node: it is not the weakest of more than there may be. */
  #admits(slot: number, to: number, weight: number): boolean {
    const edges = this.#of(slot)
    return edges.length < MAX_NEIGHBOURS || weaker(weakestOf(edges), { to, weight })
  }

  #insert(slot: number, to: number, weight: number): void {
    const full = this.#of(slot)
    if (full.length === MAX_NEIGHBOURS) this.removeEdge(slot, weakestOf(full).to)
    const edges = [...this.#of(slot), { to, weight }].sort((a, b) => a.to - b.to)
    this.#nodes.set(slot, edges)
  }

  #drop(slot: number, to: number): void {
    const edges = this.#of(slot).filter((edge) => edge.to !== to)
    if (edges.length > 0) this.#nodes.set(slot, edges)
    else this.#nodes.delete(slot)
  }
}

function weaker(a: Edge, b: Edge): boolean {
  return a.weight < b.weight || (a.weight === b.weight && a.to > b.to)
}

function weakestOf(edges: readonly Edge[]): Edge {
  return edges.reduce((weakest, edge) => (weaker(edge, weakest) ? edge : weakest))
}
