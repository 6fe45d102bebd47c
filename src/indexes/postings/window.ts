import { countBits } from '../bits.js'

/** Slots of a window, a multiple of 32. */
const SLOTS = 4096

/** Slots that are searched together, and what was summed up for each. */
export class Window {
  start = 0
  end = SLOTS
  readonly sums = new Float64Array(SLOTS)
  /** Bit set of the slots that may be among the best. */
  readonly found = new Uint32Array(SLOTS / 32)

  /** Moves to the next slots, with nothing found. */
  next(): void {
    this.start += SLOTS
    this.end += SLOTS
    this.sums.fill(0)
    this.found.fill(0)
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

  /** Leaves only what is in a bit set over all slots. */
  allow(words: Uint32Array): void {
    const first = this.start >> 5
    for (let word = 0; word < this.found.length; word++) this.found[word] &= first + word < words.length ? words[first + word] : 0
  }

  /** Leaves only those whose sum and what may be added come to more than a score. Answers whether any are left. */
  keep(score: number, more: number, slack: number): boolean {
    let any = 0
    for (let word = 0; word < this.found.length; word++) {
      let kept = this.found[word]
      for (let rest = kept; rest !== 0; rest &= rest - 1) {
        const bit = 31 - Math.clz32(rest & -rest)
        if ((this.sums[word * 32 + bit] + more) * slack <= score) kept &= ~(1 << bit)
      }
      any |= this.found[word] = kept
    }
    return any !== 0
  }

  /** The slots that are left, ascending, with their sums. */
  visit(each: (slot: number, sum: number) => void): void {
    for (let word = 0; word < this.found.length; word++) {
      for (let rest = this.found[word]; rest !== 0; rest &= rest - 1) {
        const i = word * 32 + 31 - Math.clz32(rest & -rest)
        each(this.start + i, this.sums[i])
      }
    }
  }
}
