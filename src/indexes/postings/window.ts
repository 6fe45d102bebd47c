import { countBits } from '../bits.js'

/** Slots of a window, a multiple of 32. */
const SLOTS = 4096

/** Slots that are searched together, and what was summed up for their documents. */
export class Window {
  start = 0
  end = SLOTS
  /** No document with a term of the query that is in these slots is shorter. */
  shortest = Infinity
  readonly sums = new Float64Array(SLOTS)
  /** Bit set of the slots that may be among the best. */
  readonly marked = new Uint32Array(SLOTS / 32)

  /** Moves to the next slots. */
  next(): void {
    this.start += SLOTS
    this.end += SLOTS
    this.shortest = Infinity
  }

  /** Begins with nothing summed up and nothing marked. */
  clear(): void {
    this.sums.fill(0)
    this.marked.fill(0)
  }

  /** Whether there may be a mark between two slots, both included, of which the first is before the end and the second not before the start. */
  hasMarked(first: number, last: number): boolean {
    const end = Math.min(last, this.end - 1) - this.start
    for (let word = Math.max(first - this.start, 0) >> 5; word <= end >> 5; word++) if (this.marked[word] !== 0) return true
    return false
  }

  /** How many slots of the window a bit set over all slots has. */
  count(words: Uint32Array): number {
    return countBits(words.subarray(this.start >> 5, this.end >> 5))
  }

  /** Visits the slots of the window that a bit set over all slots has, ascending. */
  among(words: Uint32Array, each: (slot: number) => void): void {
    for (let word = this.start >> 5; word < this.end >> 5 && word < words.length; word++) {
      for (let rest = words[word]; rest !== 0; rest &= rest - 1) each(word * 32 + 31 - Math.clz32(rest & -rest))
    }
  }

  /** Takes the marks of the slots away that are not in a bit set over all slots. */
  allow(words: Uint32Array): void {
    const first = this.start >> 5
    for (let word = 0; word < this.marked.length; word++) this.marked[word] &= first + word < words.length ? words[first + word] : 0
  }

  /** Visits the marked slots, ascending, with their sums. A mark stays where the answer is true. Answers whether any does. */
  sift(stays: (slot: number, sum: number) => boolean): boolean {
    let any = 0
    for (let word = 0; word < this.marked.length; word++) {
      for (let rest = this.marked[word]; rest !== 0; rest &= rest - 1) {
        const bit = 31 - Math.clz32(rest & -rest)
        if (!stays(this.start + word * 32 + bit, this.sums[word * 32 + bit])) this.marked[word] &= ~(1 << bit)
      }
      any |= this.marked[word]
    }
    return any !== 0
  }
}
