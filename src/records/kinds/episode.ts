import type { Episode } from '../../api/episode.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import { AgidbError } from '../../base/errors.js'
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.js'
import { provenanceOf } from '../provenance.js'
import type { RecordKind } from '../record-kind.js'
import { unitOf } from '../unit.js'
import { json, list, maybe, names, object, text, time, triple, whole } from '../shapes.js'

/** An episode as it is stored: without what can be derived from the rest. */
interface Row extends Omit<Episode, 'provenance' | 'triples'> {
  readonly triples?: Episode['triples']
  readonly writer: string
}

const limits = FIELD_LIMITS.episode

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
  tags: maybe(names(limits.tags)),
  metadata: maybe(json(limits.metadata)),
  expiresAt: maybe(time),
  superseded: maybe(object({ by: text(limits.id), at: time, recordedAt: time })),
})

/** Something that was observed. Its row has no tag: it is a JSON object, which begins with a brace. */
export const episodeKind: RecordKind<Episode> = {
  tag: 'text',
  name: 'episode',
  isExported: true,
  limits: { episode: limits },
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
  tags,
  metadata,
  expiresAt,
  provenance,
}: Episode): string {
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
    triples: triples.length > 0 ? triples : undefined,
    tags,
    metadata,
    expiresAt,
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
  const { writer, triples = [], ...rest } = row
  return {
    ...rest,
    triples,
    provenance: provenanceOf(row, writer),
  }
}
