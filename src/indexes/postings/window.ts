import { countBits } from '../../base/bits.js'
import type { Bm25 } from './bm25.js'
import { MAX_LENGTH, type Documents } from './documents.js'

/** Slots of a window at most, a multiple of 32. */
const SLOTS = 8192
/**
 * So many slots of which none is allowed end a window: to begin another is sooner done than to go through the postings
 * of these.
 */
const GAP = 1024

/*
 * What windows are searched with. There is one search at a time, so all have the same arrays: those that never change
 * their place are read and written with less ado.
 */
/** What the terms that were gone through add to the scores of documents. */
const sums = new Float64Array(SLOTS)
/** Bit set of the documents that may be among the best. */
const marked = new Int32Array(SLOTS / 32)
/** Of the documents, as {@link Documents.lengths} tells them. */
const lengths = new Uint8Array(SLOTS)
/** By length, the norm of {@link Bm25}; and what a term of scale 1 adds that a document has once. */
const norms = new Float64Array(MAX_LENGTH + 1)
const once = new Float64Array(MAX_LENGTH + 1)

/** Slots that are searched together, and what was summed up for their documents. Only the newest may be used. */
export class Window {
  /** A multiple of 32, as is the end. */
  start = 0
  end = 0
  /** Where the first posting begins that {@link add} left, and the slot before it. */
  at = 0
  slot = 0
  readonly #bm25: Bm25

  constructor(bm25: Bm25) {
    this.#bm25 = bm25
    norms.set(bm25.norms)
    for (let length = 0; length <= MAX_LENGTH; length++) once[length] = 1 / (1 + norms[length])
  }

  /**
   * Moves to the next slots of which some are allowed, if one is no higher than `last`.
   *
   * @param allow bit set over all slots; absent: all are.
   */
  next(last: number, allow: Uint32Array | undefined): boolean {
    const words = allow?.length ?? Infinity
    let first = this.end >> 5
    while (first < words && allow?.[first] === 0) first++
    this.start = first * 32
    if (first >= words || this.start > last) return false
    this.end = this.start + SLOTS
    if (allow === undefined) return true
    let end = first
    for (let word = first; word < words && word < this.end >> 5 && word - end < GAP / 32; word++)
      if (allow[word] !== 0) end = word + 1
    this.end = end * 32
    return true
  }

  /** Begins with nothing summed up and nothing marked. */
  open(documents: Documents): void {
    const count = this.end - this.start
    sums.fill(0, 0, count)
    marked.fill(0, 0, count >> 5)
    documents.lengths(this.start, count, lengths)
  }

  /**
   * Adds to the sums what a term adds to the scores of documents. Those are marked whose sum is more than enough. One
   * whose length is {@link MAX_LENGTH} or more gets what it would if it were that.
   *
   * @param bytes of a block of the term
   * @param at where the first of its postings begins that were not read yet; the slot before it; and how many there are
   * @param scale of the term, as {@link Bm25} weighs it
   * @returns how many are left that are behind the window, of which {@link at} and {@link slot} tell the first.
   */
  add(bytes: Uint8Array, at: number, slot: number, left: number, scale: number, enough: number): number {
    const { start, end } = this
    const marks = enough < Infinity
    for (let place = slot - start; left > 0; left--) {
      const begin = at
      // The same as readPairs, as it goes along.
      let value = bytes[at++]
      if (value > 127) {
        value &= 127
        for (let shift = 7, byte = 128; byte > 127; shift += 7) {
          byte = bytes[at++]
          value |= (byte & 127) << shift
        }
      }
      const distance = value >>> 1
      place += distance
      if (place >= end - start) {
        this.at = begin
        this.slot = start + place - distance
        return left
      }
      let frequency = 1
      if ((value & 1) !== 0) {
        frequency = 0
        for (let shift = 0, byte = 128; byte > 127; shift += 7) {
          byte = bytes[at++]
          frequency |= (byte & 127) << shift
        }
        frequency >>>= 0
      }
      if (place < 0) continue
      const length = lengths[place]
      const sum = (sums[place] +=
        frequency === 1 ? scale * once[length] : (scale * frequency) / (frequency + norms[length]))
      // Not a condition: no processor foresees it.
      if (marks) marked[place >> 5] |= Number(sum > enough) << place
    }
    return 0
  }

  /**
   * Whether there may be a mark between two slots, both included, of which the first is before the end and the second
   * not before the start.
   */
  hasMarked(first: number, last: number): boolean {
    const end = Math.min(last, this.end - 1) - this.start
    for (let word = Math.max(first - this.start, 0) >> 5; word <= end >> 5; word++) if (marked[word] !== 0) return true
    return false
  }

  /** How many slots of the window a bit set over all slots has. */
  count(words: Uint32Array): number {
    return countBits(words.subarray(this.start >> 5, this.end >> 5))
  }

  /** Visits the slots of the window that a bit set over all slots has, ascending. */
  among(words: Uint32Array, each: (slot: number) => void): void {
    for (let word = this.start >> 5; word < this.end >> 5 && word < words.length; word++) {
      for (let rest = words[word] | 0; rest !== 0; rest &= rest - 1) each(word * 32 + 31 - Math.clz32(rest & -rest))
    }
  }

  /** Takes the marks of the slots away that are not in a bit set over all slots. */
  allow(words: Uint32Array): void {
    const first = this.start >> 5
    for (let word = 0; word < (this.end >> 5) - first; word++)
      marked[word] &= first + word < words.length ? words[first + word] : 0
  }

  /** Takes the marks away of documents whose sum is no more than enough. Answers how many stay. */
  sift(enough: number): number {
    let count = 0
    for (let word = 0; word < (this.end - this.start) >> 5; word++) {
      let stay = marked[word]
      for (let rest = stay; rest !== 0; rest &= rest - 1) {
        const bit = 31 - Math.clz32(rest & -rest)
        if (sums[word * 32 + bit] > enough) count++
        else stay &= ~(1 << bit)
      }
      marked[word] = stay
    }
    return count
  }

  /**
   * Visits the marked slots, ascending, with what their terms add up to, but in another order than {@link Bm25.score}
   * adds them.
   */
  visit(each: (slot: number, score: number) => void): void {
    for (let word = 0; word < (this.end - this.start) >> 5; word++) {
      for (let rest = marked[word]; rest !== 0; rest &= rest - 1) {
        const place = word * 32 + 31 - Math.clz32(rest & -rest)
        const slot = this.start + place
        each(slot, lengths[place] < MAX_LENGTH ? sums[place] : this.#bm25.score(slot))
      }
    }
  }
}
