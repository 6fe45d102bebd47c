import type { Episode, EpisodeId, Provenance, TimeInput, Triple } from './episode.js'
import type { BeliefId } from './purpose.js'

export type { BeliefId } from './purpose.js'

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
 * Decides what an episode says of a belief where its triples do not: here, at write time, an agent may ask a language
 * model. What it throws refuses the revision.
 */
export type DecideRevision = (belief: Belief, evidence: Episode) => RevisionDecision | Promise<RevisionDecision>

/** One entry of the log of a belief, which only grows. */
export interface BeliefRevision {
  /** 0 for the assertion, then 1, 2, … */
  readonly revision: number
  /** Transaction time (ISO 8601, UTC). */
  readonly at: string
  /**
   * `asserted` with a number above 0: the claim was asserted again, with this confidence. `flagged`: the episode speaks
   * of the belief, but whether for or against it is not clear.
   */
  readonly kind: 'asserted' | 'revised' | 'withdrawn' | 'flagged'
  /** The confidence before; absent for the first assertion. */
  readonly before?: number
  readonly after: number
  /** The episode that led to it. */
  readonly evidence?: EpisodeId
  /** Absent for an assertion and a withdrawal by hand. */
  readonly verdict?: Verdict
  readonly reason: string
  /** How likely the source of the episode is right, 0.5 to 0.99, by which the episode was weighed. */
  readonly trust?: number
  /** Present where observing the episode changed the belief, without a call that asked for it. */
  readonly automatic?: true
  /** Only in answers: why the episode does not count any more. An episode that is gone has no entry. */
  readonly discounted?: 'superseded'
}

/** What the agent holds to be true. */
export interface Belief {
  readonly id: BeliefId
  readonly claim: string
  readonly subject?: string
  readonly predicate?: string
  readonly object?: string
  /** By all episodes that count: those that are there, and are not superseded at the time that is asked about. */
  readonly confidence: number
  /** Episodes that support it and count, in the order in which they came. */
  readonly evidence: readonly EpisodeId[]
  /** Episodes that contradict it and count. */
  readonly contradictions: readonly EpisodeId[]
  /** Episodes that speak of it, of which it is not clear whether they support or contradict it. */
  readonly unsettled: readonly EpisodeId[]
  /** Other beliefs that are held and cannot be true beside it at all times, by id, sorted. */
  readonly conflictsWith: readonly BeliefId[]
  /**
   * Valid time (ISO 8601, UTC), half-open. A belief that was asserted with evidence ends when the last episode that
   * supports it is superseded, if not before.
   */
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

/** How an episode changed one of the beliefs that it supports or contradicts. */
export interface BeliefChange extends RevisionReport {
  readonly belief: BeliefId
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
  /**
   * `concept`: it is about the concept itself; `alias`: about another name of it; `similarity`: it says something like
   * it.
   */
  readonly foundBy: 'concept' | 'alias' | 'similarity'
}

/** The statement of a belief, if it is one. */
export function tripleOf({
  subject,
  predicate,
  object,
}: Pick<Belief, 'subject' | 'predicate' | 'object'>): Triple | undefined {
  return subject === undefined || predicate === undefined || object === undefined
    ? undefined
    : { subject, predicate, object }
}
