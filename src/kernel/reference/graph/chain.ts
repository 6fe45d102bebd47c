import { MAX_NODE, NO_NODE, type TemporalChain } from '../../graph.js'
import { checkCount, checkEmptyGraph, checkNode } from '../../graph/checks.js'
import { checkPlace } from '../../graph/chain-checks.js'
import { damaged, opened, sealed, WordReader, WordWriter } from '../../graph/image.js'

/** Of a node in WebAssembly. */
const NODE_BYTES = 16

interface Link {
  previous: number
  next: number
  readonly session: number
}

/** Says what a temporal chain means. */
export class ReferenceChain implements TemporalChain {
  readonly #links = new Map<number, Link>()

  get nodes(): number {
    return this.#links.size
  }

  get bytes(): number {
    return this.nodes * NODE_BYTES
  }

  has(slot: number): boolean {
    checkNode(slot)
    return this.#links.has(slot)
  }

  previous(slot: number): number {
    checkNode(slot)
    return this.#links.get(slot)?.previous ?? NO_NODE
  }

  next(slot: number): number {
    checkNode(slot)
    return this.#links.get(slot)?.next ?? NO_NODE
  }

  session(slot: number): number | undefined {
    checkNode(slot)
    return this.#links.get(slot)?.session
  }

  insert(slot: number, session: number, previous = NO_NODE, next = NO_NODE): void {
    const place = checkPlace(this, slot, session, previous, next)
    this.#links.set(slot, { ...place, session })
    this.#join(place.previous, slot)
    this.#join(slot, place.next)
  }

  remove(slot: number): boolean {
    checkNode(slot)
    const link = this.#links.get(slot)
    if (link === undefined) return false
    this.#links.delete(slot)
    this.#join(link.previous, link.next)
    return true
  }

  forward(slot: number, most: number): Uint32Array {
    return this.#follow(slot, most, (at) => this.next(at))
  }

  backward(slot: number, most: number): Uint32Array {
    return this.#follow(slot, most, (at) => this.previous(at))
  }

  save(): Uint8Array {
    const writer = new WordWriter()
    for (const [slot, { next, session }] of [...this.#links].sort(([a], [b]) => a - b)) {
      writer.word(slot)
      writer.word(next)
      writer.word(session)
    }
    return sealed('TPCH', this.nodes, writer.bytes)
  }

  load(bytes: Uint8Array): void {
    checkEmptyGraph(this.nodes)
    const { body, count } = opened('TPCH', bytes)
    const reader = new WordReader('TPCH', body)
    try {
      for (let before = -1; !reader.ended; ) {
        const slot = reader.word()
        if (slot <= before || slot > MAX_NODE) throw damaged('TPCH', 'its slots do not ascend')
        before = slot
        this.#links.set(slot, { previous: NO_NODE, next: reader.word(), session: reader.word() })
      }
      for (const [slot, { next, session }] of this.#links) {
        if (next === NO_NODE) continue
        const link = this.#links.get(next)
        if (link?.session !== session || link.previous !== NO_NODE || next === slot)
          throw damaged('TPCH', 'a link leads to a wrong slot')
        link.previous = slot
      }
      this.#refuseCircles()
      if (this.nodes !== count) throw damaged('TPCH', 'it has another number of slots than it says')
    } catch (error) {
      this.free()
      throw error
    }
  }

  free(): void {
    this.#links.clear()
  }

  /** A list with a first slot has no circle; all slots must be in such lists. */
  #refuseCircles(): void {
    let reached = 0
    for (const [slot, { previous }] of this.#links)
      if (previous === NO_NODE) for (let at = slot; at !== NO_NODE; at = this.next(at)) reached++
    if (reached !== this.nodes) throw damaged('TPCH', 'its links make a circle')
  }

  #join(previous: number, next: number): void {
    const [before, after] = [this.#links.get(previous), this.#links.get(next)]
    if (before !== undefined) before.next = next
    if (after !== undefined) after.previous = previous
  }

  #follow(slot: number, most: number, step: (slot: number) => number): Uint32Array {
    checkNode(slot)
    checkCount(most, 'most')
    const slots: number[] = []
    for (let at = step(slot); at !== NO_NODE && slots.length < most; at = step(at)) slots.push(at)
    return Uint32Array.from(slots)
  }
}
