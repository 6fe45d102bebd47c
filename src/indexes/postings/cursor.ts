import { FIELDS, FIRST, LAST, LENGTHY, MOST, NEXT, NONE, OFTEN, ONCE, Unpacked, type Blocks } from './blocks.js'
import type { Bm25 } from './bm25.js'
import type { Window } from './window.js'

/**
 * What is rounded away when a score is summed in another order, or a frequency takes the place of a lower one, at the very most:
 * a part in 2⁴⁰ is as much as some thousand terms lose.
 */
export const SLACK = 1 + 2 ** -40

/** Goes through the postings of a term of a query, window by window in ascending order. */
export class Cursor {
  readonly #blocks: Blocks
  readonly #bm25: Bm25
  readonly #scale: number
  readonly #unpacked = new Unpacked()
  #block: number
  /** The next posting of the block that is unpacked; −1 if the block is not. */
  #at = -1

  /** @param block the first of the term */
  constructor(blocks: Blocks, block: number, bm25: Bm25, scale: number) {
    this.#blocks = blocks
    this.#block = block
    this.#bm25 = bm25
    this.#scale = scale
  }

  /** Moves on to a window. Answers what the term adds to the score of a document in it at most; 0 if none has it. */
  bound({ start, end }: Window): number {
    const { table } = this.#blocks
    while (this.#block !== NONE && table[this.#block * FIELDS + LAST] < start) this.#next()
    let most = 0
    for (let block = this.#block; block !== NONE && table[block * FIELDS + FIRST] < end; block = table[block * FIELDS + NEXT]) {
      const added = this.#most(table, block * FIELDS)
      if (added > most) most = added
    }
    return most
  }

  /**
   * Adds what the term adds to the sums of a window, to which {@link bound} has moved on.
   *
   * @param lengths of documents, by slot.
   * @param finds whether documents that were not found yet are.
   */
  gather({ start, end, sums, found }: Window, lengths: Uint32Array, finds: boolean): void {
    const mask = finds ? -1 : 0
    const { slots, frequencies } = this.#unpacked
    const { table } = this.#blocks
    while (this.#block !== NONE && table[this.#block * FIELDS + FIRST] < end) {
      if (this.#at < 0) this.#unpack()
      const { count } = this.#unpacked
      let at = this.#at
      for (; at < count && slots[at] < end; at++) {
        const i = slots[at] - start
        if (i < 0) continue
        sums[i] += this.#bm25.added(this.#scale, frequencies[at], lengths[slots[at]])
        found[i >> 5] |= (1 << (i & 31)) & mask
      }
      this.#at = at
      if (at < count) return
      this.#next()
    }
  }

  /** What a posting of a block adds at most: of the documents that have the term once the shortest, of others one that is the best of them in all. */
  #most(table: Uint32Array, row: number): number {
    const once = table[row + ONCE] === LENGTHY ? 0 : this.#bm25.added(this.#scale, 1, table[row + ONCE])
    const often = table[row + OFTEN] === LENGTHY ? 0 : this.#bm25.added(this.#scale, table[row + MOST], table[row + OFTEN]) * SLACK
    return once > often ? once : often
  }

  #unpack(): void {
    this.#blocks.read(this.#block, this.#unpacked)
    this.#at = 0
  }

  #next(): void {
    this.#block = this.#blocks.table[this.#block * FIELDS + NEXT]
    this.#at = -1
  }
}
