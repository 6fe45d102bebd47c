import type { Episode, EpisodeId, Provenance, TimeInput, Triple } from './episode.js'

/** The id of a belief: `be_` and 26 characters. */
export type BeliefId = string

/** What `assertBelief` takes. A claim alone is enough. */
export interface NewBelief {
  /** What is held to be true, in words. */
  readonly claim: string
  /** The claim as a statement: all three parts, or none. */
  readonly subject?: string
  readonly predicate?: string
  readonly object?: string
  /** How sure, 0 to 1. Default 0.5. */
  readonly confidence?: number
  /** The episodes that it rests on. */
  readonly evidence?: readonly EpisodeId[]
  /** Start of valid time. Default: now. */
  readonly validFrom?: TimeInput
  /** End of valid time, exclusive. Default: none. */
  readonly validTo?: TimeInput
  readonly session?: string
  readonly source?: string
}

/** What an episode says of a belief. */
export type Verdict = 'supports' | 'contradicts' | 'neutral'

/** What `decideRevision` answers. */
export interface RevisionDecision {
  readonly verdict: Verdict
  /** Kept with the revision. */
  readonly reason: string
}

/**
 * Decides what an episode says of a belief where its triples do not: here, at write time, an agent may ask a language model.
 * What it throws refuses the revision.
 */
export type DecideRevision = (belief: Belief, evidence: Episode) => RevisionDecision | Promise<RevisionDecision>

/** One entry of the log of a belief, which only grows. */
export interface BeliefRevision {
  /** 0 for the assertion, then 1, 2, … */
  readonly revision: number
  /** Transaction time (ISO 8601, UTC). */
  readonly at: string
  readonly kind: 'asserted' | 'revised' | 'withdrawn'
  /** The confidence before; absent for the assertion. */
  readonly before?: number
  readonly after: number
  /** The episode that led to it. */
  readonly evidence?: EpisodeId
  /** Absent for an assertion and a withdrawal by hand. */
  readonly verdict?: Verdict
  readonly reason: string
}

/** What the agent holds to be true. */
export interface Belief {
  readonly id: BeliefId
  readonly claim: string
  readonly subject?: string
  readonly predicate?: string
  readonly object?: string
  readonly confidence: number
  /** Episodes that support it, in the order in which they came. */
  readonly evidence: readonly EpisodeId[]
  readonly contradictions: readonly EpisodeId[]
  /** Valid time (ISO 8601, UTC), half-open. */
  readonly validFrom: string
  readonly validTo?: string
  /** Transaction time of the assertion. */
  readonly recordedAt: string
  /** Once it is no longer held. */
  readonly withdrawn?: { readonly at: string; readonly reason: string }
  /** How often it was revised. */
  readonly revisions: number
  readonly provenance: Provenance
}

/** What a revision did. */
export interface RevisionReport {
  readonly before: number
  readonly after: number
  readonly contradicted: boolean
  /** Whether the confidence fell so low that the belief was withdrawn. */
  readonly withdrawn: boolean
  readonly revision: BeliefRevision
}

/** Options of `whatDoIBelieve`. */
export interface BeliefOptions {
  /** Only what was held to be true of this time. Default: now. */
  readonly validAsOf?: TimeInput
  /** What was believed at this time, and how much. Default: now. */
  readonly transactionAsOf?: TimeInput
  /** At most so many, 1 to 1,000. Default 10. */
  readonly k?: number
  /** 0 to 1. Default 0. */
  readonly minConfidence?: number
}

/** A belief that answers, and why. */
export interface FoundBelief extends Belief {
  /** `concept`: it is about the concept itself; `alias`: about another name of it; `similarity`: it says something like it. */
  readonly foundBy: 'concept' | 'alias' | 'similarity'
}

/** The methods of floor 6 that are about beliefs. */
export interface BeliefMethods {
  assertBelief(belief: NewBelief): Promise<BeliefId>
  /** Updates the confidence by an episode. Throws `AGIDB_BELIEF_WITHDRAWN` for a belief that was withdrawn. */
  reviseBelief(id: BeliefId, evidenceId: EpisodeId): Promise<RevisionReport>
  /** What is believed about a concept, one of its other names, or something like it; that about the concept first, surest first. */
  whatDoIBelieve(about: string, options?: BeliefOptions): Promise<FoundBelief[]>
  /** All that became of a belief, the assertion first. Throws `AGIDB_NOT_FOUND`. */
  beliefHistory(id: BeliefId): Promise<BeliefRevision[]>
  /** Takes a belief out of all answers; its history stays. */
  withdrawBelief(id: BeliefId, reason: string): Promise<void>
  getBelief(id: BeliefId): Promise<Belief | undefined>
}

/** The statement of a belief, if it is one. */
export function tripleOf({ subject, predicate, object }: Pick<Belief, 'subject' | 'predicate' | 'object'>): Triple | undefined {
  return subject === undefined || predicate === undefined || object === undefined ? undefined : { subject, predicate, object }
}
