import { invalid } from '../api/check.js'
import { agreement } from './agreement.js'
import { type Comparison, prepared } from './compare.js'
import { pairAt } from './dissimilarities.js'
import { Random } from './random.js'

/** Different stimuli of a draw at least: they have three pairs. */
const FEWEST_DRAWN = 3
/** Draws that are tried at most, for each that is wanted. */
const TRIES = 20

/** How far a similarity depends on which stimuli were shown. */
export interface Bootstrap {
  /** The 2.5th and the 97.5th percentile. */
  readonly low: number
  readonly high: number
  /** The standard deviation. */
  readonly error: number
  /** How many draws could be compared. */
  readonly resamples: number
}

/**
 * Draws stimuli with replacement and computes the similarity of each draw (Nili et al. 2014). Pairs of a stimulus with
 * itself are left out, since they are alike in every matrix. A draw in which nothing differs is drawn again.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` where nothing differs in any draw
 */
export function bootstrap(
  model: Float64Array,
  subjects: readonly Float64Array[],
  stimuli: number,
  comparison: Comparison,
  { bootstraps, seed }: { readonly bootstraps: number; readonly seed: number },
): Bootstrap {
  const random = new Random(seed)
  const values = new Float64Array(bootstraps)
  let count = 0
  for (let tries = 0; count < bootstraps && tries < TRIES * bootstraps; tries++) {
    const drawn = Uint32Array.from({ length: stimuli }, () => random.below(stimuli))
    if (new Set(drawn).size < FEWEST_DRAWN) continue
    const value = similarityOfDraw(model, subjects, drawn, comparison)
    if (Number.isFinite(value)) values[count++] = value
  }
  if (count === 0)
    throw invalid('too few dissimilarities differ for an interval: nothing differs in any draw of stimuli', { stimuli })
  const found = values.subarray(0, count).sort()
  const mean = found.reduce((sum, value) => sum + value, 0) / count
  const squares = found.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return {
    low: quantile(found, 0.025),
    high: quantile(found, 0.975),
    error: Math.sqrt(squares / Math.max(1, count - 1)),
    resamples: count,
  }
}

/** The mean similarity over the subjects, of the stimuli that were drawn; NaN where something does not differ. */
export function similarityOfDraw(
  model: Float64Array,
  subjects: readonly Float64Array[],
  drawn: Uint32Array,
  comparison: Comparison,
): number {
  const stimuli = drawn.length
  const pairs: number[] = []
  for (let i = 0; i < stimuli; i++)
    for (let j = i + 1; j < stimuli; j++) if (drawn[i] !== drawn[j]) pairs.push(pairAt(drawn[i], drawn[j], stimuli))
  const chosen = [model, ...subjects].map((values) => Float64Array.from(pairs, (pair) => values[pair]))
  if (chosen.some((values) => values.every((value) => value === values[0]))) return Number.NaN
  return agreement(chosen.slice(1), comparison)(prepared(chosen[0], comparison))
}

/** Between the nearest two values, linearly. */
function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1)
  const below = Math.floor(at)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below] + (at - below) * (sorted[above] - sorted[below])
}
