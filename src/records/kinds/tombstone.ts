import { AgidbError } from '../../base/errors.js'
import { decodeUtf8 } from '../../base/utf8.js'
import { encodeWithBytes, partsOf, type RecordKind } from '../record-kind.js'
import { episodeKind } from './episode.js'
import { learningEventKind } from './learning-event.js'
import { sensoryFrameKind } from './sensory-frame.js'
import { versionKind } from './version.js'

/** That an episode superseded another one, which is superseded no more while it is forgotten. */
export interface Superseding {
  /** Of the superseded episode. */
  readonly slot: number
  /** When the superseded episode ended, and when that was recorded (ISO 8601, UTC). */
  readonly at: string
  readonly recordedAt: string
}

/** A record that was forgotten and can be restored. It stands in the slot of the record. */
export interface Tombstone {
  /** The unlearning that forgot it. */
  readonly audit: string
  /** Of an episode: those that it superseded. */
  readonly supersedes: readonly Superseding[]
  /** The row as it was. */
  readonly row: Uint8Array
}

const TAG = 4

/** The kinds of records that can be forgotten, beside episodes. */
const FORGOTTEN = [learningEventKind, sensoryFrameKind, versionKind] as readonly RecordKind[]

/** A record that was forgotten; no export has it. Its row: a tag, the length of the JSON, JSON in UTF-8, the row. */
export const tombstoneKind: RecordKind<Tombstone> = {
  tag: TAG,
  name: 'tombstone',
  isExported: false,
  limits: {},
  encode: ({ audit, supersedes, row }) =>
    encodeWithBytes(TAG, supersedes.length > 0 ? { audit, supersedes } : { audit }, row),
  decode(bytes) {
    try {
      const parts = partsOf(bytes)
      if (parts === undefined || parts.bytes.length === 0) throw new RangeError('it is cut short')
      const { audit, supersedes = [] } = JSON.parse(decodeUtf8(parts.json)) as Omit<Tombstone, 'row'>
      return { audit, supersedes, row: parts.bytes }
    } catch (cause) {
      throw new AgidbError('AGIDB_CORRUPT', 'a stored tombstone cannot be read', { bytes: bytes.length }, { cause })
    }
  },
  validate: () => 'is a tombstone, which belongs to the place where a memory is stored',
  units({ row }) {
    const kind = FORGOTTEN.find(({ tag, laterTags }) => tag === row[0] || laterTags?.includes(row[0])) ?? episodeKind
    return kind.units?.(kind.decode(row)) ?? []
  },
  subjects: ({ audit }) => [audit],
  references: () => [],
}
