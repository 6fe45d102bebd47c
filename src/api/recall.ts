import type { SemanticAtom } from './atom.js'
import type { Belief, BeliefId } from './belief.js'
import type { AudioInput, ImageInput, Latents, OwnInputs, SenseName, VideoInput } from './encoder.js'
import type { Entity } from './extractor.js'
import type { JsonObject } from './json.js'
import type { EpisodeId, Provenance, TimeInput, TimeRange, Triple, TriplePattern } from './episode.js'
import type { Polarity } from './extractor.js'
import type { Filter } from './filter.js'
import type { MatchedEntry } from './entry-facet.js'
import type { Goal } from './goal.js'
import type { ErrorCode } from '../base/errors.js'
import type { GraphWeights, WhyStep } from './graph.js'
import type { Procedure } from './procedure.js'
import type { Progress } from '../base/progress.js'
import type { Purpose } from './purpose.js'

/**
 * The kind of evidence behind a match. `exact`: its statements fit the pattern, or name a concept of the cue that is
 * rare here or comes with much of the rest; `similarity`: words and structure agree well above chance; `gist`: some
 * likeness above chance; `nearest`: nothing better was there.
 */
export type Tier = 'exact' | 'similarity' | 'gist' | 'nearest'

/** Options of `recall`. Each is optional; unknown names are refused. */
export interface RecallOptions {
  /** How many matches, 1 to 1,000. Default 10. */
  readonly k?: number
  /**
   * The weakest tier to return. Default `nearest`, with which recall never returns nothing while anything is visible.
   */
  readonly tierFloor?: Tier
  /** Only episodes of this session, or of one of these. */
  readonly session?: string | readonly string[]
  /** Only episodes by this speaker, or by one of these. */
  readonly speaker?: string | readonly string[]
  /** Only episodes from this source, or from one of these. */
  readonly source?: string | readonly string[]
  /**
   * Only episodes that pass this filter. What words tell is still worked out from the whole memory, and so are beliefs,
   * atoms and goals; turns around a match are those of its session. Default: all.
   */
  readonly filter?: Filter
  /**
   * Whether entries of documents of every visibility are found, too, and those that ended. Default false: those that a
   * standard search shows.
   */
  readonly deep?: boolean
  /** Only what began in this stretch of valid time, by its `at`. Default: whenever it began. */
  readonly at?: TimeRange
  /** Only what was true at this time. Default: whatever has not ceased to be true by now. */
  readonly validAsOf?: TimeInput
  /** Only what had been recorded by this time, as it was known then. Default: now. */
  readonly transactionAsOf?: TimeInput
  /**
   * Prefer recent memories: the time in milliseconds after which the preference has halved. Default: none asked for.
   */
  readonly recencyWindow?: number
  /** A statement to look for, with holes: beside the cue, or alone, where the cue is empty or `undefined`. */
  readonly structured?: TriplePattern
  /**
   * How the pattern and the cue weigh against each other. Each 0 to 1, not both 0. Default `{ structured: 0.7, fuzzy:
   * 0.3 }`. Only with `structured` and a cue. They order the matches; the confidence of a match changes with them only
   * where one has less than a quarter of both.
   */
  readonly weights?: { readonly structured: number; readonly fuzzy: number }
  /** Only matches of at least this confidence, 0 to 1. Default 0: all. */
  readonly minConfidence?: number
  /** Fold near-duplicates into the best of them, so that each of the k says something else. Default true. */
  readonly fold?: boolean
  /** How many turns before and after a match in its session to give with it, 0 to 10. Default 0. */
  readonly context?: number
  /**
   * Pack what was found for a prompt into about so many tokens, 1 to 1,000,000, see {@link Prompt}. Default: no prompt.
   */
  readonly budgetTokens?: number
  /**
   * The goals of the asker, in words, at most 16: a match that is like one of them gets a higher score. Default: the
   * active goals.
   */
  readonly goals?: readonly string[]
  /** What a goal adds to the score of a memory about it, 0 to 1; less if the likeness is weak. Default 0.3. */
  readonly goalBias?: number
  /**
   * The speaker who asks: "I", "me" and "my" in the cue mean this speaker. Default: a speaker called user, human or me.
   * "You" means a speaker called assistant, ai or bot. Case does not matter. Without such a speaker these words name no
   * speaker.
   */
  readonly asker?: string
  /** Report every candidate that was considered, now and by {@link Recall.id} later. Default false. */
  readonly traceAttention?: boolean
  /**
   * Wait until all signatures are loaded and the codebook is there or cannot be had: see {@link Recall.loading} and
   * {@link Recall.codebookPending}. Default false: answer with what is there.
   */
  readonly whole?: boolean
  /**
   * A picture, to find memories with pictures like it; also without a cue. With a cue both count.
   */
  readonly image?: ImageInput
  /** A sound, as `image`. */
  readonly audio?: AudioInput
  /** A video, as `image`. */
  readonly video?: VideoInput
  /** Inputs of the application's own modalities, as `image`: `own: { touch }` with `open({ encoders: { touch } })`. */
  readonly own?: OwnInputs
  /** Latents that encoders of the memory made before, in the place of what they were made of. */
  readonly latents?: Latents
  /**
   * What the words of the cue are looked for in: a sense, such as `image`, finds pictures by what they show, with an
   * encoder that has {@link Encoder.encodeText}, as `dualEncoder` of `agidb/onnx` makes; texts do not count then. The
   * cue must be given, and no input of that sense. Default `text`.
   */
  readonly modality?: 'text' | SenseName
  /** What the graphs count; `false` leaves them out. Default: see {@link GraphWeights}. */
  readonly graph?: false | GraphWeights
  /**
   * Whether the memory learns that the matches were recalled together, where it learns from recalls. Default true;
   * `live` asks with false.
   */
  readonly learn?: boolean
  /** Stops waiting for the answer. */
  readonly signal?: AbortSignal
}

/** The id of a recall: `rc_` and 26 characters. */
export type RecallId = string

/** What was said next to a match. */
export interface Turn {
  readonly id: EpisodeId
  readonly speaker?: string
  readonly text: string
  /** Start of valid time (ISO 8601, UTC). */
  readonly at: string
}

/**
 * The turns around a match in its session, of those that could be seen at the times asked about; in the order in which
 * they were observed.
 */
export interface Context {
  readonly before: readonly Turn[]
  readonly after: readonly Turn[]
}

/** What can speak for a match; docs/rankers.md explains each. */
export type Signal =
  | 'words'
  | 'text'
  | 'meaning'
  | 'sentence'
  | 'image'
  | 'audio'
  | 'video' // what was perceived beside the text
  | 'order' // the cue against the memory itself
  | 'before'
  | 'after'
  | 'near'
  | 'session' // against what was said next to it
  | 'speaker'
  | 'concepts'
  | 'structured'
  | 'time'
  | 'asked'
  | 'kind' // names, statements, times, the kind of question
  | 'graph' // what leads to it from the other memories that rank high
  | 'sequence' // what lies where the cue asks in the order of time
  | 'several' // the best of its session, where several things are asked for
  | 'rests'
  | 'goal' // beliefs, atoms and goals that lead to it
  | 'recency'
  | 'newness'
  | 'length'
  | 'feedback'
  | 'fusion'
  | 'prior'

/**
 * What each signal contributed to a score. That of a modality of the application's own is `own.` and its name, such as
 * `own.touch`.
 */
export type Signals = Readonly<Partial<Record<Signal, number>>> & Readonly<Record<`own.${string}`, number>>

/** The statement by which a match fits the pattern of `neurosymbolicQuery`. */
export interface MatchedStatement extends Triple {
  readonly polarity: Polarity
}

/** A statement that replaces another of a relation with one object at a time, or is replaced by one. */
export interface ReplacingStatement {
  /** The newest episode that states it. */
  readonly id: EpisodeId
  /** What it says, in words. */
  readonly statement: string
}

/** One remembered episode that answers a cue. `goal` and `beliefs` are those that the memory still has. */
export interface Match extends Purpose {
  readonly id: EpisodeId
  readonly text: string
  readonly speaker?: string
  readonly session?: string
  readonly source?: string
  /** Start of valid time (ISO 8601, UTC). */
  readonly at: string
  /** What its text names, as an extractor found it. Absent: nothing, or no extractor has read it. */
  readonly entities?: readonly Entity[]
  /** Where it stands in a document. Absent: it is no entry. */
  readonly entry?: MatchedEntry
  /** As given to `observe`. */
  readonly tags?: readonly string[]
  readonly metadata?: JsonObject
  /** What was perceived with it beside its text. Absent: nothing. */
  readonly senses?: readonly SenseName[]
  readonly expiresAt?: string
  /** How likely this is to be what was asked for, 0 to 1. */
  readonly confidence: number
  readonly tier: Tier
  /**
   * True when the match is here only because nothing better was found. True for all matches when no memory seems to
   * answer the cue.
   */
  readonly lowConfidence: boolean
  /** True when a goal raised its score: it is like the goal, or was observed for it. */
  readonly goalBiased: boolean
  /**
   * Near-duplicates that this match stands for, best first. They have the same words, apart from case, punctuation,
   * articles and interjections, from any speaker, and no statement that this match lacks. They are searched for among
   * the memories that rank about as high, not in the whole memory.
   */
  readonly folded: readonly EpisodeId[]
  /** The first of its statements that fits the pattern of `neurosymbolicQuery`. */
  readonly statement?: MatchedStatement
  /**
   * The newer statement that replaces one of this episode's: where a relation has one object at a time ("lives in"),
   * the newest statement counts. If the newer episode is among the matches, it comes before this one. Absent: no
   * statement was replaced.
   */
  readonly replacedBy?: ReplacingStatement
  /** The older statements that this episode's replace, whether or not their episodes are among the matches. */
  readonly replaces?: readonly ReplacingStatement[]
  /** Present when `context` asked for it. */
  readonly context?: Context
  readonly provenance: Provenance
  /** The path by which a graph led to it; absent where none did. */
  readonly why?: readonly WhyStep[]
  /** What each signal contributed to the score, which is their sum. An absent signal contributed nothing. */
  readonly signals: Signals
}

/** One candidate of a recall, kept or not. */
export interface AttentionCandidate {
  readonly id: EpisodeId
  readonly signals: Signals
  /** What the signals add up to; by the unlearned fusion for what did not come as far as the learned ranker. */
  readonly score: number
  /** Of what was not kept, as if it stood at its place; nothing was read of most of it, so its tier is not known. */
  readonly confidence: number
  /** Whether it is a match. */
  readonly retained: boolean
  /**
   * Why it is none: `below the best 10`, `tier gist is under the floor exact`, `near-duplicate of a better match`, `not
   * among the shortlist`, `its confidence is under the minimum 0.5`.
   */
  readonly rejection?: string
  /** The match that it is a near-duplicate of, while that one is remembered. */
  readonly foldedInto?: EpisodeId
}

/**
 * Whether the cue's sentence latent was used. `used`: memories were compared with it. `late`: the encoder did not
 * answer within `cueMs`. `none`: no memory is encoded yet. `failed`: the encoder does not work, see
 * `stats().encoder.error`.
 */
export type SentenceUse = 'used' | 'late' | 'none' | 'failed'

/** The time that a cue asks about; a side that is absent is open. */
export interface AskedPeriod {
  /** ISO 8601, UTC. */
  readonly from?: string
  /** ISO 8601, UTC; no longer part of it. */
  readonly to?: string
  /** Whether only what was said then was considered, newest first: the cue asks for nothing but the time. */
  readonly only: boolean
  /** The episode that tells of the event by which the cue names the time: "two days after launch". */
  readonly event?: EpisodeId
}

/**
 * How a kind of signatures was scanned, in a memory that is too large to ask at all dimensions: what was found is
 * scored exactly, but something may have been missed.
 */
export interface ScanTrace {
  readonly signatures: 'text' | 'latent' | 'sentence'
  /** At how many of the 8,192 dimensions it was asked: the heaviest of the cue. */
  readonly dimensions: number
  /** Which share of the ten best by all dimensions was found; worked out for this trace by an exact scan. */
  readonly recall: number
}

/** How a recall came to its matches: what was asked, how signatures were searched, and all candidates. */
export interface AttentionTrace {
  readonly cue: string
  readonly at: string
  /** Absent without a sentence encoder. */
  readonly sentence?: SentenceUse
  /** Absent when the cue names no time, or one that the memory cannot place. */
  readonly time?: AskedPeriod
  /** Absent when all signatures were asked at all dimensions. */
  readonly scans?: readonly ScanTrace[]
  readonly candidates: readonly AttentionCandidate[]
}

/**
 * What was found, as text for a prompt, numbered lines, the likeliest first: matches (`[1] 2026-05-01 Sarah: text`,
 * with their context turns around them when asked for, indented), beliefs (`[2] belief (0.90): claim`), semantic atoms
 * (`[3] known (0.86): statement`) and active goals (`[4] goal: description`) that bear on the cue. Matches that only
 * ask something come after all others. What does not fit is passed over for what does; a match goes without its context
 * where only that fits. Nothing stands in it twice.
 */
export interface Prompt {
  readonly text: string
  /**
   * An estimate on the safe side, since every model counts differently, the same everywhere: of each line a third of a
   * token for a small Latin letter or a space, four fifths for any other ASCII character, half for a UTF-8 byte of any
   * other; rounded up.
   */
  readonly tokens: number
  /** Whose lines the text has, in its order: line `[n]` is of `ids[n - 1]`, an episode, a belief, an atom or a goal. */
  readonly ids: readonly string[]
}

/** A semantic atom that bears on a cue. */
export interface FoundAtom extends SemanticAtom {
  /** How likely this is to be what was asked for, 0 to 1; `confidence` says how likely it is to be true. */
  readonly relevance: number
}

/** A belief that bears on a cue. */
export interface RecalledBelief extends Belief {
  readonly relevance: number
  /** The belief by way of which the cue leads to this one, where it does not bear on the cue itself: docs/floors.md. */
  readonly through?: BeliefId
}

/** An active goal that bears on a cue. */
export interface RecalledGoal extends Goal {
  readonly relevance: number
}

/** A procedure that bears on a cue. */
export interface RecalledProcedure extends Procedure {
  readonly relevance: number
}

/** The answer to a cue. */
export interface Recall {
  /** By which `attentionTrace` finds what was considered. */
  readonly id: RecallId
  /** Best first. */
  readonly matches: readonly Match[]
  /**
   * What episodes say alike, what is believed, what is wanted, and how to do things, as far as it bears on the cue; at
   * most 10 each, best first.
   */
  readonly semanticAtoms: readonly FoundAtom[]
  readonly beliefs: readonly RecalledBelief[]
  readonly activeGoals: readonly RecalledGoal[]
  /** Procedures as they were at the times asked about, without those that were retired by then. */
  readonly procedures: readonly RecalledProcedure[]
  /** The tier of the best match; `nearest` when there is none. */
  readonly tierUsed: Tier
  readonly elapsedMs: number
  /**
   * Present while the signatures of older memories are still being loaded, for some seconds after a large memory was
   * opened: how many are loaded. Other memories are found by their words, names and times, but not by meaning alone.
   */
  readonly loading?: Progress
  /** Present while the semantic codebook is on its way: this answer was made without it, by words, names and times. */
  readonly codebookPending?: true
  /** Present when graphs failed, each once: only what they would have added to the answer is missing. */
  readonly graphErrors?: readonly GraphFailure[]
  /** Present when `budgetTokens` asked for it. */
  readonly prompt?: Prompt
  readonly attentionTrace?: AttentionTrace
}

/** A graph that failed during a recall. */
export interface GraphFailure {
  /** One of the codes that begin with `AGIDB_GRAPH_`. */
  readonly code: ErrorCode
  readonly message: string
  /** The number of the failure: `SPE-310-006` and following. */
  readonly spe: string
}

/** The answer to a cue that asked for a prompt, by `budgetTokens`. */
export interface RecallWithPrompt extends Recall {
  readonly prompt: Prompt
}
