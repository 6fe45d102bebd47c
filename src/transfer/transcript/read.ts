import { checkKeys } from '../../api/check.js'
import { AgidbError } from '../../base/errors.js'
import type { Observation } from '../../api/episode.js'
import { chatgpt } from './chatgpt.js'
import { textChunks, type TranscriptInput } from './chunks.js'
import { claude } from './claude.js'
import { detectFormat } from './detect.js'
import { FORMATS, type TranscriptFormat } from './format.js'
import { jsonLines } from './json-lines.js'
import { letta } from './letta.js'
import { mem0 } from './mem0.js'
import { observationsOf } from './observations.js'
import { plain } from './plain.js'
import { Reading, type Message, type TranscriptReport } from './reading.js'
import { TimeZone } from './time.js'
import { whatsapp } from './whatsapp.js'
import { zep } from './zep.js'

/** Options of {@link readTranscript}. */
export interface TranscriptOptions {
  /** Default `auto`: by content. */
  readonly format?: TranscriptFormat | 'auto'
  /**
   * What to call the transcript in messages, and the source and session of observations that name none: a file name.
   */
  readonly name?: string
  /** The source of all observations. Default: what the transcript says, else `name`. */
  readonly source?: string
  /**
   * The session of all observations. Default: what the transcript says, else `name`; memories of a session are
   * neighbours.
   */
  readonly session?: string
  /**
   * The zone of times that are written without one: `UTC`, an offset (`+05:30`) or an IANA name (`Asia/Kolkata`).
   * Default `UTC`.
   */
  readonly timeZone?: string
  /** Leave lines out that cannot be read and count them in the report, instead of throwing. Default false. */
  readonly skipBad?: boolean
}

const KEYS = ['format', 'name', 'source', 'session', 'timeZone', 'skipBad']

/** A transcript that is being read. It can be iterated over once. */
export interface Transcript extends AsyncIterable<Observation> {
  /** What has been read so far, and what was left out; complete when the iteration has ended. */
  readonly report: TranscriptReport
}

const READERS: Record<TranscriptFormat, (chunks: AsyncIterable<string>, reading: Reading) => AsyncIterable<Message>> = {
  jsonl: jsonLines,
  plain,
  whatsapp,
  chatgpt,
  claude,
  mem0,
  zep,
  letta,
}

/** Characters of the beginning by which the format is told. */
const BEGINNING = 65_536

/**
 * Reads a transcript into observations, in its order and while it arrives: of lines one is held at a time, of formats
 * in JSON one object of the outermost list. The observations have ids that depend on their content, so what is already
 * in a database can be told from what is new. Messages without text, and what a program wrote itself, are left out and
 * counted; texts over 65,536 bytes become several observations.
 *
 * @throws AgidbError while it is iterated over: `AGIDB_TRANSCRIPT` with `details` `{ line, excerpt, format }` at the
 * first line that cannot be read, after everything before it was handed out (not with `skipBad`), or when the format
 * cannot be told. At once: `AGIDB_INVALID_ARGUMENT` for an unknown format or time zone, `AGIDB_UNKNOWN_OPTION`.
 */
export function readTranscript(input: TranscriptInput, options: TranscriptOptions = {}): Transcript {
  checkKeys('readTranscript', options, KEYS)
  const format = options.format ?? 'auto'
  if (format !== 'auto' && !Object.hasOwn(FORMATS, format)) {
    const known = ['auto', ...Object.keys(FORMATS)].join(', ')
    throw new AgidbError('AGIDB_INVALID_ARGUMENT', `format is ${JSON.stringify(format)}: it takes ${known}`, { format })
  }
  const reading = new Reading(options.name, zoneOf(options.timeZone ?? 'UTC'), options.skipBad ?? false)
  const observations = observationsOf(messages(input, format, reading), reading, options)
  return { report: reading.report, [Symbol.asyncIterator]: () => observations }
}

async function* messages(
  input: TranscriptInput,
  format: TranscriptFormat | 'auto',
  reading: Reading,
): AsyncGenerator<Message> {
  const chunks = textChunks(input)
  let beginning = ''
  try {
    while (beginning.length < BEGINNING) {
      const { done, value } = await chunks.next()
      if (done) break
      beginning += value
    }
    if (/^[\ufeff\s]*$/u.test(beginning) && beginning.length < BEGINNING) return
    const told = format === 'auto' ? detectFormat(beginning) : format
    if (told === undefined) {
      const known = Object.values(FORMATS)
        .map(({ title, example }) => `${title} (${example})`)
        .join(', ')
      throw reading.error(
        firstLine(beginning),
        beginning.trimStart(),
        `and what follows are no transcript that is known here: ${known}`,
      )
    }
    reading.report.format = told
    yield* READERS[told](rejoined(beginning, chunks), reading)
  } finally {
    await chunks.return(undefined)
  }
}

async function* rejoined(beginning: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield beginning
  yield* rest
}

function firstLine(text: string): number {
  return /^\s*/.exec(text)?.[0].split('\n').length ?? 1
}

function zoneOf(name: string): TimeZone {
  try {
    return new TimeZone(name)
  } catch (cause) {
    const message =
      `timeZone is ${JSON.stringify(name)}: it takes UTC, an offset such as +05:30, or a name such as ` + 'Asia/Kolkata'
    throw new AgidbError('AGIDB_INVALID_ARGUMENT', message, { timeZone: name }, { cause })
  }
}
