import { confidenceByPattern } from './answer/by-pattern.js'
import { explain } from './answer/explain.js'
import { pack } from './answer/prompt.js'
import { traced } from './answer/trace.js'
import { fittingStatements } from './candidates/statements.js'
import { toNeurosymbolic } from './query/neurosymbolic.js'

/** What only some questions need: patterns, a prompt, a trace, an explanation. The first of them loads it. */
export interface Particulars {
  readonly confidenceByPattern: typeof confidenceByPattern
  readonly explain: typeof explain
  readonly fittingStatements: typeof fittingStatements
  readonly pack: typeof pack
  readonly toNeurosymbolic: typeof toNeurosymbolic
  readonly traced: typeof traced
}

export { confidenceByPattern, explain, fittingStatements, pack, toNeurosymbolic, traced }
