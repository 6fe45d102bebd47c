import type { EpisodeId, Provenance, TimeInput } from './episode.js'

/** The id of a procedure: `pr_` and 26 characters. */
export type ProcedureId = string

/** What `learnProcedure` takes. */
export interface NewProcedure {
  /** Unique among procedures. */
  readonly name: string
  /** When to do it, in words: what `proceduresFor` compares the cue with. */
  readonly trigger: string
  /** What to do, in order; at least one. */
  readonly steps: readonly string[]
  /** What must hold before. */
  readonly preconditions?: readonly string[]
  /** The episodes that it was learned from. */
  readonly evidence?: readonly EpisodeId[]
  readonly session?: string
  readonly source?: string
}

/** What `reviseProcedure` changes. */
export interface ProcedurePatch {
  readonly name?: string
  readonly trigger?: string
  readonly steps?: readonly string[]
  readonly preconditions?: readonly string[]
  /** Episodes by which it is revised; they come to those that it was learned from. */
  readonly evidence?: readonly EpisodeId[]
  /** Why, in words. */
  readonly reason?: string
}

/** What a revision changed. */
export interface ProcedureChanges {
  readonly name?: string
  readonly trigger?: string
  readonly steps?: readonly string[]
  readonly preconditions?: readonly string[]
}

/** A revision as it is remembered. */
export interface ProcedureRevision {
  /** ISO 8601, UTC. */
  readonly at: string
  /** The new values of what changed. */
  readonly changes: ProcedureChanges
  /** What they were before. */
  readonly before: ProcedureChanges
  /** Episodes that came to its evidence. */
  readonly evidence: readonly EpisodeId[]
  readonly reason?: string
}

/** Which procedures `procedures` lists. */
export interface ProcedureQuery {
  /** `active`: those that are in use. Default `active`. */
  readonly state?: 'active' | 'retired' | 'all'
  /** The procedures that had been learned by this time, inclusive, as they were then. Default: now. */
  readonly asOf?: TimeInput
}

/** How an execution went. */
export interface ExecutionOutcome {
  readonly success: boolean
  /** What was done, step by step, in words. */
  readonly trace?: readonly string[]
  readonly note?: string
  /** Default: now. */
  readonly at?: TimeInput
}

/** An execution as it is remembered. */
export interface Execution {
  /** `ex_` and 26 characters. */
  readonly id: string
  readonly success: boolean
  readonly trace: readonly string[]
  readonly note?: string
  /** Valid time (ISO 8601, UTC). */
  readonly at: string
  readonly recordedAt: string
}

/** How to do something. */
export interface Procedure {
  readonly id: ProcedureId
  readonly name: string
  readonly trigger: string
  readonly steps: readonly string[]
  readonly preconditions: readonly string[]
  readonly executions: readonly Execution[]
  /** Of all executions, those before a revision included. */
  readonly successes: number
  readonly failures: number
  /**
   * The mean of the Beta(1 + successes, 1 + failures) posterior of its success, 0 to 1 (Laplace's rule of succession).
   */
  readonly strength: number
  /**
   * Whether some of the episodes that it was learned from were forgotten. With the last of them it is forgotten itself.
   */
  readonly degraded: boolean
  readonly recordedAt: string
  /** Every revision, the first first. */
  readonly revisions: readonly ProcedureRevision[]
  /** Present once it is retired: when (ISO 8601, UTC), and why. */
  readonly retired?: { readonly at: string; readonly reason: string }
  readonly provenance: Provenance
}

/** A procedure that fits a cue. */
export interface FoundProcedure extends Procedure {
  /** How likely this is to be what was asked for, 0 to 1. */
  readonly confidence: number
}
