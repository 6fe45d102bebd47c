import * as wasm from '../../built/agidb_graphs.js'
import {
  type AssociationGraph,
  type AssociationWalk,
  MOST_WEIGHT,
  type Neighbours,
  NO_NODE,
  type Reached,
} from '../../graph.js'
import {
  associationWalk,
  checkEmptyGraph,
  checkedWeight,
  checkFactor,
  checkNode,
  checkRange,
  checkSlotSeeds,
} from '../../graph/checks.js'
import { column, Held, weightsOf } from './held.js'
import { reachedOf } from './reached.js'

/** An association graph in the memory of WebAssembly. */
export class WasmAssociationGraph implements AssociationGraph {
  readonly held = new Held('HGPH', () => new wasm.WasmAssociations())

  get nodes(): number {
    return this.held.live.size(0)
  }

  get edges(): number {
    return this.held.live.size(1)
  }

  get bytes(): number {
    return this.held.live.size(2)
  }

  weight(a: number, b: number): number {
    checkEnds(a, b)
    return this.held.live.weight(a, b)
  }

  degree(slot: number): number {
    return this.neighbours(slot).slots.length
  }

  neighbours(slot: number): Neighbours {
    checkNode(slot)
    const edges = this.held.live.neighbours(slot)
    return { slots: column(edges, 2, 0), weights: weightsOf(column(edges, 2, 1)) }
  }

  strengthen(a: number, b: number, weight: number): number {
    const sum = Math.fround(this.weight(a, b) + checkedWeight(weight))
    return this.held.live.set(a, b, Math.min(MOST_WEIGHT, sum))
  }

  weaken(a: number, b: number, weight: number): number {
    const left = Math.fround(this.weight(a, b) - checkedWeight(weight))
    return this.set(a, b, Math.max(0, left))
  }

  set(a: number, b: number, weight: number): number {
    checkEnds(a, b)
    return this.held.live.set(a, b, checkedWeight(weight))
  }

  removeEdge(a: number, b: number): boolean {
    const known = this.weight(a, b) > 0
    this.set(a, b, 0)
    return known
  }

  remove(slot: number): number {
    const { slots } = this.neighbours(slot)
    for (const other of slots) this.held.live.set(slot, other, 0)
    return slots.length
  }

  decay(factor: number, from = 0, end = Infinity): void {
    checkFactor(factor)
    checkRange(from, end)
    this.held.live.decay(factor, from, Math.min(Math.ceil(end), NO_NODE))
  }

  activate(seeds: Uint32Array, strengths: Float32Array, options?: AssociationWalk): Reached {
    checkSlotSeeds(seeds, strengths)
    const { depth, most, attenuation } = associationWalk(options)
    return reachedOf(this.held.live.activate(seeds, strengths, depth, most, attenuation))
  }

  save(): Uint8Array {
    return this.held.save(this.edges)
  }

  load(bytes: Uint8Array): void {
    checkEmptyGraph(this.nodes)
    this.held.load(bytes)
  }

  free(): void {
    this.held.free()
  }
}

function checkEnds(a: number, b: number): void {
  checkNode(a, 'a')
  checkNode(b, 'b')
}
