import type { FetchSignatures } from '../indexes/signatures.js'
import type { VectorSearch } from './candidates/vector-search.js'
import type { WalkParts } from './graph/where-needed.js'
import type { TimeDeps } from './query/times.js'
import type { SequenceParts } from './sequence/look.js'
import type { contexts } from './answer/context.js'
import type { scanTraces } from './candidates/scans.js'
import type { firstLook, lookCloser } from './evidence/first-look.js'
import type { confidenceByPattern } from './answer/by-pattern.js'
import type { traced } from './answer/trace.js'
import type { boostByGoals } from './ranking/goal-boost.js'

/** What recall uses beside the indexes. */
export interface RecallDeps extends TimeDeps, SequenceParts, WalkParts {
  /** Absent where signatures are not stored. */
  readonly signatures?: FetchSignatures
  /**
   * Tells how sure a pattern makes of an answer, what was around it, and what was considered; lifts what serves goals;
   * looks twice in a large memory. Absent where no question asks for that.
   */
  readonly particulars?: () => Promise<{
    readonly boostByGoals: typeof boostByGoals
    readonly confidenceByPattern: typeof confidenceByPattern
    readonly contexts: typeof contexts
    readonly firstLook: typeof firstLook
    readonly lookCloser: typeof lookCloser
    readonly scanTraces: typeof scanTraces
    readonly traced: typeof traced
  }>
  /** Searches signatures. */
  readonly vectors: VectorSearch
}
