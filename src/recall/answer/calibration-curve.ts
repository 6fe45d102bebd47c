/**
 * A logistic curve (Platt 1999): the log odds are the intercept and the weighted sum of what is seen of a candidate.
 */
export interface Line {
  readonly weights: readonly number[]
  readonly intercept: number
}

/** A curve of candidates of which the best may answer the cue. */
export interface Curve extends Line {
  /** The confidence of the best match from which something seems to answer the cue. */
  readonly answered: number
}

/**
 * The cases in which the confidence with a pattern has a curve of its own, by what fits the pattern: this candidate
 * (`fitting`), another one but not this one (`beside`). The same where the memory does not know a name of the pattern,
 * and the others fit (`reaching`, `short`). No candidate, though each name is known by itself (`apart`). And all of
 * them without a cue.
 */
export const PATTERN_CASES = [
  'fitting',
  'beside',
  'reaching',
  'short',
  'apart',
  'fittingAlone',
  'besideAlone',
  'reachingAlone',
  'shortAlone',
  'apartAlone',
] as const
export type PatternCase = (typeof PATTERN_CASES)[number]
