import { Bits, slotsOf } from '../base/bits.js'
import { longer } from '../base/checkpoint-parts.js'
import { HEAP } from '../base/heap-size.js'

/** Slots that are listed at least before a bit set takes their place. */
const LEAST_BITS = 64

/**
 * A set of slots: a sorted list while they are few, a bit set as soon as that is the smaller of the two. So it takes no
 * more than either, and no change moves more than a bit set has.
 */
export class SlotSet {
  #listed: Uint32Array<ArrayBuffer> = new Uint32Array(2)
  #count = 0
  #bits: Bits | undefined

  get size(): number {
    return this.#bits?.count ?? this.#count
  }

  /** Bytes of memory. */
  get bytes(): number {
    return HEAP.object + HEAP.view + (this.#bits?.bytes ?? this.#listed.byteLength)
  }

  add(slot: number): void {
    if (this.#bits !== undefined) return this.#bits.add(slot)
    const at = this.#placeOf(slot)
    if (at < this.#count && this.#listed[at] === slot) return
    if (this.#count === this.#listed.length) this.#listed = longer(this.#listed, 2 * this.#count)
    this.#listed.copyWithin(at + 1, at, this.#count)
    this.#listed[at] = slot
    this.#count++
    const highest = this.#listed[this.#count - 1]
    if (this.#count > LEAST_BITS && this.#count > highest / 32) this.#toBits()
  }

  remove(slot: number): void {
    if (this.#bits !== undefined) return this.#bits.remove(slot)
    const at = this.#placeOf(slot)
    if (at === this.#count || this.#listed[at] !== slot) return
    this.#listed.copyWithin(at, at + 1, this.#count)
    this.#listed[--this.#count] = 0
  }

  /** Adds the slots to a bit set, as far as that reaches. */
  addTo(words: Uint32Array): void {
    if (this.#bits !== undefined) {
      const own = this.#bits.words
      for (let word = Math.min(own.length, words.length) - 1; word >= 0; word--) words[word] |= own[word]
      return
    }
    for (let i = 0; i < this.#count; i++) {
      const slot = this.#listed[i]
      if (slot >> 5 < words.length) words[slot >> 5] |= 1 << (slot & 31)
    }
  }

  /** The slots, ascending. */
  *[Symbol.iterator](): Generator<number> {
    if (this.#bits !== undefined) yield* slotsOf(this.#bits.words)
    else yield* this.#listed.subarray(0, this.#count)
  }

  /** Where a slot stands in the list, or would. */
  #placeOf(slot: number): number {
    let [low, high] = [0, this.#count]
    if (high === 0 || this.#listed[high - 1] < slot) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#listed[middle] < slot) low = middle + 1
      else high = middle
    }
    return low
  }

  #toBits(): void {
    const bits = new Bits()
    for (const slot of this) bits.add(slot)
    this.#bits = bits
    this.#listed = new Uint32Array(0)
    this.#count = 0
  }
}
