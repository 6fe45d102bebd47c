import { longer, part, type CheckpointParts } from './checkpoint-parts.js'

/** Whether a bit set over slots has a slot; one beyond its end it has not. */
export function hasBit(words: Uint32Array, slot: number): boolean {
  return slot >> 5 < words.length && (words[slot >> 5] & (1 << (slot & 31))) !== 0
}

/** Takes a slot out of a bit set, which may end before it. */
export function clearBit(words: Uint32Array, slot: number): void {
  if (slot >> 5 < words.length) words[slot >> 5] &= ~(1 << (slot & 31))
}

/** How many slots a bit set has. */
export function countBits(words: Uint32Array): number {
  let sum = 0
  for (let word of words) {
    // In parallel: of 2, of 4, of 8 bits, then all (Warren, Hacker's Delight, 5-1).
    word -= (word >>> 1) & 0x5555_5555
    word = (word & 0x3333_3333) + ((word >>> 2) & 0x3333_3333)
    sum += Math.imul((word + (word >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
  }
  return sum
}

/** A bit set of so many words that has some slots, none beyond its end. */
export function bitsOf(slots: Iterable<number>, length: number): Uint32Array {
  const words = new Uint32Array(length)
  for (const slot of slots) words[slot >> 5] |= 1 << (slot & 31)
  return words
}

/** The slots of a bit set, ascending. */
export function* slotsOf(words: Uint32Array, start = 0): Generator<number> {
  for (let word = start >> 5; word < words.length; word++) {
    let rest = words[word]
    if (word === start >> 5) rest &= -1 << (start & 31)
    while (rest !== 0) {
      const bit = 31 - Math.clz32(rest & -rest)
      yield word * 32 + bit
      rest &= rest - 1
    }
  }
}

/** The slots of a bit set, descending, from `start` on. */
export function* slotsBackwards(words: Uint32Array, start = words.length * 32 - 1): Generator<number> {
  const first = Math.min(start >> 5, words.length - 1)
  for (let word = first; word >= 0; word--) {
    let rest = words[word]
    if (word === start >> 5) rest &= -1 >>> (31 - (start & 31))
    while (rest !== 0) {
      const bit = 31 - Math.clz32(rest)
      yield word * 32 + bit
      rest &= ~(1 << bit)
    }
  }
}

/** A growing bit set over slots: bit `slot & 31` of word `slot >> 5`, the form that arenas take as a mask. */
export class Bits {
  #words = new Uint32Array(64)
  #count = 0

  /** Bits set. */
  get count(): number {
    return this.#count
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#words.byteLength
  }

  has(slot: number): boolean {
    return hasBit(this.#words, slot)
  }

  add(slot: number): void {
    if (this.has(slot)) return
    const word = slot >> 5
    if (word >= this.#words.length) {
      this.#words = longer(this.#words, Math.max(word + 1, this.#words.length * 2))
    }
    this.#words[word] |= 1 << (slot & 31)
    this.#count++
  }

  remove(slot: number): void {
    if (!this.has(slot)) return
    this.#words[slot >> 5] &= ~(1 << (slot & 31))
    this.#count--
  }

  /** The words, live: a view, not a copy. */
  get words(): Uint32Array {
    return this.#words
  }

  save(parts: CheckpointParts, name: string): void {
    parts.set(name, this.#words)
    parts.set(`${name}.count`, Uint32Array.of(this.#count))
  }

  load(parts: CheckpointParts, name: string): void {
    this.#words = part(parts, name, Uint32Array<ArrayBuffer>)
    ;[this.#count] = part(parts, `${name}.count`, Uint32Array)
  }
}
