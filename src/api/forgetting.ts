import type { BeliefId } from './belief.js'
import type { EpisodeId, TriplePattern } from './episode.js'
import type { Filter } from './filter.js'

/** The id of an unlearning: `au_` and 26 characters. */
export type AuditId = string

/** What is to be forgotten, by one of these. Where a list can stand, each of its items is meant. */
export type UnlearnTarget =
  /** Episodes by their ids. */
  | { readonly episode: EpisodeId | readonly EpisodeId[] }
  /** A belief that was asserted, with all that became of it. The episodes that it rests on stay. */
  | { readonly belief: BeliefId }
  /**
   * A concept under all of its names: the episodes, frames, beliefs, goals, procedures and traced recalls whose
   * statements or texts name it. Goals below such a goal go with it. See `whatDoIBelieve` for other names.
   */
  | { readonly concept: string }
  /** All that was observed, perceived, believed, aimed at and learned from sources. */
  | { readonly source: string | readonly string[] }
  /** The same of sessions. */
  | { readonly session: string | readonly string[] }
  /** What speakers said. */
  | { readonly speaker: string | readonly string[] }
  /** The episodes one of whose statements has all names of a pattern, and the beliefs that state it. */
  | { readonly pattern: TriplePattern }
  /** The episodes that a filter lets pass, and nothing else. */
  | { readonly filter: Filter }
  /** All that the memory holds, but for the records of what it forgot. */
  | { readonly all: true }

/** The kinds of targets. */
export type UnlearnTargetKind =
  | 'episode'
  | 'belief'
  | 'concept'
  | 'source'
  | 'session'
  | 'speaker'
  | 'pattern'
  | 'filter'
  | 'all'

/**
 * Whether an unlearning can be restored. `restorable`; `restored`; or `expired`: its window is over, or was ended by
 * `expire`, and what it forgot is erased, or will be as soon as the memory is open for writing.
 */
export type UnlearnState = 'restorable' | 'restored' | 'expired'

/** How much an unlearning took away. The numbers are those of the moment at which it was done. */
export interface UnlearnCounts {
  readonly episodesRemoved: number
  /** Beliefs that are held no more, since they were the target, or nothing of their evidence is left. */
  readonly beliefsRemoved: number
  /** Beliefs that lost some of their evidence. */
  readonly beliefsRevised: number
  /** Semantic atoms that lost episodes, or are gone. */
  readonly semanticAtomsAffected: number
  /** Procedures that lost evidence or executions, or are gone. */
  readonly proceduresAffected: number
  /** Goals that lost evidence, or are gone. */
  readonly goalsAffected: number
  readonly framesRemoved: number
  /** Traced recalls that answered with what is forgotten, or were asked about it. */
  readonly tracesRemoved: number
  /** Episodes that are superseded no more, since what superseded them is forgotten. */
  readonly episodesRevived: number
  /** Signatures of episodes that nothing is compared with any more. */
  readonly signaturesInvalidated: number
}

/** What depends on what is forgotten. */
export interface CascadeNode {
  readonly id: string
  readonly kind: 'episode' | 'frame' | 'belief' | 'atom' | 'procedure' | 'goal' | 'recall'
  /** What becomes of it. `removed`: it is the target, or nothing is left of it. */
  readonly becomes: 'removed' | 'changed' | 'revived'
}

/** That something rests on another. */
export interface CascadeEdge {
  readonly from: string
  /** What `from` rests on, or is superseded by. */
  readonly to: string
}

/** The things that an unlearning removes or changes, and why. */
export interface CascadeGraph {
  /** The first 10,000. */
  readonly nodes: readonly CascadeNode[]
  /** Those between these nodes. */
  readonly edges: readonly CascadeEdge[]
}

/** What an unlearning did, as the permanent record tells it. */
export interface UnlearnRecord extends UnlearnCounts {
  readonly auditId: AuditId
  readonly target: UnlearnTargetKind
  /**
   * HMAC-SHA-256 of the target under a key that never leaves this database, in hexadecimal digits: the same target has
   * the same hash here, and nobody else can confirm a guess with it.
   */
  readonly targetHash: string
  /** As its caller gave it. */
  readonly reason: string
  /** ISO 8601, UTC. */
  readonly at: string
  /** Bits of the self-vector that changed. */
  readonly selfVectorDriftHamming: number
  /** Until when it can be restored (ISO 8601, UTC). */
  readonly tombstoneExpiry: string
  readonly state: UnlearnState
}

/** What an unlearning did, or would do. */
export interface UnlearnReport extends UnlearnCounts {
  /** Absent in a dry run, and where there was nothing to forget: neither leaves a record. */
  readonly auditId?: AuditId
  /**
   * Bits of the self-vector that changed; 0 where there was nothing to forget. Absent in a dry run that finds
   * something: they are known only once it is forgotten.
   */
  readonly selfVectorDriftHamming?: number
  /** Until when it can be restored (ISO 8601, UTC). */
  readonly tombstoneExpiry: string
  readonly graph: CascadeGraph
}

/** Options of `unlearn`. */
export interface UnlearnOptions {
  /** Says what would be forgotten, and forgets nothing. Default false. */
  readonly dryRun?: boolean
}

/** What `restore` brought back. */
export interface RestoreReport {
  readonly auditId: AuditId
  readonly episodesRestored: number
  readonly framesRestored: number
  /** Learning events that were themselves the target: of beliefs, goals, procedures, traced recalls and the like. */
  readonly eventsRestored: number
  /** Bits of the self-vector that changed. */
  readonly selfVectorDriftHamming: number
}

/** What was erased when the time for restoring ended. */
export interface ExpireReport {
  /** Unlearnings that can no longer be restored. */
  readonly unlearnings: number
  /** Records that were erased. */
  readonly records: number
  /** Learning events that lost some ids, or were erased because all that they rest on was. */
  readonly events: number
}
