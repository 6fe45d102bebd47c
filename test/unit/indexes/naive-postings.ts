import { log } from '../../../src/base/exponential.js'
import { hasBit } from '../../../src/base/bits.js'
import { Column } from '../../../src/base/column.js'

/** BM25 saturation of term frequency; the value that Anserini uses for passages (Yang, Fang and Lin 2017). */
const K1 = 0.9
/** BM25 length normalisation; likewise. Turns of talk are short, so their length says little. */
const B = 0.4

/** Entries of a posting list that are walked in the time in which one is searched for. */
const STEPS = 8

/** Where a term occurs. */
export interface Posting {
  /** Ascending. */
  readonly slots: number[]
  readonly frequencies: number[]
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
export class NaivePostings {
  readonly #postings = new Map<string, Posting>()
  /** The posting lists of the terms of each document, each once. */
  readonly #documents = new Map<number, readonly Posting[]>()
  readonly #lengths = new Column(Uint32Array, 0)
  #totalLength = 0
  /** By slot; all zero but during a search. */
  #sums = new Float64Array(1024)

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
    this.#documents.set(slot, terms)
    this.#lengths.set(slot, length)
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
    this.#totalLength -= this.#lengths.get(slot)
    this.#lengths.set(slot, 0)
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
    return this.#documents.get(slot) ?? []
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

  /**
   * The `k` best documents, among those in the bit set `allow` if it is given. Only documents that share a term are
   * found.
   */
  search(query: TermWeights, k: number, allow?: Uint32Array): Scored {
    const found: number[] = []
    for (const [term, weight] of query) {
      const posting = this.#postings.get(term)
      if (posting === undefined) continue
      const { slots, frequencies } = posting
      this.#reach(slots[slots.length - 1])
      const score = this.#scorer(posting, weight)
      for (let i = 0; i < slots.length; i++) {
        const slot = slots[i]
        if (allow !== undefined && !hasBit(allow, slot)) continue
        const added = score(slot, frequencies[i])
        if (added === 0) continue
        if (this.#sums[slot] === 0) found.push(slot)
        this.#sums[slot] += added
      }
    }
    const sums = this.#sums
    const best = bestOf(found, sums, k)
    const scores = best.map((slot) => sums[slot])
    for (const slot of found) sums[slot] = 0
    return { slots: best, scores }
  }

  /** The scores of given documents, each at the row that is given for its slot; 0 where no term is shared. */
  score(query: TermWeights, rows: ReadonlyMap<number, number>): Float64Array {
    const scores = new Float64Array(rows.size)
    for (const [term, weight] of query) {
      const posting = this.#postings.get(term)
      if (posting === undefined) continue
      const score = this.#scorer(posting, weight)
      this.having(term, rows, (row, slot, frequency) => (scores[row] += score(slot, frequency)))
    }
    return scores
  }

  /** Visits those of the given documents that have a term. */
  having(
    term: string,
    rows: ReadonlyMap<number, number>,
    visit: (row: number, slot: number, frequency: number) => void,
  ): void {
    const posting = this.#postings.get(term)
    if (posting === undefined) return
    const { slots, frequencies } = posting
    if (slots.length <= rows.size * STEPS) {
      for (let i = 0; i < slots.length; i++) {
        const row = rows.get(slots[i])
        if (row !== undefined) visit(row, slots[i], frequencies[i])
      }
      return
    }
    for (const [slot, row] of rows) {
      const at = lowerBound(slots, slot)
      if (slots[at] === slot) visit(row, slot, frequencies[at])
    }
  }

  /** Makes room for sums up to a slot. */
  #reach(slot: number): void {
    if (slot < this.#sums.length) return
    const grown = new Float64Array(Math.max(slot + 1, 2 * this.#sums.length))
    grown.set(this.#sums)
    this.#sums = grown
  }

  /** What a term adds to the score of a document. */
  #scorer({ slots }: Posting, weight: number): (slot: number, frequency: number) => number {
    const meanLength = this.#totalLength / Math.max(1, this.documents)
    const scale = weight * this.#idf(slots.length) * (K1 + 1)
    return (slot, frequency) =>
      (scale * frequency) / (frequency + K1 * (1 - B + (B * this.#lengths.get(slot)) / meanLength))
  }
}

/** The `k` slots with the highest sums, best first, ties ascending by slot. */
function bestOf(slots: readonly number[], sums: Float64Array, k: number): number[] {
  const order = (a: number, b: number) => sums[b] - sums[a] || a - b
  let kept: number[] = []
  let least = -Infinity
  for (const slot of slots) {
    if (sums[slot] < least) continue
    kept.push(slot)
    if (kept.length < 4 * k + 64) continue
    kept = kept.sort(order).slice(0, k)
    least = sums[kept[k - 1]]
  }
  return kept.sort(order).slice(0, k)
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
