import { DIMENSION, type Query } from '../src/kernel/port.js'

/**
 * Multi-probe locality-sensitive hashing of signatures by sampled bits (Indyk and Motwani 1998), whose probes follow
 * the query: first the bucket of its signs, then those that differ where it has the least weight (Lv, Josephson, Wang,
 * Charikar and Li 2007).
 */
export class MultiProbe {
  readonly #bits: number
  readonly #tables: readonly HashTable[]

  /** @param signatures one after the other; an item's number is its place. */
  constructor(
    signatures: readonly Uint8Array[],
    { tables, bits }: { readonly tables: number; readonly bits: number },
    random: () => number,
  ) {
    this.#bits = bits
    this.#tables = Array.from({ length: tables }, () => {
      const dimensions = Uint16Array.from({ length: bits }, () => Math.floor(random() * DIMENSION))
      return new HashTable(signatures, dimensions)
    })
  }

  /** Bytes for each item. */
  get bytes(): number {
    return this.#tables.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** The items in the buckets that are most likely to have what is near, each once, ascending. */
  near(query: Query, probes: number): Uint32Array {
    const found = new Set<number>()
    for (const table of this.#tables) {
      const key = table.keyOf(query.signs)
      const weights = Array.from(table.dimensions, (dimension) => magnitude(query, dimension))
      for (const flips of cheapestFlips(weights, Math.min(probes, 2 ** this.#bits)))
        for (const item of table.bucket(key ^ flips)) found.add(item)
    }
    return Uint32Array.from(found).sort()
  }
}

class HashTable {
  readonly dimensions: Uint16Array
  readonly #starts: Uint32Array
  readonly #items: Uint32Array

  constructor(signatures: readonly Uint8Array[], dimensions: Uint16Array) {
    this.dimensions = dimensions
    const keys = Uint32Array.from(signatures, (signature) => this.keyOf(signature))
    this.#starts = new Uint32Array(2 ** dimensions.length + 1)
    for (const key of keys) this.#starts[key + 1]++
    for (let key = 1; key < this.#starts.length; key++) this.#starts[key] += this.#starts[key - 1]
    this.#items = new Uint32Array(keys.length)
    const next = this.#starts.slice()
    keys.forEach((key, item) => (this.#items[next[key]++] = item))
  }

  get bytes(): number {
    return (this.#starts.byteLength + this.#items.byteLength) / this.#items.length
  }

  keyOf(signature: Uint8Array): number {
    let key = 0
    for (const [bit, dimension] of this.dimensions.entries())
      key |= ((signature[dimension >> 3] >> (dimension & 7)) & 1) << bit
    return key
  }

  bucket(key: number): Uint32Array {
    return this.#items.subarray(this.#starts[key], this.#starts[key + 1])
  }
}

/** The weight of a query at a dimension. */
function magnitude({ planes }: Query, dimension: number): number {
  if (planes === undefined) return 1
  let magnitude = 0
  for (let plane = 0; plane < 4; plane++)
    magnitude |= ((planes[plane * (DIMENSION / 8) + (dimension >> 3)] >> (dimension & 7)) & 1) << plane
  return magnitude
}

/** Sets of bits, as numbers, in ascending order of their weights' sum, the empty one first. */
export function cheapestFlips(weights: readonly number[], count: number): number[] {
  const order = weights.map((_, bit) => bit).sort((a, b) => weights[a] - weights[b])
  // Each set is reached from one other: its heaviest bit moved on by one, or the next one added.
  const open: { sum: number; last: number; flips: number }[] = [
    { sum: weights[order[0]], last: 0, flips: 1 << order[0] },
  ]
  const flips = [0]
  while (flips.length < count && open.length > 0) {
    let best = 0
    for (let i = 1; i < open.length; i++) if (open[i].sum < open[best].sum) best = i
    const [{ sum, last, flips: set }] = open.splice(best, 1)
    flips.push(set)
    const next = last + 1
    if (next === order.length) continue
    const [was, will] = [order[last], order[next]]
    open.push({ sum: sum - weights[was] + weights[will], last: next, flips: (set & ~(1 << was)) | (1 << will) })
    open.push({ sum: sum + weights[will], last: next, flips: set | (1 << will) })
  }
  return flips
}
