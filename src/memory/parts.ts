import type { Parts } from '../extraction/parts.js'
import type { GraphQueries } from './associations/queries.js'
import type { DocumentParsers } from './documents/context.js'
import type { DocumentQueries } from './documents/queries.js'

/** The parts that floors load when they first need them. */
export interface MemoryParts extends Parts, DocumentParsers {
  /** Answers questions about the graphs. */
  readonly graph: () => Promise<{ readonly GraphQueries: typeof GraphQueries }>
  /** Answers the methods of documents. */
  readonly documents: () => Promise<{ readonly DocumentQueries: typeof DocumentQueries }>
}
