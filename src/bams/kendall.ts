import { ascending } from './ranks.js'

/** How the orders of two lists agree. */
export interface Concordance {
  /** Pairs in the same order less pairs in opposite order. */
  readonly difference: number
  readonly pairs: number
  /** Pairs that are equal in the first and in the second list. */
  readonly tiedA: number
  readonly tiedB: number
}

/** Counts pairs by sorting (Knight 1966), in a time of n log n. */
export function concordance(a: Float64Array, b: Float64Array): Concordance {
  const n = a.length
  const order = ascending(a).sort((i, j) => a[i] - a[j] || b[i] - b[j])
  const tiedA = tied(n, (i) => a[order[i]] === a[order[i - 1]])
  const tiedBoth = tied(n, (i) => a[order[i]] === a[order[i - 1]] && b[order[i]] === b[order[i - 1]])
  const sorted = Float64Array.from(order, (i) => b[i])
  const swaps = sortCounting(sorted)
  const tiedB = tied(n, (i) => sorted[i] === sorted[i - 1])
  const pairs = (n * (n - 1)) / 2
  return { difference: pairs - tiedA - tiedB + tiedBoth - 2 * swaps, pairs, tiedA, tiedB }
}

/** Pairs within runs of neighbours that are equal. */
function tied(n: number, equalsLast: (i: number) => boolean): number {
  let [sum, run] = [0, 0]
  for (let i = 1; i < n; i++) {
    run = equalsLast(i) ? run + 1 : 0
    sum += run
  }
  return sum
}

/** Sorts by merging, and counts the pairs that were in descending order. */
function sortCounting(values: Float64Array): number {
  let [from, to]: [Float64Array, Float64Array] = [values, new Float64Array(values.length)]
  let swaps = 0
  for (let width = 1; width < values.length; width *= 2) {
    for (let low = 0; low < values.length; low += 2 * width) {
      const [middle, high] = [Math.min(low + width, values.length), Math.min(low + 2 * width, values.length)]
      let [left, right] = [low, middle]
      for (let at = low; at < high; at++) {
        if (left < middle && (right >= high || from[left] <= from[right])) to[at] = from[left++]
        else {
          swaps += middle - left
          to[at] = from[right++]
        }
      }
    }
    ;[from, to] = [to, from]
  }
  if (from !== values) values.set(from)
  return swaps
}
