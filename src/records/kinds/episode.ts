import { SENSES } from '../../api/encoder.js'
import type { Episode } from '../../api/episode.js'
import { type EpisodeExtraction, type Extraction, MODALITIES, POLARITIES } from '../../api/extractor.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import { AgidbError } from '../../base/errors.js'
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.js'
import { provenanceOf } from '../provenance.js'
import { givenTriples, withFound } from '../extraction.js'
import type { RecordKind } from '../record-kind.js'
import { unitOf } from '../unit.js'
import { ENTRY } from '../entry.js'
import { json, list, maybe, name, names, object, oneOf, share, string, text, time, triple, whole } from '../shapes.js'

/** An episode as it is stored: without what can be derived from the rest. */
interface Row extends Omit<Episode, 'provenance' | 'triples' | 'extraction'> {
  /** Those that the caller gave. */
  readonly triples?: Episode['triples']
  readonly extraction?: ExtractionRow
  readonly writer: string
}

/** What an extractor found, without what is empty. */
type ExtractionRow = Pick<EpisodeExtraction, 'extractor' | 'version'> & Partial<Extraction>

const limits = FIELD_LIMITS.episode
const found = FIELD_LIMITS.extraction

const EXTRACTION = object({
  extractor: name,
  version: name,
  entities: maybe(
    list(object({ text: string('textBytes'), type: name, from: whole, to: whole, score: share }), found.entities),
  ),
  triples: maybe(
    list(
      object({
        subject: name,
        predicate: name,
        object: name,
        polarity: oneOf(...POLARITIES),
        modality: oneOf(...MODALITIES),
        validFrom: maybe(time),
        validTo: maybe(time),
        confidence: share,
        span: object({ from: whole, to: whole }),
      }),
      found.triples,
    ),
  ),
  times: maybe(
    list(object({ text: string('textBytes'), from: whole, to: whole, start: time, end: time }), found.times),
  ),
})

/** The row of an episode that comes from outside. */
const SHAPE = object({
  id: text(limits.id),
  text: text(limits.text),
  speaker: maybe(text(limits.speaker)),
  session: maybe(text(limits.session)),
  source: maybe(text(limits.source)),
  at: time,
  validTo: maybe(time),
  recordedAt: time,
  updatedAt: maybe(time),
  version: maybe(whole),
  writer: text(limits.writer),
  triples: maybe(list(triple, limits.triples)),
  extraction: maybe(EXTRACTION),
  tags: maybe(names(limits.tags)),
  metadata: maybe(json(limits.metadata)),
  senses: maybe(list(oneOf(...SENSES), limits.senses)),
  expiresAt: maybe(time),
  entry: maybe(ENTRY),
  superseded: maybe(object({ by: text(limits.id), at: time, recordedAt: time })),
})

/** Something that was observed. Its row has no tag: it is a JSON object, which begins with a brace. */
export const episodeKind: RecordKind<Episode> = {
  tag: 'text',
  name: 'episode',
  isExported: true,
  limits: { episode: limits, extraction: found, entry: FIELD_LIMITS.entry },
  encode: encodeEpisode,
  decode: decodeEpisode,
  validate(row, id, check) {
    const episode = check.json(row)
    return SHAPE(episode, check.at('episode')) && (episode as Episode).id === id ? undefined : 'is no episode'
  },
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
  return JSON.stringify(row)
}

/** @throws AgidbError `AGIDB_CORRUPT` if the bytes are no row. */
export function decodeEpisode(bytes: Uint8Array): Episode {
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
