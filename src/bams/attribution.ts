import { centre, type Comparison, isOfRanks } from './compare.js'
import { explained } from './explained.js'
import { permutationTest } from './permutations.js'
import { ranks } from './ranks.js'

/** What a component of a memory, such as a modality, explains of a region. */
export interface ComponentAttribution {
  readonly name: string
  /** The share of the variance that it explains by itself, 0 to 1. */
  readonly alone: number
  /** The share that is lost where it is left out and the other components stay, 0 to 1. */
  readonly unique: number
  /** How likely a unique share at least as high is where its stimuli are matched at random. */
  readonly p: number
}

/** Which components explain a region. */
export interface Attribution {
  /** The share of the variance that all components explain together, 0 to 1. */
  readonly total: number
  /**
   * The total less all unique shares: what several components explain alike. Negative where components explain more
   * together than by themselves.
   */
  readonly shared: number
  readonly components: readonly ComponentAttribution[]
}

/**
 * Splits the variance of a region's dissimilarities, of their ranks where the comparison is of ranks, among components
 * by linear regression with an intercept. Shares are means over the subjects.
 */
export function attribute(
  components: readonly { readonly name: string; readonly values: Float64Array }[],
  subjects: readonly Float64Array[],
  stimuli: number,
  comparison: Comparison,
  test: { readonly permutations: number; readonly seed: number },
): Attribution {
  const centred = (values: Float64Array): Float64Array => {
    const result = isOfRanks(comparison) ? ranks(values) : Float64Array.from(values)
    centre(result)
    return result
  }
  const predictors = components.map(({ values }) => centred(values))
  const outcomes = subjects.map(centred)
  const total = explained(predictors, outcomes)
  const attributed = components.map(({ name }, i) => {
    const others = predictors.filter((_, other) => other !== i)
    const without = explained(others, outcomes)
    const unique = (values: Float64Array): number => Math.max(0, explained([...others, values], outcomes) - without)
    return {
      name,
      alone: explained([predictors[i]], outcomes),
      unique: unique(predictors[i]),
      p: permutationTest(predictors[i], stimuli, unique, test).p,
    }
  })
  return {
    total,
    shared: attributed.reduce((rest, { unique }) => rest - unique, total),
    components: attributed,
  }
}
