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
  readonly successes: number
  readonly failures: number
  /** The mean of the Beta(1 + successes, 1 + failures) posterior of its success, 0 to 1 (Laplace's rule of succession). */
  readonly strength: number
  /** Whether episodes that it was learned from are gone. */
  readonly degraded: boolean
  readonly recordedAt: string
  readonly provenance: Provenance
}

/** A procedure that fits a cue. */
export interface FoundProcedure extends Procedure {
  /** How likely this is to be what was asked for, 0 to 1. */
  readonly confidence: number
}

/** The methods of floor 5. */
export interface ProcedureMethods {
  /** Throws `AGIDB_DUPLICATE_ID` when there is one of this name. */
  learnProcedure(procedure: NewProcedure): Promise<ProcedureId>
  /** The procedures whose trigger, name or steps fit a cue; the fitting and strong first. */
  proceduresFor(cue: string, options?: { readonly k?: number }): Promise<FoundProcedure[]>
  /** Remembers how an execution went. Throws `AGIDB_NOT_FOUND`. */
  recordExecution(id: ProcedureId, outcome: ExecutionOutcome): Promise<Procedure>
  getProcedure(id: ProcedureId): Promise<Procedure | undefined>
}
