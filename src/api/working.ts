import type { EpisodeId } from './episode.js'
import type { Goal } from './goal.js'

/** A turn that is still present to the mind. */
export interface PresentTurn {
  readonly id: EpisodeId
  readonly speaker?: string
  readonly text: string
  /** Start of valid time (ISO 8601, UTC). */
  readonly at: string
  /** How present: 1 for the newest, halved with each half-life, 0 to 1. */
  readonly activation: number
}

/** What matters now in a session. */
export interface WorkingMemory {
  readonly session: string
  /** The newest first, at most `capacity`. */
  readonly turns: readonly PresentTurn[]
  /** Questions among the last 50 turns that no other speaker has answered, the newest first, at most `capacity`. */
  readonly openThreads: readonly PresentTurn[]
  /**
   * The active goals, those that the turns are most about first, then the others in the order in which they were set;
   * at most `capacity`.
   */
  readonly goals: readonly Goal[]
  readonly capacity: number
  /** Turns after which activation has halved. */
  readonly halfLife: number
}
