import type {
  ClusterMembership,
  EntryId,
  EntryLevel,
  EntryPlace,
  EntryRelation,
  EntryType,
  EntryVisibility,
  MatchedEntry,
} from './entry-facet.js'
import type { TimeInput } from './episode.js'
import type { Filter } from './filter.js'
import type { JsonObject } from './json.js'
import type { Match } from './recall.js'

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
export interface Entry extends MatchedEntry {
  readonly id: EntryId
  readonly content: string
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

/**
 * What `entries.add` takes beside the content. All of it is checked in any case. For content that is there already only
 * the place (`source`, `parent`, `path`, `heading`, `level`) and `relations` are added.
 */
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

/**
 * Options of `entries.ingest`. All are checked in any case. Those from `at` on hold for the entries that are new;
 * `entries.update` and `entries.setVisibility` change what is there already.
 */
export interface IngestOptions {
  /** Which document it is: a path or an address. The same source again is the same document, changed. */
  readonly source: string
  /**
   * What reads it: `markdown`, `html` or `text`. Default: by the ending of the source, else by what it looks like. Not
   * for what is parsed already.
   */
  readonly parser?: string
  /** Start of valid time. Default: now. */
  readonly at?: TimeInput
  /** Default: none. */
  readonly perspectives?: readonly string[]
  /** Default `normal`, or `expiring` where `expiresAt` is given. */
  readonly visibility?: EntryVisibility
  /** When they are seen no more; only with visibility `expiring`. */
  readonly expiresAt?: TimeInput
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
  /**
   * The most results of one section, 1 to 100. In a long section the limit holds for results that start within 4,000
   * characters of each other. Default 1; with `deep` no limit.
   */
  readonly perSection?: number
  /** The best children of each result, 0 to 100. Default 3. */
  readonly childrenK?: number
  /** Only entries of this perspective. */
  readonly perspective?: string
  /** Whether entries of every visibility are found, expired and superseded ones, too. Default false. */
  readonly deep?: boolean
  /** Only entries whose valid time begins in this time, half-open. */
  readonly since?: TimeInput
  readonly until?: TimeInput
  /** Accesses in this bucket and finer ones weigh most. Default: the finer a bucket, the more it weighs. */
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

/** The coarsest bucket of accesses that counts as recent: docs/documents.md has the weights. */
export type RecencyWindow = 'hour' | 'day' | 'week' | 'month' | 'year'

/** An entry that a search found. */
export interface EntryMatch {
  readonly entry: Entry
  /** 0 to 1. */
  readonly score: number
  /** The score without recency and salience: how sure it is that its section answers the query, 0 to 1. */
  readonly similarity: number
  readonly salience: number
  /** The entries from the root to this one, without it. */
  readonly path: readonly Entry[]
  /** Its best children by the query, best first. */
  readonly children: readonly { readonly entry: Entry; readonly score: number }[]
  /** What a recall's score of the entry alone is made of. */
  readonly signals: Match['signals']
  /** What its section and its document add to the log odds of the similarity. */
  readonly section: SectionSignals
}

/** Evidence of a section, compared with those of the other candidates; negative where it is less than theirs. */
export interface SectionSignals {
  /** BM25 of all that the section says around the entry. */
  readonly words: number
  /** How the section meets the query, word piece by word piece. 0 without a codebook. */
  readonly pieces: number
  /** The length of the section: what is long has more words by chance. */
  readonly length: number
  /** Whether the section means what the query means. 0 without a codebook. */
  readonly meaning: number
  /** How all that was found in the document meets the query. 0 without a codebook. */
  readonly document: number
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

/** How entries that are not used become less visible. */
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

/** Options of `entries.setVisibility`. */
export interface VisibilityOptions {
  /** When the entries are seen no more; with visibility `expiring`. */
  readonly expiresAt?: TimeInput
}
