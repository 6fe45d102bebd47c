import type { Parts } from '../extraction/parts.js'
import type { GraphQueries } from './associations/queries.js'

/** The parts that floors load when they first need them. */
export interface MemoryParts extends Parts {
  /** Answers questions about the graphs. */
  readonly graph: () => Promise<{ readonly GraphQueries: typeof GraphQueries }>
}
