import { log } from '../../base/exponential.js'

/** A column of numbers, one for each candidate, on scales that do not depend on the memory's size. */
export class Scale {
  /** Standard deviations above the mean of the candidates. */
  readonly z: Float64Array
  /** The best value. */
  readonly most: number
  /** Value over the best one's; 0 where the best is not positive. */
  readonly share: Float64Array

  constructor(readonly values: Float64Array) {
    const n = values.length
    let sum = 0
    let most = -Infinity
    for (let i = 0; i < n; i++) {
      sum += values[i]
      if (values[i] > most) most = values[i]
    }
    const mean = sum / Math.max(1, n)
    let squares = 0
    for (let i = 0; i < n; i++) squares += (values[i] - mean) * (values[i] - mean)
    const deviation = Math.sqrt(squares / Math.max(1, n))
    this.z = new Float64Array(n)
    this.share = new Float64Array(n)
    if (deviation > 0) for (let i = 0; i < n; i++) this.z[i] = (values[i] - mean) / deviation
    if (most > 0) for (let i = 0; i < n; i++) this.share[i] = values[i] / most
    this.most = n === 0 ? 0 : most
  }

  /** ln(1 + rank), 0 for the best; equals share the better rank. Worked out whenever it is asked for: most are not. */
  get rank(): Float64Array {
    const { values } = this
    const ascending = values.slice().sort()
    const rank = new Float64Array(values.length)
    // Of what is the same for all, all are the best.
    if (ascending[0] === this.most) return rank
    for (let i = 0; i < rank.length; i++) rank[i] = logOfNext(rank.length - countUpTo(ascending, values[i]))
    return rank
  }
}

/** How many of ascending values are not above a value. */
function countUpTo(ascending: Float64Array, value: number): number {
  // A binary search without a branch that a processor would mispredict: the remaining range begins at `low`.
  let low = 0
  for (let left = ascending.length; left > 1; left -= left >> 1)
    low += (left >> 1) & -Number(ascending[low + (left >> 1) - 1] <= value)
  return low + Number(ascending[low] <= value)
}

/** Of counts that are asked for again and again. */
const LOGS: number[] = []
const MOST_LOGS = 4096

/** ln(1 + count). */
export function logOfNext(count: number): number {
  if (count >= MOST_LOGS) return log(1 + count)
  while (LOGS.length <= count) LOGS.push(log(1 + LOGS.length))
  return LOGS[count]
}

/** The indexes of the greatest values, descending, ties by index. */
export function strongest(values: Float64Array, count: number): number[] {
  const found: number[] = []
  strongestOf(values, count, (i) => found.push(i))
  return found.sort((a, b) => values[b] - values[a] || a - b)
}

/** Visits {@link strongest}, ascending by index. */
export function strongestOf(values: Float64Array, count: number, visit: (index: number) => void): void {
  const n = values.length
  const least = count < n ? nthOf(values.slice(), n - count) : -Infinity
  let ties = count
  for (let i = 0; i < n; i++) if (values[i] > least) ties--
  for (let i = 0; i < n; i++) if (values[i] > least || (values[i] === least && ties-- > 0)) visit(i)
}

/** What would be at a place if values were sorted (Hoare 1961, Find). They are left in another order. */
function nthOf(values: Float64Array, place: number): number {
  for (let low = 0, high = values.length - 1; low < high; ) {
    const pivot = values[place]
    let [i, j] = [low, high]
    while (i <= j) {
      while (values[i] < pivot) i++
      while (pivot < values[j]) j--
      if (i > j) break
      const value = values[i]
      values[i++] = values[j]
      values[j--] = value
    }
    if (j < place) low = i
    if (place < i) high = j
  }
  return values[place]
}
