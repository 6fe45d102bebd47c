import type { EpisodeId, TimeRange } from './episode.js'
import type { Filter } from './filter.js'

/** A page request of `episodes`. */
export interface EpisodesOptions {
  /** Start after this episode. Default: at the first. */
  readonly after?: EpisodeId
  /** Episodes a page, 1 to 10,000. Default 100. */
  readonly limit?: number
  readonly session?: string | readonly string[]
  readonly speaker?: string | readonly string[]
  readonly source?: string | readonly string[]
  /** Only those that pass this filter. Default: all. */
  readonly filter?: Filter
  /** Only those that began in this stretch of valid time, by their `at`. Default: all. */
  readonly at?: TimeRange
}
