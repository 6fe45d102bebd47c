import type { Arena, Hypervector, Kernel } from '../kernel/port.js'
import { conceptKey, conceptName } from './concept.js'

/** A known concept and how far it stands out. */
export interface Cleaned {
  readonly name: string
  /** Standard deviations above an unrelated hypervector. */
  readonly z: number
}

/**
 * The item memory: known concepts and their hypervectors. Cleanup turns a noisy hypervector, such as
 * one unbound from a record, into the nearest known concept. Names are counted, so that `remove` is
 * the inverse of `add`.
 */
export class CleanupMemory {
  readonly #kernel: Kernel
  readonly #arena: Arena
  readonly #slots = new Map<string, { slot: number; count: number }>()
  readonly #names: (string | undefined)[] = []

  constructor(kernel: Kernel) {
    this.#kernel = kernel
    this.#arena = kernel.arena()
  }

  /** Distinct concepts. */
  get size(): number {
    return this.#slots.size
  }

  /** Whether a concept is known, in any spelling. */
  has(name: string): boolean {
    return this.#slots.has(conceptKey(name))
  }

  /** The known concepts, each in the spelling in which it came first. */
  *names(): IterableIterator<string> {
    for (const name of this.#names) if (name !== undefined) yield name
  }

  add(name: string): void {
    const key = conceptKey(name)
    const known = this.#slots.get(key)
    if (known !== undefined) {
      known.count++
      return
    }
    const slot = this.#names.length
    this.#names.push(name)
    this.#slots.set(key, { slot, count: 1 })
    this.#arena.set(slot, this.#kernel.fromName(conceptName(name)))
  }

  remove(name: string): void {
    const key = conceptKey(name)
    const known = this.#slots.get(key)
    if (known === undefined || --known.count > 0) return
    this.#slots.delete(key)
    this.#names[known.slot] = undefined
    this.#arena.clear(known.slot)
  }

  /** The nearest concepts, best first, that are at least `minimumZ` standard deviations above chance. */
  cleanup(noisy: Hypervector, k = 1, minimumZ = 4): Cleaned[] {
    const query = this.#kernel.query(noisy)
    const { slots, scores } = this.#arena.scan(query, k)
    const found: Cleaned[] = []
    for (let i = 0; i < slots.length; i++) {
      const z = scores[i] / query.norm
      if (z >= minimumZ) found.push({ name: this.#names[slots[i]]!, z })
    }
    return found
  }

  /** Gives the kernel's memory back. */
  free(): void {
    this.#arena.free()
  }
}
