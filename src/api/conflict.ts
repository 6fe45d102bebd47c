import type { AtomId } from './atom.js'
import type { BeliefId } from './belief.js'
import type { EpisodeId, TimeInput } from './episode.js'

/** One side of a conflict: a belief, a semantic atom, or an episode that states something. */
export interface Claimed {
  readonly id: BeliefId | AtomId | EpisodeId
  /** What it says, in words. */
  readonly statement: string
  /** 0 to 1. */
  readonly confidence: number
  /** Valid time (ISO 8601, UTC), half-open. */
  readonly validFrom: string
  readonly validTo?: string
}

/** Two beliefs, two semantic atoms, or two statements of episodes that are held to be true at once and cannot be. */
export interface Conflict {
  readonly kind: 'belief' | 'atom' | 'statement'
  /** By id, sorted. */
  readonly claims: readonly [Claimed, Claimed]
  /** The time of which both are held to be true (valid time, ISO 8601, UTC), half-open. */
  readonly from: string
  readonly to?: string
  /**
   * `denial`: one says that it is so, the other that it is not. `exclusion`: they state two objects of a relation that
   * has one at a time.
   */
  readonly why: 'denial' | 'exclusion'
  /** Of two statements: `supersede(episode, by)` for each of these episodes would settle it. */
  readonly proposal?: { readonly supersede: readonly EpisodeId[]; readonly by: EpisodeId }
}

/** Options of `conflicts`. Statements are read from the newest 10,000 episodes that state one of such a relation. */
export interface ConflictOptions {
  /** Only those of which one side is about this concept, or about one of its other names. Default: all. */
  readonly about?: string
  /** The valid time of which both must be held to be true. Default: now. */
  readonly at?: TimeInput
  /** The first so many, 1 to 10,000. Default 100. */
  readonly limit?: number
}
