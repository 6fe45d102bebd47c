import type { CheckpointParts } from '../../base/checkpoint-parts.js'
import { Interner } from '../../base/interner.js'
import { Bm25, idf } from './bm25.js'
import { Documents } from './documents.js'
import { PostingLists } from './lists.js'
import { search, type Scored } from './search.js'
import type { Index, IndexTools } from '../port.js'

/** Term weights of a query; none is negative, and a term that weighs 0 does not count. */
export type TermWeights = ReadonlyMap<string, number>

/** Indexes the words of texts and speakers' names. */
export function wordIndex({ words }: IndexTools): Index<Postings> {
  const postings = new Postings()
  return {
    contents: postings,
    add: (slot, _, read) => postings.add(slot, words.terms(read)),
    update(slot, _, read) {
      const terms = words.terms(read())
      if (postings.has(slot, terms)) return
      postings.remove(slot)
      postings.add(slot, terms)
    },
    remove: (slot) => postings.remove(slot),
    candidates: ({ terms }, depth, mask) => postings.search(terms, depth, mask).slots,
  }
}

/**
 * Posting lists with BM25. Terms have numbers; each has a chain of blocks of postings, and each document its terms, all
 * in typed arrays. All that is kept is a function of the live documents: whatever `add` counts, `remove` takes back.
 */
export class Postings {
  /** A document uses each of its terms once. */
  readonly #terms = new Interner()
  readonly #documents = new Documents()
  readonly #lists = new PostingLists()
  /** Of the document that is added: new arrays for each would cost more than to fill them. */
  #adding = { terms: new Uint32Array(64), frequencies: new Uint32Array(64) }

  /** Live documents. */
  get documents(): number {
    return this.#documents.size
  }

  /** Distinct terms. */
  get terms(): number {
    return this.#terms.size
  }

  /** Bytes of memory; those of the terms are an estimate. */
  get bytes(): number {
    return this.#terms.bytes + this.#documents.bytes + this.#lists.bytes
  }

  /** Postings that searches have read so far; others were passed over. */
  get searched(): number {
    return this.#lists.blocks.searched
  }

  /**
   * @param slot below 2³¹; it has no document.
   * @param counts how often the document has each of its terms, at least once.
   */
  add(slot: number, counts: ReadonlyMap<string, number>): void {
    if (counts.size > this.#adding.terms.length)
      this.#adding = { terms: new Uint32Array(2 * counts.size), frequencies: new Uint32Array(2 * counts.size) }
    const { terms, frequencies } = this.#adding
    let count = 0
    for (const [term, frequency] of counts) {
      terms[count] = this.#terms.add(term)
      frequencies[count++] = frequency
    }
    this.#documents.add(slot, terms, frequencies, count)
    for (let i = 0; i < count; i++) this.#lists.add(terms[i], slot, frequencies[i], this.#documents)
  }

  /** Takes a document out, if there is one. */
  remove(slot: number): void {
    for (const term of this.termsOf(slot)) {
      this.#lists.remove(term, slot, this.#documents)
      this.#terms.remove(term)
    }
    this.#documents.remove(slot)
  }

  /** Whether a document has these terms, each so often, and no others. */
  has(slot: number, counts: ReadonlyMap<string, number>): boolean {
    const count = this.#documents.read(slot)
    if (count !== counts.size) return false
    const { terms, frequencies } = this.#documents
    const held = new Map<number, number>()
    for (let i = 0; i < count; i++) held.set(terms[i], frequencies[i])
    for (const [term, frequency] of counts) {
      const number = this.#terms.find(term)
      if (number === undefined || held.get(number) !== frequency) return false
    }
    return true
  }

  /** In how many live documents the term occurs. */
  documentFrequency(term: string): number {
    const number = this.#terms.find(term)
    return number === undefined ? 0 : this.#terms.uses(number)
  }

  /** The inverse document frequency of a term, which need not occur. */
  idf(term: string): number {
    return idf(this.documents, this.documentFrequency(term))
  }

  /** The number of a term, if any live document has it. It is another's once none has. */
  number(term: string): number | undefined {
    return this.#terms.find(term)
  }

  /** The terms of a live document by their numbers, each once, in the order in which they were added. */
  termsOf(slot: number): Uint32Array {
    const count = this.#documents.read(slot)
    return this.#documents.terms.slice(0, count)
  }

  /** The term with a number; `undefined` where no live document has it. */
  term(number: number): string | undefined {
    return this.#terms.name(number)
  }

  /** In how many live documents the term with a number occurs. */
  usesOf(number: number): number {
    return this.#terms.uses(number)
  }

  /** The inverse document frequency of the term with a number. */
  idfOf(number: number): number {
    return idf(this.documents, this.#terms.uses(number))
  }

  /**
   * The `k` best documents, among those in the bit set `allow` if it is given. Only documents that share a term are
   * found.
   */
  search(query: TermWeights, k: number, allow?: Uint32Array): Scored {
    if (k < 1) return { slots: [], scores: [] }
    return search(this.#documents, this.#lists, this.#bm25(query), k, allow)
  }

  /**
   * The scores of given documents, 0 where no term is shared; and which terms of the query each has: bit i for the
   * i-th, as far as 32 go.
   */
  score(query: TermWeights, slots: Uint32Array): { readonly scores: Float64Array; readonly terms: Uint32Array } {
    const bm25 = this.#bm25(query)
    const scores = new Float64Array(slots.length)
    const terms = new Uint32Array(slots.length)
    for (let row = 0; row < slots.length; row++) {
      scores[row] = bm25.score(slots[row])
      terms[row] = bm25.has
    }
    return { scores, terms }
  }

  save(parts: CheckpointParts, name: string): void {
    this.#terms.save(parts, `${name}.terms`)
    this.#documents.save(parts, `${name}.documents`)
    this.#lists.save(parts, `${name}.lists`)
  }

  load(parts: CheckpointParts, name: string): void {
    this.#terms.load(parts, `${name}.terms`)
    this.#documents.load(parts, `${name}.documents`)
    this.#lists.load(parts, `${name}.lists`)
  }

  #bm25(query: TermWeights): Bm25 {
    const known = []
    let place = 0
    for (const [name, weight] of query) {
      const bit = place < 32 ? 1 << place : 0
      const term = this.#terms.find(name)
      if (term !== undefined && weight !== 0) known.push({ term, bit, weight, documents: this.#terms.uses(term) })
      place++
    }
    return new Bm25(this.#documents, known)
  }
}
