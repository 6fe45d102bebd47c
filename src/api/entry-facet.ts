/** SHA-256 of the content in UTF-8, in hexadecimal: the same content is the same entry. It is the id of an episode. */
export type EntryId = string

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

/** What a match of a recall tells of an entry. */
export interface MatchedEntry {
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
}
