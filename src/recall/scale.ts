import { log } from '../core/exponential.js'

/** A column of numbers, one for each candidate, on scales that do not depend on the memory's size. */
export interface Scale {
  readonly values: Float64Array
  /** Standard deviations above the mean of the candidates. */
  readonly z: Float64Array
  /** ln(1 + rank), 0 for the best; equals share the better rank. */
  readonly rank: Float64Array
  /** The best value. */
  readonly most: number
  /** Value over the best one's; 0 where the best is not positive. */
  readonly share: Float64Array
}

/** Puts numbers of the candidates on relative scales. */
export function scaled(values: Float64Array): Scale {
  const n = values.length
  let sum = 0
  for (let i = 0; i < n; i++) sum += values[i]
  const mean = sum / Math.max(1, n)
  let squares = 0
  for (let i = 0; i < n; i++) squares += (values[i] - mean) * (values[i] - mean)
  const deviation = Math.sqrt(squares / Math.max(1, n))
  const ascending = values.slice().sort()
  const most = n === 0 ? 0 : ascending[n - 1]
  const [rank, z, share] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)]
  for (let i = 0; i < n; i++) {
    rank[i] = logOfNext(n - countUpTo(ascending, values[i]))
    z[i] = deviation > 0 ? (values[i] - mean) / deviation : 0
    share[i] = most > 0 ? values[i] / most : 0
  }
  return { values, most, rank, z, share }
}

/** How many of ascending values are not above a value. */
function countUpTo(ascending: Float64Array, value: number): number {
  // Halved without a branch, since none could be foretold: what is left begins at `low`.
  let low = 0
  for (let left = ascending.length; left > 1; left -= left >> 1) low += (left >> 1) & -Number(ascending[low + (left >> 1) - 1] <= value)
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
