import type { Belief } from './belief.js'
import type { EpisodeId, Triple } from './episode.js'
import type { Goal } from './goal.js'

/**
 * The id of a concept: `co_` and 26 characters, a function of its name. The id of each of its names finds it, so that
 * an id that was kept still does after its concept was merged with another.
 */
export type ConceptId = string

/** Which concepts `concepts` lists. */
export interface ConceptQuery {
  /** Only those of this type, such as `person` or `place`. Default: of any type, and of none. */
  readonly type?: string
  /** Only those that this text names, or one of whose names has a word that begins with it. Default: all. */
  readonly cue?: string
  /** The first so many, 1 to 10,000. Default 100. */
  readonly limit?: number
}

/** A concept: what the statements, entities and other names of episodes name. */
export interface ConceptSummary {
  readonly id: ConceptId
  /** Its name as it is written most often; where nicknames are among its names, one that is none. */
  readonly name: string
  /** What it is, as entities tell it: `person`, `place`, `organisation`. A speaker is a person. Absent: not known. */
  readonly type?: string
  /** Its other names, each spelling of them once, sorted. */
  readonly aliases: readonly string[]
  /** How many episodes name it. */
  readonly episodes: number
  /** When the last of them became true (valid time, ISO 8601, UTC). */
  readonly lastSeen: string
}

/** Why a statement is not true any more. */
export interface StatementEnd {
  /**
   * `superseded`: all episodes that say it are superseded. `ended`: the time is over for which they say it. `replaced`:
   * a newer one states another object of a relation that has one object at a time. `denied`: a newer one says that it
   * is not so, or the other way round.
   */
  readonly why: 'superseded' | 'ended' | 'replaced' | 'denied'
  /** The episode that replaced or denied it, or by which one of its episodes was superseded. */
  readonly by?: EpisodeId
}

/** What episodes state of a concept, once for all that say the same, as the newest of them says it. */
export interface ConceptStatement extends Triple {
  /** The episodes that state it, the newest last. */
  readonly episodes: readonly EpisodeId[]
  /** When the first of them became true (valid time, ISO 8601, UTC). */
  readonly from: string
  /** Present on a statement that is not true any more. */
  readonly end?: StatementEnd
}

/** A concept that statements connect with another. */
export interface ConceptNeighbour {
  readonly id: ConceptId
  readonly name: string
  readonly type?: string
  /** How many statements that are true now connect them. */
  readonly statements: number
  /** Their predicates, each once, sorted. */
  readonly predicates: readonly string[]
}

/** Why two names are of one concept. */
export interface ConceptMerge {
  readonly names: readonly [string, string]
  /** A text or a statement says so; one is a nickname of the other; or `alias` was called. */
  readonly reason: 'stated' | 'nickname' | 'caller'
  /** The episodes that it rests on, at most 100; none of a caller. */
  readonly evidence: readonly EpisodeId[]
}

/** Everything about a concept. */
export interface Concept extends Omit<ConceptSummary, 'episodes'> {
  /** The statements that are true now, the newest first. */
  readonly statements: readonly ConceptStatement[]
  /** The statements that were true, the newest first. */
  readonly past: readonly ConceptStatement[]
  /** The beliefs that are held about it, the surest first. */
  readonly beliefs: readonly Belief[]
  /** The goals that name it, in the order in which they were set. */
  readonly goals: readonly Goal[]
  /** The episodes that name it, the newest first, at most 1,000. */
  readonly episodes: readonly EpisodeId[]
  /** How many episodes name it. Statements are read from the newest 10,000 of them. */
  readonly episodeCount: number
  /** The concepts that its statements name, those with the most statements first. */
  readonly neighbours: readonly ConceptNeighbour[]
  /** Why its names are one. */
  readonly merges: readonly ConceptMerge[]
}

/** Which statements `beliefCandidates` lists: of those of the newest 10,000 episodes that state something. */
export interface CandidateQuery {
  /** Only those about this concept: a name or an id. Default: about any. */
  readonly about?: string
  /** Episodes that state it, at least; 1 to 1,000. Default 2. */
  readonly minSupport?: number
  /** Only those of which at least this confidence is proposed, 0 to 1. Default 0.8. */
  readonly minConfidence?: number
  /** The first so many, 1 to 1,000. Default 100. */
  readonly limit?: number
}

/** A statement that might be believed: `assertBelief` takes it as it is. */
export interface BeliefCandidate extends Triple {
  /** The statement in words. */
  readonly claim: string
  /** By Bayes' rule from 0.5: each speaker of each source that says so counts once, as far as the source is trusted. */
  readonly confidence: number
  /** The episodes that state it, the newest last, at most 1,000. */
  readonly evidence: readonly EpisodeId[]
}
