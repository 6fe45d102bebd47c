import type { SenseName } from './encoder.js'
import type { EpisodeId } from './episode.js'
import type { RecallId, Signals } from './recall.js'

/** The parts of a question that can be left out: its words, its picture, its sound, and so on. */
export type QuestionPart = 'text' | SenseName

/** Options of `explain`. Unknown names are refused. */
export interface ExplainOptions {
  /** The part of the question that is left out. Default: none. */
  readonly without?: QuestionPart
}

/** The place of a memory in an answer. */
export interface Standing {
  /** Its place among the matches, from 1. */
  readonly rank: number
  /** The sum of its signals. */
  readonly score: number
  /** How likely it is to be what was asked for, 0 to 1. */
  readonly confidence: number
  readonly signals: Signals
}

/** A memory in the answers to the whole question and to the question without a part. */
export interface ExplainedMatch {
  readonly id: EpisodeId
  /** Its place in the answer to the whole question. Absent: it is not among the matches. */
  readonly whole?: Standing
  /** Its place in the answer without the part. Absent: it is not among the matches, or no part was left out. */
  readonly without?: Standing
}

/** What `explain` answers. */
export interface Explanation {
  readonly recall: RecallId
  /** The part that was left out. */
  readonly without?: QuestionPart
  /** The matches of the whole question, best first; then those that only the question without the part has. */
  readonly matches: readonly ExplainedMatch[]
}
