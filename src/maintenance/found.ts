import type { Episode } from '../api/episode.js'
import type { Extraction } from '../api/extractor.js'

/** What an extractor found in an episode, as it was when it was read. */
export interface Found {
  readonly slot: number
  readonly episode: Episode
  readonly extraction: Extraction
}
