import { invalid } from '../api/check.js'
import { checkComparison, type Comparison, isOfRanks, prepared, similarity } from './compare.js'
import { checkDissimilarities, type Dissimilarities } from './dissimilarities.js'
import { ranks } from './ranks.js'

/** Between which bounds the similarity of the true model to a region lies, given how unlike its subjects are. */
export interface NoiseCeiling {
  /** The mean similarity of each subject to the mean of the others. */
  readonly lower: number
  /** The mean similarity of each subject to the mean of all: about the most that any model reaches. */
  readonly upper: number
}

/**
 * The noise ceiling of the matrices of several subjects (Nili et al. 2014). Means are taken over what the comparison
 * counts: ranks, values on one scale, or values of one length. For Kendall's tau the mean of ranks is nearly the best.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for fewer than 2 subjects, and what `compare` throws
 */
export function noiseCeiling(subjects: readonly Dissimilarities[], comparison: Comparison): NoiseCeiling {
  checkComparison(comparison)
  if (!Array.isArray(subjects) || subjects.length < 2)
    throw invalid('a noise ceiling needs the matrices of at least 2 subjects', { what: 'subjects' })
  subjects.forEach((one, i) => checkDissimilarities(`subjects[${i}]`, one, subjects[0].stimuli))
  return ceilingOf(
    subjects.map(({ values }) => values),
    comparison,
  )
}

/** The ceiling of the values of matrices. */
export function ceilingOf(subjects: readonly Float64Array[], comparison: Comparison): NoiseCeiling {
  // Sums of ranks are exact, so that equal ones stay equal.
  const counted = subjects.map((values) => (isOfRanks(comparison) ? ranks(values) : prepared(values, comparison)))
  const total = new Float64Array(subjects[0].length)
  for (const one of counted) one.forEach((value, i) => (total[i] += value))
  const all = prepared(total, comparison)
  let [lower, upper] = [0, 0]
  subjects.forEach((values, subject) => {
    const own = prepared(values, comparison)
    const others = total.map((sum, i) => sum - counted[subject][i])
    // Subjects that cancel each other out predict nothing.
    lower += (similarity(prepared(others, comparison), own, comparison) || 0) / subjects.length
    upper += (similarity(all, own, comparison) || 0) / subjects.length
  })
  return { lower, upper }
}
