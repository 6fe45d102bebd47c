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
  /**
   * Gives what reads a document: the parser of a name or, without one, that of the ending of the source.
   *
   * @throws AgidbError `AGIDB_PARSE` for a parser that is not known or not at hand
   */
  readonly parser: (source: string, name: string | undefined) => Promise<DocumentParser>
}
