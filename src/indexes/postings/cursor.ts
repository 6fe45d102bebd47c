import { FIELDS, FIRST, LAST, LENGTHY, MAX_BITS, NEXT, NONE, OFTEN, ONCE, type Blocks } from './blocks.js'
import type { Bm25 } from './bm25.js'
import type { Window } from './window.js'

/**
 * What is rounded away when a score is summed in another order, or a frequency takes the place of a lower one, at the
 * very most: a part in 2⁴⁰ is as much as some thousand terms lose.
 */
export const SLACK = 1 + 2 ** -40

/** Goes through the postings of a term of a query, window by window in ascending order. */
export class Cursor {
  readonly #blocks: Blocks
  readonly #bm25: Bm25
  readonly #scale: number
  #block: number
  /** Postings of the block that were not read yet, −1 if none was; where they begin; and the slot before them. */
  #left = -1
  #at = 0
  #slot = 0

  /** @param block the first of the term */
  constructor(blocks: Blocks, block: number, bm25: Bm25, scale: number) {
    this.#blocks = blocks
    this.#block = block
    this.#bm25 = bm25
    this.#scale = scale
  }

  /** Moves on to a window. Answers what the term adds to the score of a document in it at most; 0 if none has it. */
  bound(window: Window): number {
    const { table } = this.#blocks
    while (this.#block !== NONE && table[this.#block * FIELDS + LAST] < window.start) this.#next()
    let most = 0
    for (
      let block = this.#block;
      block !== NONE && table[block * FIELDS + FIRST] < window.end;
      block = table[block * FIELDS + NEXT]
    ) {
      most = Math.max(most, this.#most(table, block * FIELDS))
    }
    return most
  }

  /**
   * Adds what the term adds to the scores of documents to the sums of a window, to which {@link bound} has moved on.
   *
   * @param enough documents whose sum is more are marked.
   */
  gather(window: Window, enough: number): void {
    const { table } = this.#blocks
    while (this.#block !== NONE && table[this.#block * FIELDS + FIRST] < window.end) {
      if (!this.#read(window, enough)) return
      this.#next()
    }
  }

  /** {@link gather} where documents are marked; blocks between them are passed over. */
  follow(window: Window): void {
    const { table } = this.#blocks
    while (this.#block !== NONE && table[this.#block * FIELDS + FIRST] < window.end) {
      if (window.hasMarked(table[this.#block * FIELDS + FIRST], table[this.#block * FIELDS + LAST])) {
        if (!this.#read(window, Infinity)) return
      } else if (table[this.#block * FIELDS + LAST] >= window.end) return
      this.#next()
    }
  }

  /** Reads the block as far as it is in the window. Answers whether that is all of it. */
  #read(window: Window, enough: number): boolean {
    if (this.#left < 0) this.#open()
    const left = window.add(this.#blocks.memory, this.#at, this.#slot, this.#left, this.#scale, enough)
    if (left === 0) return true
    this.#left = left
    this.#at = window.at
    this.#slot = window.slot
    return false
  }

  /**
   * What a posting of a block adds at most: of the documents that have the term once the shortest; of others no more
   * than their shortest would that had it most often.
   */
  #most(table: Uint32Array, row: number): number {
    const once = table[row + ONCE] === LENGTHY ? 0 : this.#bm25.added(this.#scale, 1, table[row + ONCE])
    if (table[row + MAX_BITS] === 0) return once
    const often = this.#bm25.added(this.#scale, table[row + MAX_BITS], table[row + OFTEN]) * SLACK
    return once > often ? once : often
  }

  #open(): void {
    this.#left = this.#blocks.count(this.#block)
    this.#blocks.searched += this.#left
    this.#at = this.#blocks.start(this.#block)
    this.#slot = this.#blocks.table[this.#block * FIELDS + FIRST]
  }

  #next(): void {
    this.#block = this.#blocks.table[this.#block * FIELDS + NEXT]
    this.#left = -1
  }
}
