import type { Progress } from '../base/progress.js'
import type { EntryFacet } from './entry-facet.js'
import type { EpisodeExtraction } from './extractor.js'
import type { JsonObject } from './json.js'
import type { SenseName } from './encoder.js'
import type { Purpose } from './purpose.js'
import type { Triple } from './triple.js'

export type { Purpose } from './purpose.js'
export type { Triple, TriplePattern } from './triple.js'

/**
 * The id of an episode: `ep_` and 26 characters when agidb makes it, any string within `limits.nameBytes` when the
 * caller does.
 */
export type EpisodeId = string

/** A time that a caller passes: a `Date`, an ISO 8601 string or epoch milliseconds. */
export type TimeInput = Date | string | number

/** A stretch of time from `from` on and before `to`; a side that is absent is open. */
export interface TimeRange {
  readonly from?: TimeInput
  /** No longer part of it; after `from`. */
  readonly to?: TimeInput
}

/** Where a memory comes from. */
export interface Provenance {
  /** The channel that it came through, as given to `observe`. */
  readonly source?: string
  /** The session that it belongs to. */
  readonly session?: string
  /** The program or agent that wrote it, as given to `open`. */
  readonly writer: string
  /** The episodes that it rests on; for an episode, itself. */
  readonly episodes: readonly EpisodeId[]
}

/** How and when an episode was replaced by another. */
export interface Supersession {
  /** The episode that replaces it. */
  readonly by: EpisodeId
  /** Valid time at which it stopped being true (ISO 8601, UTC). */
  readonly at: string
  /** Transaction time at which that was recorded (ISO 8601, UTC). */
  readonly recordedAt: string
}

/** One remembered observation. `goal` and `beliefs` are those that the memory still has. */
export interface Episode extends Purpose {
  readonly id: EpisodeId
  readonly text: string
  readonly speaker?: string
  readonly session?: string
  readonly source?: string
  /** Start of valid time: when it happened or began to be true (ISO 8601, UTC). */
  readonly at: string
  /**
   * End of valid time, as given to `observe`: from then on it is not true any more (ISO 8601, UTC). Absent: it was
   * given none.
   */
  readonly validTo?: string
  /** Transaction time: when it was observed (ISO 8601, UTC). */
  readonly recordedAt: string
  /** Transaction time: since when it says what it says now (ISO 8601, UTC). Absent: it was never updated. */
  readonly updatedAt?: string
  /** Which of its versions this is, from 2 on. Absent: no earlier version is kept; see `history`. */
  readonly version?: number
  readonly superseded?: Supersession
  /** The statements that the caller gave, then those that an extractor found the text to assert or to deny. */
  readonly triples: readonly Triple[]
  /** What an extractor found in the text. Absent: no extractor has read it yet. */
  readonly extraction?: EpisodeExtraction
  /** Labels that the caller gave it, each once. Absent: none. */
  readonly tags?: readonly string[]
  /** What the caller gave with it, unchanged. */
  readonly metadata?: JsonObject
  /** What was perceived with it beside its text, as given to `observeMultimodal`. Absent: nothing. */
  readonly senses?: readonly SenseName[]
  /** When it is to be forgotten, as given to `observe` (ISO 8601, UTC). */
  readonly expiresAt?: string
  /** What it is as an entry of a document: see `Agidb.entries`. Absent: it is none. */
  readonly entry?: EntryFacet
  readonly provenance: Provenance
}

/** What `observe` takes beside the text. */
export interface ObserveContext extends Purpose {
  /** An id of the caller's own choice, up to `limits.nameBytes`; must be new. Default: made by agidb. */
  readonly id?: EpisodeId
  readonly speaker?: string
  readonly session?: string
  readonly source?: string
  /** Start of valid time. Default: now. */
  readonly at?: TimeInput
  /**
   * End of valid time: from then on it is not recalled any more, unless `validAsOf` asks for a time before. After `at`.
   * Default: none.
   */
  readonly validTo?: TimeInput
  /** The statements that the text makes. An extractor adds what it finds, and replaces none of them. Default: none. */
  readonly triples?: readonly Triple[]
  /** Labels to find it by with a filter, up to 64. What stands there twice is kept once. Default: none. */
  readonly tags?: readonly string[]
  /**
   * Whatever belongs to it, as JSON of up to 16,384 bytes, nested up to 8 deep: given back unchanged, and what a filter
   * can ask for. Default: none.
   */
  readonly metadata?: JsonObject
  /** When it is to be forgotten. Default: never. */
  readonly expiresAt?: TimeInput
  /** The frame in the sensory buffer that this was perceived by; only with `observe`. Default: none. */
  readonly frame?: string
}

/** One item of `observeMany`. */
export interface Observation extends ObserveContext {
  readonly text: string
}

/** What `update` changes: a field that is absent or `undefined` stays as it is, `null` takes it away. */
export interface EpisodePatch {
  readonly text?: string
  readonly speaker?: string | null
  readonly session?: string | null
  readonly source?: string | null
  readonly at?: TimeInput
  readonly validTo?: TimeInput | null
  readonly triples?: readonly Triple[] | null
  readonly tags?: readonly string[] | null
  /** Replaces all of it. */
  readonly metadata?: JsonObject | null
  readonly expiresAt?: TimeInput | null
}

/** Options of `update`. */
export interface UpdateOptions {
  /**
   * Whether what it said before is kept as a version, which `history` shows. `false` also takes the versions away that
   * were kept before. Default true.
   */
  readonly keep?: boolean
}

/** What an episode said in a stretch of transaction time. */
export interface EpisodeVersion {
  /** Counts from 1. */
  readonly version: number
  /** Transaction time: since when it said this (ISO 8601, UTC). */
  readonly from: string
  /** Transaction time: when it was updated (ISO 8601, UTC). Absent: it says this now. */
  readonly to?: string
  /** The episode as it was then. */
  readonly episode: Episode
}

/** Options of `observeMany`. */
export interface ObserveManyOptions {
  /** Called after each durable batch. */
  readonly onProgress?: (progress: Progress) => void
  /** Stops before the next batch; batches that were acknowledged stay. */
  readonly signal?: AbortSignal
}
