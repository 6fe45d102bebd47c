import type { Episode } from '../../api/episode.js'
import type { Limits } from '../../api/open-options.js'
import type { Indexes } from '../../indexes/indexes.js'

/** What questions about the graphs are answered from. */
export interface GraphSources {
  readonly indexes: Indexes
  readonly limits: Limits
  /** The episodes of live slots, in the order asked for. */
  readonly fetch: (slots: readonly number[]) => Promise<(Episode | undefined)[]>
}
