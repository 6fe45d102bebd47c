import type { AtomId } from './atom.js'
import type { BeliefId } from './belief.js'
import type { EpisodeId, TimeInput } from './episode.js'
import type { Filter } from './filter.js'
import type { Goal } from './goal.js'
import type { JsonObject } from './json.js'
import type { Match } from './recall.js'

/** SHA-256 of the content in UTF-8, in hexadecimal: the same content is the same entry. It is the id of an episode. */
export type EntryId = EpisodeId

/** What an entry is: original text, a summary of others, a reflection, a quick note. */
export type EntryType = 'raw' | 'summary' | 'meta' | 'impression'

/** Where an entry stands in the outline of a document: 1 to 6 for a section under such a heading, 7 for content. */
export type EntryLevel = 1 | 2 | 3 | 4 | 5 | 6 | 7

/**
 * Who sees an entry. `always`: never degraded. `normal`: seen until it ages. `deep_only`: seen by deep searches alone.
 * `expiring`: seen until its time. `seasonal`: seen. Any other value: seen by deep searches alone.
 */
export type EntryVisibility = 'always' | 'normal' | 'deep_only' | 'expiring' | 'seasonal' | (string & {})

/** What a relation says: one of these, or a kind of the caller's own. */
export type EntryRelationKind = 'superseded_by' | 'summarized_by' | 'related_to' | 'derived_from' | (string & {})

/** A directed link from an entry to another. */
export interface EntryRelation {
  readonly kind: EntryRelationKind
  readonly target: EntryId
}

/** That an entry belongs to a cluster of entries, and how surely. */
export interface ClusterMembership {
  /** The summary of the cluster. */
  readonly cluster: EntryId
  /** 0 to 1. */
  readonly probability: number
}

/** Where the content of an entry stands. The same content may stand at several places. */
export interface EntryPlace {
  /** The document, as given to `ingest`: a path or an address. */
  readonly source: string
  /** The headings above it, from the root, without its own. */
  readonly path: readonly string[]
  /** The entry of the section that it is in. Absent for the root of a document. */
  readonly parent?: EntryId
  /** Its own heading. Absent for content. */
  readonly heading?: string
  readonly level: EntryLevel
  /** Offset of its first character in the source, in UTF-16 units: `source.slice(start, end)` is the content. */
  readonly start: number
  /** Offset after its last character. */
  readonly end: number
}

/** What of an entry is stored with its content. What is said of it later is learned: see `LearningEvents`. */
export interface EntryFacet {
  readonly type: EntryType
  /** Empty for what was added without a document. */
  readonly places: readonly EntryPlace[]
  readonly visibility?: EntryVisibility
  /** When an entry that is `expiring` is seen no more (ISO 8601, UTC). */
  readonly expiresAt?: string
  readonly perspectives?: readonly string[]
  /** The entries that it is a summary of. */
  readonly summarizes?: readonly EntryId[]
  /** What made a summary: `extractive/1`, or the id of a model. */
  readonly madeBy?: string
  /** How surely the entries that it summarizes belong together, in their order, 0 to 1. Absent for a section's. */
  readonly memberships?: readonly number[]
}

/** Counts of the accesses to an entry, in buckets of fixed size: see docs/documents.md. */
export interface AccessProfile {
  readonly hour: number
  readonly day: number
  readonly week: number
  readonly month: number
  readonly year: number
  readonly total: number
  /** When it was accessed last (ISO 8601, UTC). Absent: never. */
  readonly lastAccess?: string
}

/** An entry: an episode that is part of a document, or stands beside one. */
export interface Entry {
  readonly id: EntryId
  readonly content: string
  readonly type: EntryType
  readonly level: EntryLevel
  readonly heading?: string
  /** The headings from the root to it, joined by ` > `; empty for what has no headings. */
  readonly path: string
  readonly source?: string
  /** The section that it is in. */
  readonly parent?: EntryId
  readonly startOffset?: number
  readonly endOffset?: number
  /** All places at which its content stands; the fields above tell of the first. */
  readonly places: readonly EntryPlace[]
  readonly summarizes: readonly EntryId[]
  /** What made a summary. */
  readonly madeBy?: string
  readonly visibility: EntryVisibility
  readonly expiresAt?: string
  readonly perspectives: readonly string[]
  readonly relations: readonly EntryRelation[]
  readonly clusters: readonly ClusterMembership[]
  readonly access: AccessProfile
  /** Start of valid time (ISO 8601, UTC). */
  readonly at: string
  /** When it was stored (ISO 8601, UTC). */
  readonly recordedAt: string
  readonly tags?: readonly string[]
  readonly metadata?: JsonObject
}

/** What `entries.add` takes beside the content. */
export interface NewEntry {
  /** Default `raw`. */
  readonly type?: EntryType
  /** Default 7, content. */
  readonly level?: EntryLevel
  readonly heading?: string
  /** The section that it belongs to: an entry that is there. */
  readonly parent?: EntryId
  /** The headings above it. Default: those of its parent. */
  readonly path?: readonly string[]
  readonly source?: string
  /** Default `normal`, or `expiring` where `expiresAt` is given. */
  readonly visibility?: EntryVisibility
  /** When it is seen no more; only with visibility `expiring`. */
  readonly expiresAt?: TimeInput
  readonly perspectives?: readonly string[]
  readonly relations?: readonly EntryRelation[]
  readonly summarizes?: readonly EntryId[]
  /** Start of valid time. Default: now. */
  readonly at?: TimeInput
  readonly tags?: readonly string[]
  readonly metadata?: JsonObject
}

/** What `entries.update` changes: a field that is absent stays as it is, `null` takes it away. */
export interface EntryPatch {
  readonly perspectives?: readonly string[]
  readonly visibility?: EntryVisibility
  readonly expiresAt?: TimeInput | null
  readonly tags?: readonly string[] | null
  readonly metadata?: JsonObject | null
}

/** An entry with those below it, in the order of the document. */
export interface EntryTree {
  readonly entry: Entry
  readonly children: readonly EntryTree[]
}

/** A document that entries come from. */
export interface EntrySource {
  readonly source: string
  /** How many entries stand in it. */
  readonly entries: number
}

/** Options of `entries.ingest`. */
export interface IngestOptions {
  /** Which document it is: a path or an address. The same source again is the same document, changed. */
  readonly source: string
  /**
   * What reads it: `markdown`, `html` or `text`. Default: by the ending of the source, else by what it looks like. Not
   * for what is parsed already.
   */
  readonly parser?: string
  /** Start of valid time of what comes. Default: now. */
  readonly at?: TimeInput
  /** Perspectives of what comes. Default: none. */
  readonly perspectives?: readonly string[]
  /** Visibility of what comes. Default `normal`. */
  readonly visibility?: EntryVisibility
  readonly tags?: readonly string[]
  /** Added to what the document says of itself; stands at its roots. */
  readonly metadata?: JsonObject
}

/** What an ingestion changed. */
export interface IngestReport {
  readonly source: string
  /** All entries of the document now, in its order. */
  readonly entries: readonly EntryId[]
  /** Entries that came. */
  readonly added: number
  /** Entries that were there already, at the same place. */
  readonly kept: number
  /** Entries that were there already and stand at another place now. */
  readonly moved: number
  /** Entries that stand in the document no more; each is superseded by the nearest that does. */
  readonly superseded: number
  /** Summaries that were made or made again. */
  readonly summaries: number
}

/** Options of `entries.search`. */
export interface EntrySearchOptions {
  /** Results, 1 to 100. Default 5. */
  readonly k?: number
  /** The best children of each result, 0 to 100. Default 3. */
  readonly childrenK?: number
  /** Only entries of this perspective. */
  readonly perspective?: string
  /** Whether entries of every visibility are found, expired and superseded ones, too. Default false. */
  readonly deep?: boolean
  /** Only entries whose valid time begins in this time, half-open. */
  readonly since?: TimeInput
  readonly until?: TimeInput
  /** What counts as recent: accesses in coarser buckets count nothing. Default: all buckets count. */
  readonly recencyWindow?: RecencyWindow
  /** Share of recency and salience in the score, 0 to 1. Default .15, with a `recencyWindow` .3. */
  readonly alpha?: number
  /** Share of salience in that share, 0 to 1. Default .3. */
  readonly salienceWeight?: number
  /** The least salience of a result, 0 to 1. Default 0. */
  readonly minSalience?: number
  /** Only open threads: see `entries.identity`. Default false. */
  readonly ongoing?: boolean
  /** Only entries with content like that of this one; with it the query may be empty. */
  readonly similarTo?: EntryId
  readonly filter?: Filter
}

/** The finest bucket of accesses that is asked for. */
export type RecencyWindow = 'hour' | 'day' | 'week' | 'month' | 'year'

/** An entry that a search found. */
export interface EntryMatch {
  readonly entry: Entry
  /** 0 to 1. */
  readonly score: number
  /** The score without recency and salience, 0 to 1. */
  readonly similarity: number
  readonly salience: number
  /** The entries from the root to this one, without it. */
  readonly path: readonly Entry[]
  /** Its best children by the query, best first. */
  readonly children: readonly { readonly entry: Entry; readonly score: number }[]
  /** What the score is made of, as of a recall's match. */
  readonly signals: Match['signals']
}

/** Options of `entries.browse`. */
export interface BrowseOptions {
  readonly perspective?: string
  readonly since?: TimeInput
  readonly until?: TimeInput
  readonly source?: string
  /** Default false. */
  readonly deep?: boolean
  /** 1 to 1,000. Default 20. */
  readonly limit?: number
}

/** How significant an entry is, each 0 to 1: docs/documents.md. */
export interface Salience {
  readonly composite: number
  /** How much it is used. */
  readonly interaction: number
  /** From how many perspectives it is seen. */
  readonly spread: number
  /** How often it was taken up again. */
  readonly revision: number
}

/** How entries that nobody needs go out of sight. */
export interface AgingConfig {
  /** Days without an access. Default 30. */
  readonly degradeAfterDays: number
  /** Visibilities that age. Default `['normal']`. */
  readonly degradeFrom: readonly EntryVisibility[]
  /** The visibility that they get. Default `deep_only`. */
  readonly degradeTo: EntryVisibility
  /** The salience from which on an entry does not age, 0 to 1. Default .15. */
  readonly salienceProtection: number
}

/** What an aging did. */
export interface AgingReport {
  /** Entries that went out of sight. */
  readonly degraded: readonly EntryId[]
  /** Entries that were not used for as long, and are too significant. */
  readonly spared: number
}

/** A side from which entries are seen. */
export interface Perspective {
  readonly id: string
  /** What belongs to it, in words. */
  readonly hint: string
  readonly isBuiltIn: boolean
}

/** A perspective that an entry may be seen from, too. */
export interface SuggestedPerspective {
  readonly perspective: string
  /** How like it is to what is seen from there, or to the hint: standard deviations above chance. */
  readonly likeness: number
}

/** Where a perspective points. */
export interface PerspectiveCentroid {
  readonly perspective: string
  /** Entries that are seen from it. */
  readonly entries: number
  /** Their signatures, those of more salient ones weighing more; 1,024 bytes. */
  readonly centroid: Uint8Array
  /** The entries that are nearest to it, best first, at most 3. */
  readonly nearest: readonly EntryId[]
}

/** Why an entry is an open thread. */
export interface OpenThread {
  readonly entry: Entry
  /** `superseded`: it was replaced and is still seen. `related`: it has at least three relations. */
  readonly reason: 'superseded' | 'related'
}

/** Who an agent is by what it knows: docs/documents.md. */
export interface Identity {
  /** Epoch at which it was worked out (ISO 8601, UTC). */
  readonly at: string
  readonly centroids: readonly PerspectiveCentroid[]
  /** The most salient entries, at most 15. */
  readonly core: readonly { readonly entry: Entry; readonly salience: number }[]
  readonly openThreads: readonly OpenThread[]
  /** The newest entries of the perspective `learnings`, at most 10. */
  readonly recentLearnings: readonly Entry[]
  /** The goals that are active. */
  readonly goals: readonly Goal[]
  /** The beliefs that are held, the surest first, at most 10. */
  readonly beliefs: readonly { readonly id: BeliefId; readonly claim: string; readonly confidence: number }[]
  /** The atoms with most support, at most 10. */
  readonly atoms: readonly { readonly id: AtomId; readonly statement: string; readonly support: number }[]
}

/** Options of `entries.priming`. */
export interface PrimingOptions {
  /** About how many tokens it may have, 1 to 1,000,000. Default 1,000. */
  readonly budgetTokens?: number
}

/** Options of `entries.setVisibility`. */
export interface VisibilityOptions {
  /** When the entries are seen no more; with visibility `expiring`. */
  readonly expiresAt?: TimeInput
}

/** What an agent starts with. */
export interface Priming {
  readonly text: string
  /** About how many tokens it has. */
  readonly tokens: number
  /** What each numbered line tells of: the id of line `n` stands at `n − 1`. */
  readonly ids: readonly string[]
}

/** What a match of a recall tells of an entry. */
export type MatchedEntry = Pick<
  Entry,
  'type' | 'level' | 'heading' | 'path' | 'source' | 'parent' | 'startOffset' | 'endOffset'
>
