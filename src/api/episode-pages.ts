import type { EpisodeId, TimeRange } from './episode.js'
import type { Filter } from './filter.js'

/** The values of {@link EpisodesOrder}. */
export const EPISODES_ORDERS = ['oldest', 'newest'] as const

/** In which order episodes come: those that were observed first, or those that were observed last. */
export type EpisodesOrder = (typeof EPISODES_ORDERS)[number]

/** A page request of `episodes`. */
export interface EpisodesOptions {
  /** Which come first, by when they were observed. Default `oldest`. */
  readonly order?: EpisodesOrder
  /** Start after this episode, in the order that is asked for. Default: at the first. */
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
