import { log } from '../core/exponential.js'
import { hasBit } from './bits.js'

/** BM25 saturation of term frequency; the value that Anserini uses for passages (Yang, Fang and Lin 2017). */
const K1 = 0.9
/** BM25 length normalisation; likewise. Turns of talk are short, so their length says little. */
const B = 0.4

/** Where a term occurs. */
export interface Posting {
  /** Ascending. */
  readonly slots: number[]
  readonly frequencies: number[]
}

interface Document {
  readonly length: number
  /** The posting lists of its terms, each once. */
  readonly terms: readonly Posting[]
}

/** The best of a search: descending by score, ties ascending by slot. */
export interface Scored {
  readonly slots: number[]
  readonly scores: number[]
}

/** Term weights of a query. */
export type TermWeights = ReadonlyMap<string, number>

/**
 * Posting lists with BM25. All that is kept is a function of the live documents: whatever `add`
 * counts, `remove` takes back.
 */
export class Postings {
  readonly #postings = new Map<string, Posting>()
  readonly #documents = new Map<number, Document>()
  #totalLength = 0

  /** Live documents. */
  get documents(): number {
    return this.#documents.size
  }

  /** Distinct terms. */
  get terms(): number {
    return this.#postings.size
  }

  add(slot: number, counts: ReadonlyMap<string, number>): void {
    let length = 0
    const terms: Posting[] = []
    for (const [term, frequency] of counts) {
      let posting = this.#postings.get(term)
      if (posting === undefined) this.#postings.set(term, (posting = { slots: [], frequencies: [] }))
      const at = lowerBound(posting.slots, slot)
      posting.slots.splice(at, 0, slot)
      posting.frequencies.splice(at, 0, frequency)
      terms.push(posting)
      length += frequency
    }
    this.#documents.set(slot, { length, terms })
    this.#totalLength += length
  }

  remove(slot: number, counts: ReadonlyMap<string, number>): void {
    for (const term of counts.keys()) {
      const posting = this.#postings.get(term)
      if (posting === undefined) continue
      const at = lowerBound(posting.slots, slot)
      if (posting.slots[at] !== slot) continue
      posting.slots.splice(at, 1)
      posting.frequencies.splice(at, 1)
      if (posting.slots.length === 0) this.#postings.delete(term)
    }
    this.#totalLength -= this.#documents.get(slot)?.length ?? 0
    this.#documents.delete(slot)
  }

  /** In how many live documents the term occurs. */
  documentFrequency(term: string): number {
    return this.#postings.get(term)?.slots.length ?? 0
  }

  /** `ln(1 + (N − n + ½) / (n + ½))`: the always positive form of BM25's inverse document frequency. */
  idf(term: string): number {
    return this.#idf(this.documentFrequency(term))
  }

  /** The terms of a live document, each once, as their posting lists. */
  termsOf(slot: number): readonly Posting[] {
    return this.#documents.get(slot)?.terms ?? []
  }

  /** The posting list of a term, if any live document has it. */
  posting(term: string): Posting | undefined {
    return this.#postings.get(term)
  }

  /** The idf of a posting list's term. */
  idfOf(posting: Posting): number {
    return this.#idf(posting.slots.length)
  }

  #idf(n: number): number {
    return log(1 + (this.documents - n + 0.5) / (n + 0.5))
  }

  /** The `k` best documents, among those in the bit set `allow` if it is given. Only documents that share a term are found. */
  search(query: TermWeights, k: number, allow?: Uint32Array): Scored {
    const scores = new Map<number, number>()
    this.#each(query, (slot, score) => {
      if (allow === undefined || hasBit(allow, slot)) {
        scores.set(slot, (scores.get(slot) ?? 0) + score)
      }
    })
    const best = [...scores].sort(([slotA, a], [slotB, b]) => b - a || slotA - slotB).slice(0, k)
    return { slots: best.map(([slot]) => slot), scores: best.map(([, score]) => score) }
  }

  /** The scores of given documents, each at the row that is given for its slot; 0 where no term is shared. */
  score(query: TermWeights, rows: ReadonlyMap<number, number>): Float64Array {
    const scores = new Float64Array(rows.size)
    this.#each(query, (slot, score) => {
      const row = rows.get(slot)
      if (row !== undefined) scores[row] += score
    })
    return scores
  }

  #each(query: TermWeights, visit: (slot: number, score: number) => void): void {
    const meanLength = this.#totalLength / Math.max(1, this.documents)
    for (const [term, weight] of query) {
      const posting = this.#postings.get(term)
      if (posting === undefined) continue
      const scale = weight * this.idf(term) * (K1 + 1)
      for (let i = 0; i < posting.slots.length; i++) {
        const slot = posting.slots[i]
        const frequency = posting.frequencies[i]
        const norm = K1 * (1 - B + (B * this.#documents.get(slot)!.length) / meanLength)
        visit(slot, (scale * frequency) / (frequency + norm))
      }
    }
  }
}

/** The first index whose value is not less than `value`. */
function lowerBound(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length
  // Appending is by far the most frequent case.
  if (high === 0 || sorted[high - 1] < value) return high
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle] < value) low = middle + 1
    else high = middle
  }
  return low
}
