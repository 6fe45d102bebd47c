import type { TriplePattern } from '../../api/episode.js'
import type { FilterTree } from '../../api/check-filter.js'
import type { Visibility } from '../../indexes/visibility.js'
import type { Query } from '../../kernel/port.js'
import type { SelectionOptions } from '../answer/selection.js'
import type { PerceivedQueries } from './cue.js'
import type { WalkWeights } from '../graph/lift.js'
import type { Fitting } from '../evidence/pattern.js'
import type { RankingOptions } from '../ranking/ranking.js'
import type { Resting } from '../evidence/resting.js'
import type { Following } from '../sequence/look.js'

/** Which entries of documents a question may see. */
export interface DocumentScope {
  /** Only these slots, as a bit set. Absent: all, and what was said. */
  readonly among?: Uint32Array
  /** Whether entries of every visibility may answer. Default false. */
  readonly deep?: boolean
}

/** A checked question. Times are epoch milliseconds. */
export interface Question extends RankingOptions, SelectionOptions, Following {
  readonly cue: string
  readonly k: number
  /** Turns on each side of a match. */
  readonly context: number
  readonly goals: readonly string[]
  readonly goalBias: number
  /** Whether the episode of a slot was observed for one of the goals. Absent: none was. */
  readonly serves?: (slot: number) => boolean
  /** The least confidence of a match. */
  readonly minConfidence: number
  /** What is known of the cue by beliefs and atoms, and of which episodes. Absent: nothing. */
  readonly resting?: Resting
  readonly asker?: string
  readonly visibility: Visibility
  /** Which episodes are asked beyond that; absent: all. */
  readonly filter?: FilterTree
  readonly pattern?: TriplePattern
  /** The episodes that fit the pattern, where that was looked up before. */
  readonly fitting?: Fitting
  /** Whether only those may answer. */
  readonly onlyFitting?: boolean
  /** Which entries of documents may answer; absent: those that a standard search shows, beside what was said. */
  readonly documents?: DocumentScope
  readonly traceAttention: boolean
  /** What graphs count; absent: nothing. */
  readonly walk?: WalkWeights
  /** The cue as a sentence encoder sees it. */
  readonly sentence?: Query
  /** What is perceived with it, as encoders see it; absent: nothing. */
  readonly perceived?: PerceivedQueries
}
