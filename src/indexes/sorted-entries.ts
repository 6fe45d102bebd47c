import { HEAP } from '../base/heap-size.js'

/** How two entries stand to each other, as for `Array.prototype.sort`; entries of equal values are the same. */
export type Compare = (a: number, b: number) => number

/** Tells of entries on which side of a range they lie. */
export interface Outside {
  isBefore(entry: number): boolean
  isBehind(entry: number): boolean
}

/** Changes that are kept apart at least before the order is made anew instead. */
const FEW = 1_024

/**
 * The entries of an attribute in the order of their values, so that a range is found by two binary searches. The order
 * is made when it is first asked for: most attributes are never asked for a range. From then on entries that come and
 * go are kept apart, and taken in with the next question: one by one each would move half of the others.
 */
export class SortedEntries {
  readonly #compare: Compare
  #sorted: Uint32Array<ArrayBuffer> | undefined
  /** Entries that are not in the order yet. */
  readonly #added = new Set<number>()
  /** Entries that are still in it. Their numbers may be those of others by now, which are then among the added. */
  readonly #gone = new Set<number>()

  constructor(compare: Compare) {
    this.#compare = compare
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    return (this.#sorted?.byteLength ?? 0) + (this.#added.size + this.#gone.size) * HEAP.entry
  }

  add(entry: number): void {
    if (this.#sorted === undefined) return
    this.#added.add(entry)
    if (this.#added.size > Math.max(FEW, this.#sorted.length)) this.#drop()
  }

  remove(entry: number): void {
    if (this.#sorted !== undefined && !this.#added.delete(entry)) this.#gone.add(entry)
  }

  /**
   * The entries from the first that is not before a range to the last that is not behind it: a view, valid until the
   * next change.
   *
   * @param all the entries, in any order.
   */
  within(all: Uint32Array, range: Outside): Uint32Array {
    const sorted = this.#inOrder(all)
    const from = firstWithout(sorted, (entry) => range.isBefore(entry))
    return sorted.subarray(
      from,
      Math.max(
        from,
        firstWithout(sorted, (entry) => !range.isBehind(entry)),
      ),
    )
  }

  #inOrder(all: Uint32Array): Uint32Array {
    if (this.#sorted === undefined) return (this.#sorted = all.slice().sort(this.#compare))
    if (this.#added.size + this.#gone.size > 0) {
      const kept = this.#gone.size === 0 ? this.#sorted : this.#sorted.filter((entry) => !this.#gone.has(entry))
      this.#sorted = merged(kept, Uint32Array.from(this.#added).sort(this.#compare), this.#compare)
      this.#added.clear()
      this.#gone.clear()
    }
    return this.#sorted
  }

  #drop(): void {
    this.#sorted = undefined
    this.#added.clear()
    this.#gone.clear()
  }
}

/** Two ascending lists in one. What lies between two of the fewer ones is moved at once. */
function merged(many: Uint32Array<ArrayBuffer>, few: Uint32Array, compare: Compare): Uint32Array<ArrayBuffer> {
  if (few.length === 0) return many
  const all = new Uint32Array(many.length + few.length)
  let from = 0
  few.forEach((entry, i) => {
    const to = from + firstWithout(many.subarray(from), (other) => compare(other, entry) < 0)
    all.set(many.subarray(from, to), from + i)
    all[to + i] = entry
    from = to
  })
  all.set(many.subarray(from), from + few.length)
  return all
}

/** Where the first entry stands of which something is not true, in a list that begins with those of which it is. */
function firstWithout(entries: Uint32Array, isTrue: (entry: number) => boolean): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isTrue(entries[middle])) low = middle + 1
    else high = middle
  }
  return low
}
