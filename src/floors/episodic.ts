import type { Episode } from '../core/episode.js'
import { AgidbError } from '../core/errors.js'
import { provenanceOf } from '../core/provenance.js'

/** An episode as it is stored: what can be derived from the rest is left out. */
interface Row extends Omit<Episode, 'provenance' | 'triples'> {
  readonly triples?: Episode['triples']
  readonly writer: string
}

const FIRST_PRINTABLE = 32

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

/** Whether a row is that of an episode: rows of other floors begin with a tag under 32. */
export function isEpisode(row: Uint8Array): boolean {
  return !(row[0] < FIRST_PRINTABLE)
}

/** The row of an episode: JSON in UTF-8. */
export function encodeRow(episode: Episode): Uint8Array {
  const { provenance, triples, ...rest } = episode
  const row: Row = { ...rest, ...(triples.length > 0 && { triples }), writer: provenance.writer }
  return encoder.encode(JSON.stringify(row))
}

/** @throws AgidbError `AGIDB_CORRUPT` if the bytes are no row. */
export function decodeRow(bytes: Uint8Array): Episode {
  let row: Row
  try {
    row = JSON.parse(decoder.decode(bytes)) as Row
  } catch (cause) {
    throw new AgidbError('AGIDB_CORRUPT', 'a stored episode is not valid JSON in UTF-8', { bytes: bytes.length }, { cause })
  }
  const { writer, triples = [], ...rest } = row
  return {
    ...rest,
    triples,
    provenance: provenanceOf(row, writer),
  }
}
