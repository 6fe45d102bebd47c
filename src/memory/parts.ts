import type { Parts } from '../extraction/parts.js'
import type { DocumentParser } from '../api/document-parser.js'
import type { GraphQueries } from './associations/queries.js'
import type { DocumentQueries } from './documents/queries.js'

/** The parts that floors load when they first need them. */
export interface MemoryParts extends Parts {
  /** Answers questions about the graphs. */
  readonly graph: () => Promise<{ readonly GraphQueries: typeof GraphQueries }>
  /** Answers the methods of documents. */
  readonly documents: () => Promise<{ readonly DocumentQueries: typeof DocumentQueries }>
  /** Reads documents in Markdown. */
  readonly markdown: () => Promise<{ readonly markdownParser: DocumentParser }>
  /** Reads pages of HTML. */
  readonly html: () => Promise<{ readonly htmlParser: DocumentParser }>
}
