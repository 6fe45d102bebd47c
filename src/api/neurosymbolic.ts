import type { TimeInput, Triple, TriplePattern } from './episode.js'
import type { Polarity } from './extractor.js'
import type { BeliefId, GoalId } from './purpose.js'
import type { RecallOptions } from './recall.js'

/** A hypervector of 8,192 bits in 1,024 bytes: dimension `d` is bit `d & 7` of byte `d >> 3`. */
export type Signature = Uint8Array

/** A statement that was read back from a signature. */
export interface FoundTriple {
  /** Its fillers in a spelling that the memory has. */
  readonly triple: Triple
  /** How alike the signature and that of the statement alone are beyond chance, 0 to 1. */
  readonly similarity: number
  /** How far its bindings stand out from chance, in standard deviations; 8 at least. */
  readonly z: number
}

/** Options of `signatureToTriples`. */
export interface SignatureToTriplesOptions {
  /** At most so many, 1 to 1,000. Default 10. */
  readonly k?: number
}

/** What `beliefToSignature` makes a signature of: a belief, or something like one. */
export interface BeliefToEncode {
  /** Needed where there is no statement. */
  readonly claim?: string
  /** The claim as a statement: all three parts, or none. */
  readonly subject?: string
  readonly predicate?: string
  readonly object?: string
  /** 0 to 1; rounded to a multiple of 0.05. Default 0.5, as in `assertBelief`. */
  readonly confidence?: number
}

/** A belief that was read back from a signature. */
export interface FoundBeliefContent {
  /** The statement, where the signature has one that the memory can read. */
  readonly triple?: Triple
  /** A claim that is held, where the signature is of a claim without a statement. */
  readonly claim?: string
  /** In steps of 0.05. */
  readonly confidence: number
  /** The belief with this statement or claim that is held now, if there is one. */
  readonly belief?: BeliefId
  /** How alike the signature and that of what was found are beyond chance, 0 to 1. */
  readonly similarity: number
}

/** What was read back from the signature of an episode. */
export interface FoundEpisodeContent {
  /** The statements, best first. */
  readonly triples: readonly FoundTriple[]
  /** The goal for which it was observed. */
  readonly goal?: GoalId
  /** The beliefs with which it was observed, best first. */
  readonly beliefs: readonly BeliefId[]
  /** The day in UTC on which it happened, such as `2026-11-29`. */
  readonly day?: string
}

/** Options of `analogy`. */
export interface AnalogyOptions {
  /** At most so many, 1 to 1,000. Default 10. */
  readonly k?: number
}

/** A concept that stands to `c` as `b` stands to `a`. */
export interface Analogous {
  /** In a spelling that the memory has. */
  readonly concept: string
  /** How alike the two relations are beyond chance, 0 to 1. */
  readonly similarity: number
}

/** A statement to look for, with holes, a time and types. What is absent matches anything. */
export interface NeurosymbolicPattern extends TriplePattern {
  /**
   * Only statements that say that something is so, or that it is not so. Default: those that say of a predicate what
   * the predicate of the pattern says.
   */
  readonly polarity?: Polarity
  /** Only what began at this time or after it. */
  readonly from?: TimeInput
  /** Only what began before this time. A time that is past also shows what was replaced since. */
  readonly to?: TimeInput
  /** The type of the subject, as a statement of the memory says it: "Bawri is a restaurant". */
  readonly subjectType?: string
  /** The type of the object. */
  readonly objectType?: string
}

/** What `neurosymbolicQuery` asks: a pattern, a cue, or both. */
export interface NeurosymbolicQuery {
  readonly structured?: NeurosymbolicPattern
  readonly fuzzyCue?: string
  /**
   * How the pattern and the cue weigh against each other. Each 0 to 1, not both 0. With `structured: 0` the cue alone
   * counts, with `fuzzy: 0` the pattern alone. Default: `{ structured: 0.7, fuzzy: 0.3 }` where both are given.
   */
  readonly weights?: { readonly structured: number; readonly fuzzy: number }
}

/** The options of `recall` that `neurosymbolicQuery` takes, too. */
export type NeurosymbolicOptions = Omit<RecallOptions, 'structured' | 'weights'>
