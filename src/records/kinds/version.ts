import type { Episode, EpisodeId } from '../../api/episode.js'
import { AgidbError } from '../../base/errors.js'
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.js'
import type { RecordKind } from '../record-kind.js'
import { unitOf } from '../unit.js'
import { name, object, time, whole } from '../shapes.js'
import { decodeEpisode, encodeEpisode, episodeKind } from './episode.js'

/** What an episode said before it was updated. */
export interface VersionRecord {
  readonly id: string
  readonly episode: EpisodeId
  /** Counts from 1 for each episode. */
  readonly number: number
  /** Transaction time: when it was updated (ISO 8601, UTC). */
  readonly replacedAt: string
  /** The episode as it was. */
  readonly content: Episode
}

const TAG = 6
/** Bytes before the JSON: the tag, then the length of the JSON (u32, little-endian). */
const HEADER_BYTES = 5

const SHAPE = object({ id: name, episode: name, number: whole, replacedAt: time })

/** A version of an episode: a tag, the length of the JSON, JSON in UTF-8, and the row of the episode as it was. */
export const versionKind: RecordKind<VersionRecord> = {
  tag: TAG,
  name: 'version of an episode',
  isExported: true,
  limits: {},
  encode({ content, ...about }) {
    const json = encodeUtf8(JSON.stringify(about))
    const before = encodeEpisode(content)
    const row = new Uint8Array(HEADER_BYTES + json.length + before.length)
    row[0] = TAG
    new DataView(row.buffer).setUint32(1, json.length, true)
    row.set(json, HEADER_BYTES)
    row.set(before, HEADER_BYTES + json.length)
    return row
  },
  decode(row) {
    const [about, before] = partsOf(row) ?? []
    if (about === undefined || before === undefined) throw unreadable(row)
    try {
      return { ...(JSON.parse(decodeUtf8(about)) as Omit<VersionRecord, 'content'>), content: decodeEpisode(before) }
    } catch (cause) {
      throw unreadable(row, cause)
    }
  },
  validate(row, id, check) {
    const wrong = 'is no version of an episode'
    const [about, before] = partsOf(row) ?? []
    if (about === undefined || before === undefined) return wrong
    const value = check.json(about) as VersionRecord
    if (!SHAPE(value, check.at('version')) || value.id !== id || value.number < 1) return wrong
    return episodeKind.validate(before, value.episode, check) === undefined ? undefined : wrong
  },
  subjects: ({ episode }) => [episode],
  references: () => [],
  units: ({ content }) => [unitOf(content)],
}

/** The JSON and the row of the episode; `undefined` where the row is too short to have them. */
function partsOf(row: Uint8Array): readonly [Uint8Array, Uint8Array] | undefined {
  if (row.length < HEADER_BYTES) return undefined
  const end = HEADER_BYTES + new DataView(row.buffer, row.byteOffset, row.byteLength).getUint32(1, true)
  return end < row.length ? [row.subarray(HEADER_BYTES, end), row.subarray(end)] : undefined
}

function unreadable(row: Uint8Array, cause?: unknown): AgidbError {
  return new AgidbError(
    'AGIDB_CORRUPT',
    'a stored version of an episode cannot be read',
    { bytes: row.length },
    { cause },
  )
}
