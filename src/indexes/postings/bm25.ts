import { log } from '../../base/exponential.js'
import { MAX_LENGTH, type Documents } from './documents.js'

/** Saturation of term frequency; the value that Anserini uses for passages (Yang, Fang and Lin 2017). */
const K1 = 0.9
/** Length normalisation; likewise. Turns of talk are short, so their length says little. */
const B = 0.4

/**
 * `ln(1 + (N − n + ½) / (n + ½))` of a term that `n` of `N` documents have: the always positive form of the inverse
 * document frequency.
 */
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
  /** How many documents have it. */
  readonly documents: number
}

/** BM25 of one query as the documents are now. */
export class Bm25 {
  /** By place in the query. */
  readonly terms: readonly Weighed[]
  readonly #documents: Documents
  /** By the number of a term, one more than its place; 0 for those that the query has not. */
  readonly #places: Uint16Array | Uint32Array
  /** How often the document has each term; zeros between one document and the next. */
  readonly #found: Float64Array
  readonly #meanLength: number
  /** Which terms the document has that was scored last: their bits. */
  has = 0
  /** By length, up to {@link MAX_LENGTH}: what a frequency is divided by beside itself. */
  readonly norms = new Float64Array(MAX_LENGTH + 1)

  /**
   * @param query of each term its number, bit, weight and document frequency; the order is that in which scores are
   * summed
   */
  constructor(
    documents: Documents,
    query: readonly {
      readonly term: number
      readonly bit: number
      readonly weight: number
      readonly documents: number
    }[],
  ) {
    this.#documents = documents
    this.terms = query.map(({ term, bit, weight, documents: n }) => ({
      term,
      bit,
      scale: weight * idf(documents.size, n) * (K1 + 1),
      documents: n,
    }))
    const Places = query.length < 2 ** 16 ? Uint16Array : Uint32Array
    this.#places = new Places(1 + Math.max(-1, ...query.map(({ term }) => term)))
    query.forEach(({ term }, place) => {
      this.#places[term] = place + 1
    })
    this.#found = new Float64Array(query.length)
    this.#meanLength = documents.totalLength / Math.max(1, documents.size)
    for (let length = 0; length <= MAX_LENGTH; length++) this.norms[length] = this.#norm(length)
  }

  /** What a term adds to the score of a document of a length that has it so often. */
  added(scale: number, frequency: number, length: number): number {
    return (scale * frequency) / (frequency + (length <= MAX_LENGTH ? this.norms[length] : this.#norm(length)))
  }

  /** The score of a document: what its terms add, summed in their order in the query. */
  score(slot: number): number {
    this.has = 0
    const documents = this.#documents
    const count = documents.find(slot)
    let shared = count === 0 ? 0 : this.#match(documents.memory, documents.at, count)
    if (shared === 0) return 0
    const short = documents.short(slot)
    const norm = short < MAX_LENGTH ? this.norms[short] : this.#norm(documents.length(slot))
    const found = this.#found
    let sum = 0
    for (let place = 0; shared > 0; place++) {
      const frequency = found[place]
      if (frequency === 0) continue
      const { scale, bit } = this.terms[place]
      sum += (scale * frequency) / (frequency + norm)
      this.has |= bit
      found[place] = 0
      shared--
    }
    return sum
  }

  /** Reads the terms of a document, and notes how often it has those of the query. Answers how many these are. */
  #match(bytes: Uint8Array, at: number, count: number): number {
    const [places, found] = [this.#places, this.#found]
    let shared = 0
    for (; count > 0; count--) {
      // The same as readPairs, as it goes along.
      let term = bytes[at++]
      if (term > 127) {
        term &= 127
        for (let shift = 7, byte = 128; byte > 127; shift += 7) {
          byte = bytes[at++]
          term |= (byte & 127) << shift
        }
      }
      let frequency = 1
      if ((term & 1) !== 0) {
        frequency = 0
        for (let shift = 0, byte = 128; byte > 127; shift += 7) {
          byte = bytes[at++]
          frequency |= (byte & 127) << shift
        }
      }
      term >>>= 1
      if (term >= places.length || places[term] === 0) continue
      found[places[term] - 1] = frequency >>> 0
      shared++
    }
    return shared
  }

  #norm(length: number): number {
    return K1 * (1 - B + (B * length) / this.#meanLength)
  }
}
