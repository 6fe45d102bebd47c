import type { Episode } from '../api/episode.js'
import { AgidbError } from '../base/errors.js'
import { provenanceOf } from './provenance.js'
import { decodeUtf8, encodeUtf8 } from '../base/utf8.js'

/** An episode as it is stored: what can be derived from the rest is left out. */
interface Row extends Omit<Episode, 'provenance' | 'triples'> {
  readonly triples?: Episode['triples']
  readonly writer: string
}

const FIRST_PRINTABLE = 32

/** Whether a row is that of an episode: rows of other floors begin with a tag under 32. */
export function isEpisode(row: Uint8Array): boolean {
  return !(row[0] < FIRST_PRINTABLE)
}

/** The row of an episode: JSON in UTF-8. */
export function encodeRow(episode: Episode): Uint8Array {
  return encodeUtf8(jsonOf(episode))
}

/** {@link encodeRow} of each of some episodes, as views of one array: quicker than one by one. */
export function encodeRows(episodes: readonly Episode[]): Uint8Array[] {
  const rows = episodes.map(jsonOf)
  const together = rows.join('')
  const bytes = encodeUtf8(together)
  // In ASCII alone a unit is a byte.
  if (bytes.length > together.length) return rows.map((row) => encodeUtf8(row))
  let end = 0
  return rows.map(({ length }) => bytes.subarray(end, (end += length)))
}

function jsonOf({
  id,
  text,
  speaker,
  session,
  source,
  at,
  validTo,
  recordedAt,
  superseded,
  triples,
  provenance,
}: Episode): string {
  // Field by field: to spread the rest of them takes several times as long. What is undefined is left out.
  const row: Row = {
    id,
    text,
    speaker,
    session,
    source,
    at,
    validTo,
    recordedAt,
    superseded,
    triples: triples.length > 0 ? triples : undefined,
    writer: provenance.writer,
  }
  return JSON.stringify(row)
}

/** @throws AgidbError `AGIDB_CORRUPT` if the bytes are no row. */
export function decodeRow(bytes: Uint8Array): Episode {
  let row: Row
  try {
    row = JSON.parse(decodeUtf8(bytes)) as Row
  } catch (cause) {
    throw new AgidbError(
      'AGIDB_CORRUPT',
      'a stored episode is not valid JSON in UTF-8',
      { bytes: bytes.length },
      { cause },
    )
  }
  const { writer, triples = [], ...rest } = row
  return {
    ...rest,
    triples,
    provenance: provenanceOf(row, writer),
  }
}
