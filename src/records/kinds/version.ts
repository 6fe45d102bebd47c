import type { Episode, EpisodeId } from '../../api/episode.js'
import { AgidbError } from '../../base/errors.js'
import { decodeUtf8 } from '../../base/utf8.js'
import { encodeWithBytes, partsOf, type RecordKind } from '../record-kind.js'
import { unitOf } from '../unit.js'
import { decodeEpisode, encodeEpisode } from './episode.js'

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

/** A version of an episode: a tag, the length of the JSON, JSON in UTF-8, and the row of the episode as it was. */
export const versionKind: RecordKind<VersionRecord> = {
  tag: TAG,
  name: 'version of an episode',
  isExported: true,
  limits: {},
  encode: ({ content, ...about }) => encodeWithBytes(TAG, about, encodeEpisode(content)),
  decode(row) {
    const parts = partsOf(row)
    if (parts === undefined || parts.bytes.length === 0) throw unreadable(row)
    try {
      const about = JSON.parse(decodeUtf8(parts.json)) as Omit<VersionRecord, 'content'>
      return { ...about, content: decodeEpisode(parts.bytes) }
    } catch (cause) {
      throw unreadable(row, cause)
    }
  },
  subjects: ({ episode }) => [episode],
  references: () => [],
  units: ({ content }) => [unitOf(content)],
}

function unreadable(row: Uint8Array, cause?: unknown): AgidbError {
  return new AgidbError(
    'AGIDB_CORRUPT',
    'a stored version of an episode cannot be read',
    { bytes: row.length },
    { cause },
  )
}
