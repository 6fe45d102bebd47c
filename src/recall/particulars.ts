import { confidenceByPattern } from './answer/by-pattern.js'
import { contexts } from './answer/context.js'
import { explain } from './answer/explain.js'
import { newestFirst } from './answer/newest-first.js'
import { pack } from './answer/prompt.js'
import { traced } from './answer/trace.js'
import { scanTraces } from './candidates/scans.js'
import { fittingStatements } from './candidates/statements.js'
import { firstLook, lookCloser } from './evidence/first-look.js'
import { toNeurosymbolic } from './query/neurosymbolic.js'
import { boostByGoals } from './ranking/goal-boost.js'

/**
 * What only some questions need: goals, patterns, what was replaced, turns around matches, a prompt, a trace, an
 * explanation, all of a large memory. The first of them loads it.
 */
export interface Particulars {
  readonly boostByGoals: typeof boostByGoals
  readonly confidenceByPattern: typeof confidenceByPattern
  readonly contexts: typeof contexts
  readonly explain: typeof explain
  readonly firstLook: typeof firstLook
  readonly fittingStatements: typeof fittingStatements
  readonly lookCloser: typeof lookCloser
  readonly newestFirst: typeof newestFirst
  readonly pack: typeof pack
  readonly scanTraces: typeof scanTraces
  readonly toNeurosymbolic: typeof toNeurosymbolic
  readonly traced: typeof traced
}

export {
  boostByGoals,
  confidenceByPattern,
  contexts,
  explain,
  firstLook,
  fittingStatements,
  lookCloser,
  newestFirst,
  pack,
  scanTraces,
  toNeurosymbolic,
  traced,
}
