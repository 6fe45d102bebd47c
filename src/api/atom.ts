import type { Provenance, TimeInput, Triple } from './episode.js'
import type { Progress } from '../base/progress.js'

/** The id of a semantic atom: `at_` and 26 characters, a function of what it says. */
export type AtomId = string

/** Something that several episodes say: knowledge without the occasions on which it was learned. */
export interface SemanticAtom {
  readonly id: AtomId
  /** What it says, in words: those of the first of its episodes, or its triple. */
  readonly statement: string
  /** Absent when the episodes have no triples. */
  readonly triple?: Triple
  /** How many episodes say it or, of a lasting statement of a text, take it up. */
  readonly support: number
  /** The mean of the Beta(1 + support, 1 + support of what contradicts it) posterior, 0 to 1. */
  readonly confidence: number
  /** Atoms that say something else of the same, at a time at which this is true; sorted. */
  readonly contradictedBy: readonly AtomId[]
  /**
   * Valid time (ISO 8601, UTC): from when the first of its episodes began until the last was superseded, if all are.
   */
  readonly validFrom: string
  readonly validTo?: string
  /** Transaction time at which it was formed. */
  readonly recordedAt: string
  /**
   * Its `episodes` are those that say it and are there, in the order in which they were stored. It has the source and
   * the session that all of them have, and the writer of the first.
   */
  readonly provenance: Provenance
}

/** Options of `consolidate`. */
export interface ConsolidateOptions {
  /**
   * How many episodes must say the same, at least 2. Default 3 (as in systems consolidation from several patterns). It
   * holds for the atoms that this run forms: what earlier runs looked at counts, but becomes an atom only once an
   * episode says it again. A lasting statement that was read out of a text takes one less, but two at least, and those
   * count that take it up: see docs/floors.md.
   */
  readonly minSupport?: number
  /**
   * Predicates that have one object at a time, beside the built-in ones; "lives in" covers "lived in". All atoms are
   * compared.
   */
  readonly functionalPredicates?: readonly string[]
  readonly onProgress?: (progress: Progress) => void
  /** Stops before the next batch; what was consolidated by then stays, and the next call goes on from there. */
  readonly signal?: AbortSignal
}

/** Two atoms that cannot both be true. */
export interface Contradiction {
  readonly atoms: readonly [AtomId, AtomId]
  readonly subject: string
  readonly predicate: string
  readonly objects: readonly [string, string]
}

/** What a consolidation did. */
export interface ConsolidationReport {
  /** Episodes that it looked at, which no run before had. */
  readonly episodes: number
  readonly atomsFormed: readonly AtomId[]
  /** Atoms that gained episodes. */
  readonly atomsRevised: readonly AtomId[]
  /** Contradictions found now. */
  readonly contradictions: readonly Contradiction[]
  /** Bits of the self-vector that changed. */
  readonly drift: number
  readonly elapsedMs: number
}

/** Which atoms `semanticAtoms` returns. */
export interface AtomQuery {
  /** Those that a cue asks about, best first. Default: all, the best supported first. */
  readonly cue?: string
  /** Those about a concept, as subject or object. */
  readonly concept?: string
  readonly minSupport?: number
  /** Only what was true at this time. Default: whatever has not ceased to be true by now. */
  readonly validAsOf?: TimeInput
  /** Only what was consolidated by this time, with the support that it had then. Default: now. */
  readonly transactionAsOf?: TimeInput
  /** 1 to 10,000. Default 100. */
  readonly limit?: number
}
