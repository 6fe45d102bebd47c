import { isSense, type SenseName } from '../../api/encoder.js'
import type { Episode } from '../../api/episode.js'
import type { EpisodeExtraction, Extraction } from '../../api/extractor.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import { AgidbError } from '../../base/errors.js'
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.js'
import { provenanceOf } from '../provenance.js'
import { givenTriples, withFound } from '../extraction.js'
import type { RecordKind } from '../record-kind.js'
import { unitOf } from '../unit.js'

/** An episode as it is stored: without what can be derived from the rest. */
interface Row extends Omit<Episode, 'provenance' | 'triples' | 'extraction'> {
  /** Those that the caller gave. */
  readonly triples?: Episode['triples']
  readonly extraction?: ExtractionRow
  readonly writer: string
}

/** What an extractor found, without what is empty. */
type ExtractionRow = Pick<EpisodeExtraction, 'extractor' | 'version'> & Partial<Extraction>

/** Of episodes with modalities of the application's own: versions that know none refuse such rows. */
const WITH_OWN = 11

/**
 * Something that was observed. Its row has no tag: it is a JSON object, which begins with a brace. That of an episode
 * with modalities of the application's own has a tag before it.
 */
export const episodeKind: RecordKind<Episode> = {
  tag: 'text',
  laterTags: [WITH_OWN],
  name: 'episode',
  isExported: true,
  limits: { episode: FIELD_LIMITS.episode, extraction: FIELD_LIMITS.extraction, entry: FIELD_LIMITS.entry },
  encode: encodeEpisode,
  decode: decodeEpisode,
  subjects: ({ id }) => [id],
  units: (episode) => [unitOf(episode)],
  references: ({ superseded }) => (superseded === undefined ? [] : [superseded.by]),
}

/** The row of an episode: JSON in UTF-8. */
export function encodeEpisode(episode: Episode): Uint8Array {
  return encodeUtf8(jsonOf(episode))
}

/** The rows of several episodes, as views of one array: quicker than {@link encodeEpisode} of each. */
export function encodeEpisodes(episodes: readonly Episode[]): Uint8Array[] {
  const rows = episodes.map(jsonOf)
  const together = rows.join('')
  const bytes = encodeUtf8(together)
  // Only where all of it is ASCII do lengths in characters and in bytes agree.
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
  updatedAt,
  version,
  superseded,
  triples,
  extraction,
  tags,
  metadata,
  senses,
  expiresAt,
  entry,
  provenance,
}: Episode): string {
  const given = givenTriples({ triples, extraction })
  // Field by field, since spreading the rest takes several times as long. JSON leaves out what is undefined.
  const row: Row = {
    id,
    text,
    speaker,
    session,
    source,
    at,
    validTo,
    recordedAt,
    updatedAt,
    version,
    superseded,
    triples: given.length > 0 ? given : undefined,
    extraction: extraction && rowOf(extraction),
    tags,
    metadata,
    senses,
    expiresAt,
    entry,
    writer: provenance.writer,
  }
  const written = JSON.stringify(row)
  return hasOwn(senses) ? String.fromCharCode(WITH_OWN) + written : written
}

/** Whether some senses are the application's own. */
export function hasOwn(senses: readonly SenseName[] = []): boolean {
  return !senses.every(isSense)
}

/** Whether a row has a tag before its JSON. */
export function hasTag(row: Uint8Array): boolean {
  return row[0] === WITH_OWN
}

/** The JSON of a row. */
export function jsonIn(row: Uint8Array): Uint8Array {
  return row.subarray(Number(hasTag(row)))
}

/** @throws AgidbError `AGIDB_CORRUPT` if the bytes are no row. */
export function decodeEpisode(bytes: Uint8Array): Episode {
  let row: Row
  try {
    row = JSON.parse(decodeUtf8(jsonIn(bytes))) as Row
  } catch (cause) {
    throw new AgidbError(
      'AGIDB_CORRUPT',
      'a stored episode is not valid JSON in UTF-8',
      { bytes: bytes.length },
      { cause },
    )
  }
  const { writer, triples = [], extraction, ...rest } = row
  const provenance = provenanceOf(row, writer)
  if (extraction === undefined) return { ...rest, triples, provenance }
  const { extractor, version, entities = [], triples: stated = [], times = [] } = extraction
  return {
    ...rest,
    triples: withFound(triples, stated),
    extraction: { extractor, version, given: triples.length, entities, triples: stated, times },
    provenance,
  }
}

function rowOf({ extractor, version, entities, triples, times }: EpisodeExtraction): ExtractionRow {
  return {
    extractor,
    version,
    ...(entities.length > 0 && { entities }),
    ...(triples.length > 0 && { triples }),
    ...(times.length > 0 && { times }),
  }
}
