/**
 * The thresholds that trees ask values of columns for. Many nodes ask for the same ones, so that which rows are above
 * each of them is worked out once, as sets of rows: the idea of QuickScorer (Lucchese et al. 2015), with the parts of
 * rows and leaves exchanged.
 */
export class Ladders {
  readonly #columns: Int32Array
  /** Where the ladder of each column begins, and the last one ends. */
  readonly #starts: Int32Array
  /** Ascending in each ladder; filled up with infinity, at least once, to a power of two. */
  readonly #rungs: Float64Array

  /** @param asked the thresholds that are asked for, by column. */
  constructor(asked: ReadonlyMap<number, ReadonlySet<number>>) {
    const starts = [0]
    const rungs: number[] = []
    for (const thresholds of asked.values()) {
      const start = rungs.length
      let height = 1
      for (const threshold of [...thresholds].sort((a, b) => a - b)) {
        rungs.push(threshold)
        if (rungs.length - start === height) height *= 2
      }
      while (rungs.length - start < height) rungs.push(Infinity)
      starts.push(rungs.length)
    }
    this.#columns = Int32Array.from(asked.keys())
    this.#starts = Int32Array.from(starts)
    this.#rungs = Float64Array.from(rungs)
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#columns.byteLength + this.#starts.byteLength + this.#rungs.byteLength
  }

  /** The number of the set of rows that are above a threshold of a column; one that is asked for. */
  set(column: number, threshold: number): number {
    return this.#rungs.indexOf(threshold, this.#starts[this.#columns.indexOf(column)]) + 1
  }

  /**
   * The sets of rows that are not at or under each threshold: bit `i & 31` of word `i >> 5` for row `i`, and as many
   * words for each set.
   */
  above(rows: Float64Array, width: number, count: number): Int32Array {
    const words = (count + 31) >>> 5
    const sets = new Int32Array(this.#rungs.length * words)
    for (let ladder = 0; ladder < this.#columns.length; ladder++) {
      const [start, end] = [this.#starts[ladder], this.#starts[ladder + 1]]
      climb(this.#rungs, start, (end - start) >> 1, rows, this.#columns[ladder], width, count, sets, words)
      // Who is above a rung is above all under it.
      for (let word = (end - 1) * words - 1; word >= start * words; word--) sets[word] |= sets[word + words]
    }
    return sets
  }
}

/** Puts each row into the set of the highest rung that it is above. @param half of a ladder. */
function climb(
  rungs: Float64Array,
  start: number,
  half: number,
  rows: Float64Array,
  column: number,
  width: number,
  count: number,
  sets: Int32Array,
  words: number,
): void {
  // Two side by side, so that the processor need not wait for one step before it begins another; and without a branch,
  // since none could be foretold.
  for (let row = 0, at = column; row < count; row += 2, at += 2 * width) {
    const value = rows[at]
    const next = row + 1 < count ? rows[at + width] : value
    let [a, b] = [start, start]
    for (let step = half; step > 0; step >>= 1) {
      a += step & -Number(!(value <= rungs[a + step - 1]))
      b += step & -Number(!(next <= rungs[b + step - 1]))
    }
    sets[a * words + (row >> 5)] |= 1 << (row & 31)
    if (row + 1 < count) sets[b * words + (row >> 5)] |= 2 << (row & 31)
  }
}
