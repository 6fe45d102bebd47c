import { checkChoice } from '../api/check.js'
import { checkDissimilarities, type Dissimilarities } from './dissimilarities.js'
import { concordance } from './kendall.js'
import { ranks } from './ranks.js'

/**
 * How two matrices of dissimilarities are compared, each from −1 to 1. `spearman`: Pearson's correlation of mean ranks.
 * `tau-a`, `tau-b`: Kendall's, without and with a correction for ties. `pearson`, `cosine`: of the values.
 */
export type Comparison = 'spearman' | 'tau-a' | 'tau-b' | 'pearson' | 'cosine'

const COMPARISONS: readonly Comparison[] = ['spearman', 'tau-a', 'tau-b', 'pearson', 'cosine']

/**
 * How alike two matrices of dissimilarities of the same stimuli are.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for different stimuli, and for a matrix that is the same everywhere
 */
export function compare(a: Dissimilarities, b: Dissimilarities, comparison: Comparison): number {
  checkComparison(comparison)
  checkDissimilarities('the first', a)
  checkDissimilarities('the second', b, a.stimuli)
  return similarity(prepared(a.values, comparison), prepared(b.values, comparison), comparison)
}

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT` */
export function checkComparison(comparison: unknown): asserts comparison is Comparison {
  checkChoice('comparison', comparison, COMPARISONS)
}

/** Whether only the order of values counts. */
export function isOfRanks(comparison: Comparison): boolean {
  return comparison !== 'pearson' && comparison !== 'cosine'
}

/** Whether the similarity is the product of prepared values. */
export function isLinear(comparison: Comparison): boolean {
  return comparison !== 'tau-a' && comparison !== 'tau-b'
}

/**
 * What a comparison needs of a matrix, computed once: ranks where it is of ranks; a vector of length 1 where it is a
 * product. All zero where the values do not differ.
 */
export function prepared(values: Float64Array, comparison: Comparison): Float64Array {
  const result = isOfRanks(comparison) ? ranks(values) : Float64Array.from(values)
  if (!isLinear(comparison)) return result
  if (comparison !== 'cosine') centre(result)
  const length = Math.sqrt(result.reduce((sum, value) => sum + value * value, 0))
  if (length > 0) result.forEach((value, i) => (result[i] = value / length))
  return result
}

/** Takes the mean off; values that are all the same become exactly zero. */
export function centre(values: Float64Array): void {
  const same = values.every((value) => value === values[0])
  const mean = same ? values[0] : values.reduce((sum, value) => sum + value, 0) / values.length
  values.forEach((value, i) => (values[i] = value - mean))
}

/** The similarity of what was prepared; NaN where values do not differ. */
export function similarity(a: Float64Array, b: Float64Array, comparison: Comparison): number {
  if (!isLinear(comparison)) {
    const { difference, pairs, tiedA, tiedB } = concordance(a, b)
    return difference / (comparison === 'tau-a' ? pairs : Math.sqrt((pairs - tiedA) * (pairs - tiedB)))
  }
  let [sum, ofA, ofB] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    sum += a[i] * b[i]
    ofA += a[i] * a[i]
    ofB += b[i] * b[i]
  }
  return ofA === 0 || ofB === 0 ? Number.NaN : sum
}
