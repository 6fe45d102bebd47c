import type { Episode } from '../api/episode.js'
import { mayNameTime } from '../extraction/time/gate.js'
import type { Interval } from '../extraction/time/interval.js'
import type { TimeReader } from '../extraction/time/reader.js'
import { Bits } from '../base/bits.js'
import { HEAP } from '../base/heap-size.js'
import type { CheckpointParts } from '../base/checkpoint-parts.js'
import type { Index } from './port.js'

/** Episodes whose mentions are kept; a few numbers each. */
const MAX_CACHED = 20_000

/** Indexes which episodes may name a time. */
export function mentionIndex(): Index<Mentions> {
  const mentions = new Mentions()
  return {
    contents: mentions,
    add: (slot, { text }) => mentions.add(slot, text),
    update(slot, { text }) {
      mentions.remove(slot) // what is worked out depends on the episode's own time, too
      mentions.add(slot, text)
    },
    remove: (slot) => mentions.remove(slot),
  }
}

/**
 * The times that the texts of live episodes name. Which may name one is known from the start; what they name is worked
 * out when first asked for, and those not asked for longest make room.
 */
export class Mentions {
  readonly #bySlot = new Map<number, readonly Interval[]>()
  readonly #candidates = new Bits()

  /** Bytes of memory. */
  get bytes(): number {
    return this.#candidates.bytes + this.#bySlot.size * (HEAP.map + HEAP.entry)
  }

  add(slot: number, text: string): void {
    if (mayNameTime(text)) this.#candidates.add(slot)
  }

  /** Whether reading the text may give a time. */
  mayName(slot: number): boolean {
    return this.#candidates.has(slot)
  }

  /** What is known of a slot already. */
  get(slot: number): readonly Interval[] | undefined {
    const known = this.#bySlot.get(slot)
    if (known !== undefined) this.#keep(slot, known)
    return known
  }

  /** Works out what the episode at a live slot names, against its own time. */
  read(slot: number, { text, at }: Episode, { mentions }: Pick<TimeReader, 'mentions'>): void {
    this.#keep(slot, mentions(text, Date.parse(at)))
  }

  remove(slot: number): void {
    this.#candidates.remove(slot)
    this.#bySlot.delete(slot)
  }

  save(parts: CheckpointParts, name: string): void {
    this.#candidates.save(parts, name)
  }

  load(parts: CheckpointParts, name: string): void {
    this.#candidates.load(parts, name)
  }

  #keep(slot: number, found: readonly Interval[]): void {
    this.#bySlot.delete(slot)
    this.#bySlot.set(slot, found)
    if (this.#bySlot.size <= MAX_CACHED) return
    const [oldest] = this.#bySlot.keys()
    this.#bySlot.delete(oldest)
  }
}
