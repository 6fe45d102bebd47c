import * as wasm from '../../built/agidb_graphs.js'
import { NO_NODE, type TemporalChain } from '../../graph.js'
import { checkPlace } from '../../graph/chain-checks.js'
import { checkCount, checkEmptyGraph, checkNode } from '../../graph/checks.js'
import { Held } from './held.js'

/** A temporal chain in the memory of WebAssembly. */
export class WasmTemporalChain implements TemporalChain {
  readonly held = new Held('TPCH', () => new wasm.WasmChain())

  get nodes(): number {
    return this.held.live.size(0)
  }

  get bytes(): number {
    return this.held.live.size(1)
  }

  has(slot: number): boolean {
    return this.session(slot) !== undefined
  }

  previous(slot: number): number {
    checkNode(slot)
    return this.held.live.step(slot, false)
  }

  next(slot: number): number {
    checkNode(slot)
    return this.held.live.step(slot, true)
  }

  session(slot: number): number | undefined {
    checkNode(slot)
    return this.held.live.session(slot)
  }

  insert(slot: number, session: number, previous = NO_NODE, next = NO_NODE): void {
    const place = checkPlace(this, slot, session, previous, next)
    this.held.live.insert(slot, session, place.previous, place.next)
  }

  remove(slot: number): boolean {
    checkNode(slot)
    return this.held.live.remove(slot)
  }

  forward(slot: number, most: number): Uint32Array {
    return this.#follow(slot, most, true)
  }

  backward(slot: number, most: number): Uint32Array {
    return this.#follow(slot, most, false)
  }

  save(): Uint8Array {
    return this.held.save(this.nodes)
  }

  load(bytes: Uint8Array): void {
    checkEmptyGraph(this.nodes)
    this.held.load(bytes)
  }

  free(): void {
    this.held.free()
  }

  #follow(slot: number, most: number, forward: boolean): Uint32Array {
    checkNode(slot)
    checkCount(most, 'most')
    const slots: number[] = []
    for (let at = slot; slots.length < most; slots.push(at)) {
      at = this.held.live.step(at, forward)
      if (at === NO_NODE) break
    }
    return Uint32Array.from(slots)
  }
}
