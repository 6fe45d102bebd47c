import type { AtomId, Contradiction } from './atom.js'
import type { BeliefId, BeliefRevision, NewBelief } from './belief.js'
import type { ConceptId, ConceptMerge } from './concept.js'
import type { AgingConfig } from './entry.js'
import type { EntryId, EntryRelationKind, EntryVisibility } from './entry-facet.js'
import type { EpisodeId, Provenance, TimeInput } from './episode.js'
import type { AuditId, UnlearnCounts, UnlearnTargetKind } from './forgetting.js'
import type { ChildrenFate, Completion, GoalId, GoalState } from './goal.js'
import type { Execution, ProcedureChanges, ProcedureId } from './procedure.js'
import type { RelationType } from './graph.js'
import type { RecallId } from './recall.js'
import type { FrameModality, PromotionReason, SensoryId } from './sensory.js'
import type { Triple } from './episode.js'

/** What each kind of event tells. Times are ISO 8601 in UTC; data are as they were then. The set is closed. */
export interface LearningEvents {
  episodeStored: { readonly episode: EpisodeId }
  /** Told of the episodes that are there: once the superseded one is removed, so is this. */
  episodeSuperseded: {
    readonly episode: EpisodeId
    readonly by: EpisodeId
    /** Since when the superseded episode is not true any more (valid time). */
    readonly validTo: string
  }
  /** An episode was observed for a goal or with a belief, one event each. Told while both are there. */
  episodeLinked: { readonly episode: EpisodeId; readonly goal?: GoalId; readonly belief?: BeliefId }
  /** Told of the episodes that are there; of one whose earlier versions are not kept, its last update alone. */
  episodeUpdated: { readonly episode: EpisodeId }
  sensoryFramePromoted: {
    readonly frame: SensoryId
    readonly modality: FrameModality
    readonly episode: EpisodeId
    readonly surprise: number
    readonly reason: PromotionReason
    /** The memory or belief that the frame is about and differs from. */
    readonly differsFrom?: EpisodeId | BeliefId
  }
  semanticAtomFormed: {
    readonly atom: AtomId
    readonly statement: string
    readonly triple?: Triple
    readonly episodes: readonly EpisodeId[]
    /** The slot through which episodes had been looked at by then. */
    readonly upTo: number
  }
  semanticAtomRevised: { readonly atom: AtomId; readonly episodes: readonly EpisodeId[]; readonly upTo: number }
  contradictionDetected: Contradiction
  consolidationRun: {
    readonly episodes: number
    /** The last episode that was looked at. */
    readonly through?: EpisodeId
    /** Its slot. */
    readonly upTo: number
    readonly atomsFormed: number
    readonly atomsRevised: number
    readonly contradictions: number
    /** The option, where it is not the default. */
    readonly minSupport?: number
    /** The option, where there are any. */
    readonly functionalPredicates?: readonly string[]
    /** How far each batch went, by slot, and when; absent where there was one. */
    readonly batches?: readonly { readonly upTo: number; readonly at: string }[]
    /** The slot of the last record that was there: associations that were learned up to it decay. */
    readonly decays?: number
    /**
     * Present where all episodes that it looked at are forgotten: a memory without them has no such run. Such an event
     * is kept for their return, and not told.
     */
    readonly isIdle?: true
  }
  procedureLearned: {
    readonly procedure: ProcedureId
    readonly name: string
    readonly trigger: string
    readonly steps: readonly string[]
    readonly preconditions: readonly string[]
    readonly provenance: Provenance
    /** Present when some of its evidence was forgotten. */
    readonly lost?: true
  }
  procedureRevised: {
    readonly procedure: ProcedureId
    /** The new values of what changed. */
    readonly changes: ProcedureChanges
    /** Episodes that came to its evidence. */
    readonly evidence: readonly EpisodeId[]
    readonly reason?: string
    /** Present when some of its evidence was forgotten. */
    readonly lost?: true
  }
  procedureRetired: { readonly procedure: ProcedureId; readonly reason: string }
  procedureExecuted: { readonly procedure: ProcedureId; readonly execution: Execution }
  goalSet: {
    readonly goal: GoalId
    readonly description: string
    readonly parent?: GoalId
    readonly successCriteria: readonly string[]
    readonly deadline?: string
    readonly completion: Completion
    readonly provenance: Provenance
  }
  goalRevised: {
    readonly goal: GoalId
    /** The new values of what changed; `null` for what was taken away. */
    readonly changes: {
      readonly description?: string
      readonly parent?: GoalId | null
      readonly successCriteria?: readonly string[]
      readonly deadline?: string | null
      readonly completion?: Completion
    }
  }
  goalStateChanged: {
    readonly goal: GoalId
    readonly from: GoalState
    readonly to: GoalState
    /** The child that completed it, when it completed by itself. */
    readonly by?: GoalId
    /** The goal above that ended and took this one along. */
    readonly with?: GoalId
    /** How the goals below it that were active or paused were changed when it ended. */
    readonly children?: ChildrenFate
  }
  beliefAsserted: Omit<NewBelief, 'validFrom' | 'validTo' | 'session' | 'source'> & {
    readonly belief: BeliefId
    readonly confidence: number
    readonly evidence: readonly EpisodeId[]
    /**
     * Present on what the memory believes by itself (`autoBelieve`): the place of the statement, from 0, among those of
     * the last episode of the evidence.
     */
    readonly automatic?: number
    /** How likely the source of each piece of evidence is right, in their order. Absent in logs of older versions. */
    readonly trust?: readonly number[]
    /** What of the evidence was superseded already. */
    readonly superseded?: readonly EpisodeId[]
    readonly validFrom: string
    readonly validTo?: string
    readonly provenance: Provenance
  }
  /** What was given is kept: where the evidence of all earlier assertions is forgotten, the belief begins with it. */
  beliefReasserted: Omit<NewBelief, 'validFrom' | 'validTo' | 'session' | 'source'> & {
    readonly belief: BeliefId
    readonly evidence: readonly EpisodeId[]
    /** As of `beliefAsserted`. */
    readonly trust?: readonly number[]
    readonly superseded?: readonly EpisodeId[]
    readonly validFrom: string
    readonly validTo?: string
    readonly provenance: Provenance
  }
  beliefRevised: {
    readonly belief: BeliefId
    readonly revision: BeliefRevision
    /** The evidence, if it was superseded already. */
    readonly superseded?: readonly EpisodeId[]
    /** Present where it was stored later than learned, since episodes were forgotten or came back; never told. */
    readonly rederived?: true
  }
  beliefWithdrawn: {
    readonly belief: BeliefId
    readonly revision: BeliefRevision
    /** As of `beliefRevised`. */
    readonly rederived?: true
  }
  /**
   * Two names were found, or were said, to be of one concept. What episodes say so is read from the episodes that are
   * there: once these are gone, so is the event.
   */
  conceptsMerged: ConceptMerge & { readonly concept: ConceptId }
  /** Names were taken out of a concept. */
  conceptsSplit: {
    /** Of the names that were taken out. */
    readonly concept: ConceptId
    readonly names: readonly string[]
    /** The names that stayed. */
    readonly from: readonly string[]
  }
  /** A caller made the association of two episodes stronger. */
  episodesAssociated: { readonly episodes: readonly [EpisodeId, EpisodeId]; readonly weight: number }
  /** A caller said that one entity has to do with another. Told while some of its evidence is there, if it has any. */
  entitiesRelated: {
    readonly from: string
    /** A type of relation, or a predicate of the caller's own. */
    readonly relation: string
    readonly to: string
    readonly weight: number
    readonly evidence: readonly EpisodeId[]
  }
  /** A caller took edges out of a graph: the association of two episodes, or relations of two entities. */
  edgesForgotten: {
    readonly episodes?: readonly [EpisodeId, EpisodeId]
    readonly relations?: readonly { readonly from: string; readonly type: RelationType; readonly to: string }[]
    /** The episodes that stated the relations. Told while one of them is there, if there were any. */
    readonly evidence: readonly EpisodeId[]
  }
  /** What was recalled together, one batch of recalls; see `learnFromRecall`. */
  recallsLearned: {
    readonly episodes: readonly EpisodeId[]
    /**
     * Of each recall when it was, in milliseconds after the first of the batch, then its best matches: their places in
     * `episodes`.
     */
    readonly recalls: readonly (readonly number[])[]
    /** When the first of the batch was (ISO 8601, UTC). */
    readonly since: string
  }
  /** What is known of entries became something else; what is absent stayed as it was. */
  entriesChanged: {
    readonly entries: readonly EntryId[]
    /** `aging`: they were not used for long; see `entries.aging`. */
    readonly by: 'caller' | 'aging'
    readonly visibility?: EntryVisibility
    /** With visibility `expiring` (ISO 8601, UTC). */
    readonly expiresAt?: string
    readonly perspectives?: readonly string[]
  }
  entryLinked: { readonly entry: EntryId; readonly relation: EntryRelationKind; readonly target: EntryId }
  entryUnlinked: { readonly entry: EntryId; readonly relation: EntryRelationKind; readonly target: EntryId }
  /** What was found by searches, one batch of them. */
  entriesAccessed: {
    readonly entries: readonly EntryId[]
    /**
     * Of each search when it was, in milliseconds after the first of the batch, then what it found: places in
     * `entries`.
     */
    readonly accesses: readonly (readonly number[])[]
    /** When the first of the batch was (ISO 8601, UTC). */
    readonly since: string
  }
  /**
   * A document was stored as entries, or a change of it begins: then `hash` is `unfinished`. Told while the first entry
   * is there.
   */
  documentIngested: {
    readonly source: string
    /** SHA-256 of the document, in hexadecimal, and what read it; `unfinished` while a change of it is written. */
    readonly hash: string
    /** Its first entry. */
    readonly root: EntryId
  }
  /** It was thought about entries, and these came of it. */
  entriesThought: { readonly action: 'reflect' | 'consolidate'; readonly entries: readonly EntryId[] }
  perspectiveDefined: { readonly perspective: string; readonly hint: string }
  perspectiveRemoved: { readonly perspective: string }
  agingConfigured: AgingConfig
  attentionTraced: {
    readonly recall: RecallId
    readonly cue: string
    /** Candidates that were looked at. */
    readonly considered: number
    /** The matches, best first. */
    readonly episodes: readonly EpisodeId[]
  }
  selfVectorUpdated: {
    /** Counts from 1. */
    readonly epoch: number
    /** Bits that changed. */
    readonly drift: number
    readonly atoms: readonly AtomId[]
  }
  /** Something was forgotten. Neither it nor anything that would identify it stands here; see `UnlearnRecord`. */
  unlearned: UnlearnCounts & {
    readonly audit: AuditId
    readonly target: UnlearnTargetKind
    readonly targetHash: string
    readonly reason: string
    readonly tombstoneExpiry: string
    readonly selfVectorDriftHamming: number
    /** How many sensory frames had been seen by then, where some of them were forgotten. */
    readonly framesSeen?: number
  }
  /** An unlearning was taken back. */
  restored: { readonly audit: AuditId }
}

/** The kinds of learning events. */
export type LearningKind = keyof LearningEvents

/**
 * The id of a learning event: `ev_` and 26 characters; of `episodeStored`, `ev_` and the id of the episode; of
 * `episodeSuperseded`, `es_` and the id of the superseded one; of `episodeUpdated`, `eu_`, the number of the update,
 * `_` and the id of the episode.
 */
export type LearningEventId = string

/** Something that changed what the agent knows, wants or is. The log of them only grows. */
export type LearningEvent<K extends LearningKind = LearningKind> = {
  [Kind in K]: { readonly id: LearningEventId; readonly kind: Kind; readonly at: string } & LearningEvents[Kind]
}[K]

/** Which events `whatDidILearn` returns. */
export interface LearningQuery {
  /** Default: all kinds. */
  readonly kinds?: readonly LearningKind[]
  /** Only what refers to this id (of an episode, goal, belief, …). */
  readonly subject?: string
  /** Events before this time only, exclusive. Default: up to now. */
  readonly until?: TimeInput
  /** The first so many, 1 to 1,000,000. Default: all. */
  readonly limit?: number
}
