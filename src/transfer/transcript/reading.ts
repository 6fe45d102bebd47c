import { AgidbError } from '../../base/errors.js'
import type { Triple } from '../../api/episode.js'
import type { JsonObject } from '../../api/json.js'
import { FORMATS, type TranscriptFormat } from './format.js'
import type { TimeZone } from './time.js'

/** One message as a format's reader finds it. */
export interface Message {
  /** The line that it starts on, from 1. */
  readonly line: number
  readonly text: string
  readonly speaker?: string
  readonly session?: string
  readonly source?: string
  /** ISO 8601, UTC. */
  readonly at?: string
  readonly validTo?: string
  /** The message's own id. Default: made from what it says. */
  readonly id?: string
  readonly triples?: readonly Triple[]
  readonly tags?: readonly string[]
  readonly metadata?: JsonObject
  /** ISO 8601, UTC. */
  readonly expiresAt?: string
}

/** What has been read of a transcript so far, and what was left out. */
export interface TranscriptReport {
  /** The format that it is in; `undefined` until its beginning was read, and for an empty file. */
  readonly format: TranscriptFormat | undefined
  /** Observations handed out. */
  readonly observations: number
  /** Messages without text, left out. */
  readonly empty: number
  /** What the chat program wrote itself (notices, omitted media, tool output), left out. */
  readonly system: number
  /** Observations in which lone surrogates were replaced by U+FFFD. */
  readonly repaired: number
  /** Messages over the length limit that became several observations. */
  readonly split: number
  /** Lines that could not be read, left out (only with `skipBad`). */
  readonly bad: number
  /** The first ten of them. */
  readonly firstBad: readonly AgidbError[]
}

/** The state that the steps of one reading share. */
export class Reading {
  readonly report: { -readonly [K in keyof TranscriptReport]: TranscriptReport[K] }
  readonly #firstBad: AgidbError[] = []

  constructor(
    readonly name: string | undefined,
    readonly zone: TimeZone,
    readonly skipBad: boolean,
  ) {
    const firstBad = this.#firstBad
    this.report = { format: undefined, observations: 0, empty: 0, system: 0, repaired: 0, split: 0, bad: 0, firstBad }
  }

  /**
   * Says that a line cannot be read: `fault` continues the sentence "line 7 …". Throws `AGIDB_TRANSCRIPT`, or counts
   * the line when bad lines are skipped.
   */
  bad(line: number, text: string, fault: string): void {
    const error = this.error(line, text, fault)
    if (!this.skipBad) throw error
    this.report.bad++
    if (this.#firstBad.length < 10) this.#firstBad.push(error)
  }

  error(line: number, text: string, fault: string): AgidbError {
    const format = this.report.format
    const where = `line ${line}${this.name === undefined ? '' : ` of ${this.name}`}`
    const right = format === undefined ? '' : `; right in ${FORMATS[format].title} would be ${FORMATS[format].example}`
    const excerpt = excerptOf(text)
    return new AgidbError('AGIDB_TRANSCRIPT', `${where} ${fault}${right}`, {
      line,
      excerpt,
      format: format ?? 'auto',
      ...(this.name === undefined ? {} : { name: this.name }),
    })
  }
}

/** The beginning of a text on one line, for an error's details. */
export function excerptOf(text: string): string {
  const short = text
    .slice(0, 120)
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/\s+/g, ' ')
    .trim()
  return text.length > 120 ? `${short}…` : short
}
