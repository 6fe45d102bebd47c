import type { EpisodeId, Provenance, TimeInput, TriplePattern } from './episode.js'

/**
 * The kind of evidence behind a match. `exact`: its statements fit the pattern, or name a concept of the cue that is rare here or comes with much of the rest;
 * `similarity`: words and structure agree well above chance; `gist`: some likeness above chance;
 * `nearest`: nothing better was there.
 */
export type Tier = 'exact' | 'similarity' | 'gist' | 'nearest'

/** Options of `recall`. Each is optional; unknown names are refused. */
export interface RecallOptions {
  /** How many matches, 1 to 1,000. Default 10. */
  readonly k?: number
  /** The weakest tier to return. Default `nearest`, with which recall never returns nothing while anything is visible. */
  readonly tierFloor?: Tier
  /** Only episodes of this session. */
  readonly session?: string
  /** Only episodes by this speaker. */
  readonly speaker?: string
  /** Only episodes from this source. */
  readonly source?: string
  /** Only what was true at this time. Default: whatever has not ceased to be true by now. */
  readonly validAsOf?: TimeInput
  /** Only what had been recorded by this time, as it was known then. Default: now. */
  readonly transactionAsOf?: TimeInput
  /** Prefer recent memories: the time in milliseconds after which the preference has halved. Default: none asked for. */
  readonly recencyWindow?: number
  /** A statement to look for beside the cue, with holes. */
  readonly structured?: TriplePattern
  /** How the pattern and the cue weigh against each other. Default `{ structured: 0.7, fuzzy: 0.3 }`. Only with `structured`. */
  readonly weights?: { readonly structured: number; readonly fuzzy: number }
  /** Report every candidate that was considered. Default false. */
  readonly traceAttention?: boolean
  /** Stops waiting for the answer. */
  readonly signal?: AbortSignal
}

/** One remembered episode that answers a cue. */
export interface Match {
  readonly id: EpisodeId
  readonly text: string
  readonly speaker?: string
  readonly session?: string
  readonly source?: string
  /** Start of valid time (ISO 8601, UTC). */
  readonly at: string
  /** How likely this is to be what was asked for, 0 to 1. */
  readonly confidence: number
  readonly tier: Tier
  /** True when nothing but the lack of anything better speaks for it. */
  readonly lowConfidence: boolean
  /** True when an active goal lifted it. */
  readonly goalBiased: boolean
  readonly provenance: Provenance
  /** What each signal contributed to the score; the contributions add up to the score by which matches are ordered. */
  readonly signals: Readonly<Record<string, number>>
}

/** One candidate of a recall, kept or not. */
export interface AttentionCandidate {
  readonly id: EpisodeId
  readonly signals: Readonly<Record<string, number>>
  readonly score: number
  readonly confidence: number
  readonly retained: boolean
  /** Why it was not kept. */
  readonly rejection?: string
}

/**
 * What became of the cue's sentence latent. `used`: memories were compared with it; `late`: it did not come within
 * `cueMs`; `none`: no memory is encoded yet; `failed`: the encoder does not work, see `stats().encoder.error`.
 */
export type SentenceUse = 'used' | 'late' | 'none' | 'failed'

/** What a recall looked at. */
export interface AttentionTrace {
  readonly cue: string
  readonly at: string
  /** Absent without a sentence encoder. */
  readonly sentence?: SentenceUse
  readonly candidates: readonly AttentionCandidate[]
}

/** The answer to a cue. */
export interface Recall {
  /** Best first. */
  readonly matches: readonly Match[]
  /** The tier of the best match; `nearest` when there is none. */
  readonly tierUsed: Tier
  readonly elapsedMs: number
  readonly attentionTrace?: AttentionTrace
}
