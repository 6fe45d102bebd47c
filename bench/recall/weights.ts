import type { RecallOptions } from '../../src/api/recall.js'

export type Weights = NonNullable<RecallOptions['weights']>

/** Weights under which each question with a cue and a pattern is asked. */
export const WEIGHTS: readonly Weights[] = [
  { structured: 0.7, fuzzy: 0.3 },
  { structured: 0.5, fuzzy: 0.5 },
  { structured: 0.3, fuzzy: 0.7 },
]
