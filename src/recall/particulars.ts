import { confidenceByPattern } from './answer/by-pattern.js'
import { pack } from './answer/prompt.js'
import { traced } from './answer/trace.js'
import { fittingStatements } from './candidates/statements.js'
import { toNeurosymbolic } from './query/neurosymbolic.js'

/** What only some questions ask for: patterns, a prompt, a trace. It is loaded when the first of them comes. */
export interface Particulars {
  readonly confidenceByPattern: typeof confidenceByPattern
  readonly fittingStatements: typeof fittingStatements
  readonly pack: typeof pack
  readonly toNeurosymbolic: typeof toNeurosymbolic
  readonly traced: typeof traced
}

export { confidenceByPattern, fittingStatements, pack, toNeurosymbolic, traced }
