import { Bits, slotsOf } from '../base/bits.js'
import { invalid } from '../api/check.js'
import { AgidbError } from '../base/errors.js'
import {
  type Arena,
  type ArenaImage,
  type AwaitedBlock,
  type Hits,
  type Hypervector,
  type KeptImage,
  type Kernel,
  NO_SCORE,
  type Query,
  SIGNATURE_BYTES,
} from '../kernel/port.js'

/** The part of the signatures of one kind that is in main memory, as they are stored. */
export interface SignaturesAtHand {
  find(slot: number): Uint8Array | undefined
  bring(slots: ArrayLike<number>): Promise<void>
}

/**
 * An arena that knows which slots have a signature, a bit each, and has none itself: they are searched where they are
 * stored, and of those that were brought from there it answers as any other arena does.
 */
export class SlotArena implements Arena {
  readonly layout = 'slots'
  readonly #kernel: Kernel
  readonly #atHand: SignaturesAtHand
  #slots = new Bits()

  constructor(kernel: Kernel, atHand: SignaturesAtHand) {
    this.#kernel = kernel
    this.#atHand = atHand
  }

  get size(): number {
    return this.#slots.count
  }

  get bytes(): number {
    return this.#slots.bytes
  }

  /** The slots that have a signature, as a bit set: a view, not a copy. */
  get words(): Uint32Array {
    return this.#slots.words
  }

  has(slot: number): boolean {
    return this.#slots.has(slot)
  }

  set(slot: number): void {
    this.#slots.add(slot)
  }

  setMany(slots: Uint32Array): void {
    for (const slot of slots) this.#slots.add(slot)
  }

  clear(slot: number): void {
    this.#slots.remove(slot)
  }

  bring(slots: Uint32Array): Promise<void> {
    return this.#atHand.bring(slots)
  }

  get(slot: number): Hypervector | undefined {
    return this.#find(slot)?.slice()
  }

  score(query: Query, slots: Uint32Array): Int32Array {
    const scores = new Int32Array(slots.length).fill(NO_SCORE)
    const batch = this.#kernel.batch()
    try {
      batch.begin(slots.length)
      const places: number[] = []
      slots.forEach((slot, place) => {
        const signature = this.#find(slot)
        if (signature === undefined) return
        batch.add(signature)
        places.push(place)
      })
      batch.score(query).forEach((score, i) => (scores[places[i]] = score))
    } finally {
      batch.free()
    }
    return scores
  }

  scan(): Hits {
    throw new AgidbError(
      'AGIDB_UNSUPPORTED',
      'signatures that are searched by the storage cannot be scanned here: open the memory without that',
    )
  }

  readonly scanPruned = this.scan
  readonly scanMany = (): Hits[] => [this.scan()]

  image(): ArenaImage {
    const { words } = this.#slots
    const rows = new Uint8Array(words.buffer, words.byteOffset, words.byteLength)
    return { layout: this.layout, slots: new Uint32Array(0), rows, blocks: [] }
  }

  restore({ layout, rows, blocks }: KeptImage): number[] {
    if (layout !== this.layout || blocks > 0 || rows.length % 4 > 0 || this.size > 0)
      throw invalid('what was kept is no bit set of slots', { layout })
    this.#slots = new Bits()
    for (const slot of slotsOf(new Uint32Array(rows.slice().buffer))) this.#slots.add(slot)
    return []
  }

  awaited(): AwaitedBlock[] {
    return []
  }

  awaits(): undefined {}

  awaitedSlots(): Uint32Array {
    return new Uint32Array(0)
  }

  give(): void {
    throw invalid('nothing is awaited')
  }

  readonly admit = this.give

  makeRows(): boolean {
    return false
  }

  free(): void {
    this.#slots = new Bits()
  }

  /** A view of one that is at hand: what made it may stand before it. */
  #find(slot: number): Uint8Array | undefined {
    if (!this.has(slot)) return undefined
    const stored = this.#atHand.find(slot)
    return stored === undefined || stored.length < SIGNATURE_BYTES ? undefined : stored.subarray(-SIGNATURE_BYTES)
  }
}
