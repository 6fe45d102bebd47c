import { log } from '../../core/exponential.js'
import type { Documents } from './documents.js'

/** Saturation of term frequency; the value that Anserini uses for passages (Yang, Fang and Lin 2017). */
const K1 = 0.9
/** Length normalisation; likewise. Turns of talk are short, so their length says little. */
const B = 0.4

/** Lengths whose norm is worked out once for a question. */
const USUAL = 256

/** `ln(1 + (N − n + ½) / (n + ½))` of a term that `n` of `N` documents have: the always positive form of the inverse document frequency. */
export function idf(documents: number, n: number): number {
  return log(1 + (documents - n + 0.5) / (n + 0.5))
}

/** A term of a query. */
export interface Weighed {
  readonly term: number
  /** A bit for its place in the query as it was given, 0 from the 33rd on. */
  readonly bit: number
  /** Its weight, its idf and K1 + 1 together. */
  readonly scale: number
}

/** BM25 of one query as the documents are now. */
export class Bm25 {
  /** By place in the query. */
  readonly terms: readonly Weighed[]
  readonly #documents: Documents
  /** By the number of a term, one more than its place; 0 for those that the query has not. */
  readonly #places: Uint32Array
  /** How often the document has each term; zeros between one document and the next. */
  readonly #found: Float64Array
  readonly #meanLength: number
  /** Which terms the document has that was scored last: their bits. */
  has = 0
  /** By length. */
  readonly #norms = new Float64Array(USUAL)

  /** @param query of each term its number, bit, weight and document frequency; the order is that in which scores are summed */
  constructor(documents: Documents, query: readonly { readonly term: number; readonly bit: number; readonly weight: number; readonly documents: number }[]) {
    this.#documents = documents
    this.terms = query.map(({ term, bit, weight, documents: n }) => ({ term, bit, scale: weight * idf(documents.size, n) * (K1 + 1) }))
    this.#places = new Uint32Array(1 + Math.max(-1, ...query.map(({ term }) => term)))
    query.forEach(({ term }, place) => { this.#places[term] = place + 1 })
    this.#found = new Float64Array(query.length)
    this.#meanLength = documents.totalLength / Math.max(1, documents.size)
    for (let length = 0; length < USUAL; length++) this.#norms[length] = this.#norm(length)
  }

  /** What a term adds to the score of a document of a length that has it so often. */
  added(scale: number, frequency: number, length: number): number {
    return (scale * frequency) / (frequency + (length < USUAL ? this.#norms[length] : this.#norm(length)))
  }

  /**
   * What the scale of a term is divided by if a document of a length has it once, as documents have most of their terms: the scales
   * of all that it has can be summed up without knowing its length.
   */
  divisor(length: number): number {
    return 1 + (length < USUAL ? this.#norms[length] : this.#norm(length))
  }

  /** {@link divisor} of the document in a slot. */
  divisorOf(slot: number): number {
    return this.divisor(this.#documents.length(slot))
  }

  /** What a term adds to the score of the document in a slot, times its {@link divisor}. */
  multiplied(scale: number, frequency: number, slot: number): number {
    const length = this.#documents.length(slot)
    return this.added(scale, frequency, length) * this.divisor(length)
  }

  /** The score of a document: what its terms add, summed in their order in the query. */
  score(slot: number): number {
    const documents = this.#documents
    const count = documents.read(slot)
    const { terms, frequencies } = documents
    const [places, found] = [this.#places, this.#found]
    let shared = 0
    for (let i = 0; i < count; i++) {
      const place = terms[i] < places.length ? places[terms[i]] : 0
      if (place === 0) continue
      found[place - 1] = frequencies[i]
      shared++
    }
    const length = this.#documents.length(slot)
    let sum = 0
    this.has = 0
    for (let place = 0; shared > 0; place++) {
      if (found[place] === 0) continue
      const { scale, bit } = this.terms[place]
      sum += this.added(scale, found[place], length)
      this.has |= bit
      found[place] = 0
      shared--
    }
    return sum
  }

  #norm(length: number): number {
    return K1 * (1 - B + (B * length) / this.#meanLength)
  }
}
