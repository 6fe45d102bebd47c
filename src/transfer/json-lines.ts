import type { Limits } from '../api/open-options.js'
import type { Episode, Observation } from '../api/episode.js'
import { AgidbError } from '../base/errors.js'
import { withoutExtraction } from '../records/extraction.js'
import { checkObservation, PATCH_KEYS } from '../records/observation.js'
import { parsePlain } from '../base/plain-json.js'

/** What of a line is read; the rest says more to people and other programs. */
const READ = ['id', ...PATCH_KEYS]
/** Bytes of one line, at most. */
const MOST_LINE = 1 << 24
const NEWLINE = 10

/** Each episode as a JSON object on a line of its own. */
export async function* toJsonLines(episodes: AsyncIterable<Episode>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const stored of episodes) {
    // What was extracted is made again where the lines are imported.
    const { triples, provenance, ...episode } = withoutExtraction(stored)
    yield encoder.encode(
      `${JSON.stringify({ ...episode, ...(triples.length > 0 && { triples }), writer: provenance.writer })}\n`,
    )
  }
}

/** @throws AgidbError `AGIDB_TRANSCRIPT` naming the line, with what is wrong with it. */
export async function* fromJsonLines(bytes: AsyncIterable<Uint8Array>, limits: Limits): AsyncGenerator<Observation> {
  let number = 0
  for await (const line of lines(bytes)) {
    number++
    if (line.trim() === '') continue
    try {
      yield observationOf(line, number, limits)
    } catch (cause) {
      if (!(cause instanceof AgidbError)) throw cause
      throw new AgidbError(
        'AGIDB_TRANSCRIPT',
        `line ${number}: ${cause.message}; nothing was imported`,
        { line: number, ...cause.details },
        { cause },
      )
    }
  }
}

function observationOf(line: string, number: number, limits: Limits): Observation {
  const value = parsePlain(line, `line ${number}`)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AgidbError('AGIDB_CORRUPT', 'it is no JSON object')
  const members = value as Record<string, unknown>
  const item = Object.fromEntries(
    READ.flatMap((name) => (Object.hasOwn(members, name) && members[name] !== null ? [[name, members[name]]] : [])),
  )
  checkObservation('', item as unknown as Observation, limits)
  return item as unknown as Observation
}

async function* lines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (pieces: readonly Uint8Array[]): string => {
    try {
      return pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode()
    } catch (cause) {
      throw new AgidbError('AGIDB_TRANSCRIPT', 'the file is no UTF-8; nothing was imported', {}, { cause })
    }
  }
  let open: Uint8Array[] = []
  let length = 0
  for await (const piece of bytes) {
    let start = 0
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, start)) {
      checkLength(length + end - start)
      yield decode([...open, piece.subarray(start, end)])
      open = []
      length = 0
      start = end + 1
    }
    open.push(piece.slice(start))
    length += piece.length - start
    checkLength(length)
  }
  if (length > 0) yield decode(open)
}

function checkLength(bytes: number): void {
  if (bytes > MOST_LINE)
    throw new AgidbError('AGIDB_TOO_LARGE', `a line has more than ${MOST_LINE} bytes; nothing was imported`, {
      limit: MOST_LINE,
    })
}
