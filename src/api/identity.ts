import type { AtomId } from './atom.js'
import type { BeliefId } from './belief.js'
import type { Entry } from './entry.js'
import type { EntryId } from './entry-facet.js'
import type { Goal } from './goal.js'

/** A side from which entries are seen. */
export interface Perspective {
  readonly id: string
  /** What belongs to it, in words. */
  readonly hint: string
  readonly isBuiltIn: boolean
}

/** A perspective that an entry may be seen from, too. */
export interface SuggestedPerspective {
  readonly perspective: string
  /** How like it is to what is seen from there, or to the hint: standard deviations above chance. */
  readonly likeness: number
}

/** Where a perspective points. */
export interface PerspectiveCentroid {
  readonly perspective: string
  /** Entries that are seen from it. */
  readonly entries: number
  /** Their signatures, those of more salient ones weighing more; 1,024 bytes. */
  readonly centroid: Uint8Array
  /** The entries that are nearest to it, best first, at most 3. */
  readonly nearest: readonly EntryId[]
}

/** Why an entry is an open thread. */
export interface OpenThread {
  readonly entry: Entry
  /** `superseded`: it was replaced and is still seen. `related`: it has at least three relations. */
  readonly reason: 'superseded' | 'related'
}

/** Who an agent is by what it knows: docs/documents.md. */
export interface Identity {
  /** Epoch at which it was worked out (ISO 8601, UTC). */
  readonly at: string
  readonly centroids: readonly PerspectiveCentroid[]
  /** The most salient entries, at most 15. */
  readonly core: readonly { readonly entry: Entry; readonly salience: number }[]
  readonly openThreads: readonly OpenThread[]
  /** The newest entries of the perspective `learnings`, at most 10. */
  readonly recentLearnings: readonly Entry[]
  /** The goals that are active. */
  readonly goals: readonly Goal[]
  /** The beliefs that are held, the surest first, at most 10. */
  readonly beliefs: readonly { readonly id: BeliefId; readonly claim: string; readonly confidence: number }[]
  /** The atoms with most support, at most 10. */
  readonly atoms: readonly { readonly id: AtomId; readonly statement: string; readonly support: number }[]
}

/** Options of `entries.priming`. */
export interface PrimingOptions {
  /** About how many tokens it may have, 1 to 1,000,000. Default 1,000. */
  readonly budgetTokens?: number
}

/** What an agent starts with. */
export interface Priming {
  readonly text: string
  /** About how many tokens it has. */
  readonly tokens: number
  /** What each numbered line tells of: the id of line `n` stands at `n − 1`. */
  readonly ids: readonly string[]
}
