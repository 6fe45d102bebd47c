import type { SenseName } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'
import { decodeUtf8 } from '../../base/utf8.js'
import { encodeWithBytes, partsOf, type RecordKind } from '../record-kind.js'

/** A piece of a picture or sound that is kept as it was given. */
export interface MediaRecord {
  readonly id: string
  readonly sense: SenseName
  /** What it is, such as `image/png`. */
  readonly type: string
  /** How many slots after its episode it stands; storage keeps both together. */
  readonly offset: number
  /** Its number among the pieces of the picture or sound, from 0. */
  readonly piece: number
  /** Bytes of the piece. */
  readonly size: number
  /** What can be erased by itself, of its episode; see `records/unit.ts`. */
  readonly unit: string
  /** Empty where the record was read without them. */
  readonly bytes: Uint8Array
}

/** Bytes of a piece, at most: what every storage takes as one value. */
export const PIECE_BYTES = 1 << 20

const TAG = 9

/** A piece of a medium: a tag, the length of the JSON, JSON in UTF-8, and its bytes. */
export const mediaKind: RecordKind<MediaRecord> = {
  tag: TAG,
  name: 'piece of a medium',
  isExported: true,
  limits: {},
  encode: ({ bytes, ...about }) => encodeWithBytes(TAG, about, bytes),
  decode(row) {
    try {
      const parts = partsOf(row)
      if (parts === undefined) throw new RangeError('its JSON is cut short')
      const about = JSON.parse(decodeUtf8(parts.json)) as Omit<MediaRecord, 'bytes'>
      return { ...about, bytes: parts.bytes }
    } catch (cause) {
      const message = 'a stored piece of a picture or sound cannot be read'
      throw new AgidbError('AGIDB_CORRUPT', message, { bytes: row.length }, { cause })
    }
  },
  subjects: ({ id }) => [id],
  references: () => [],
  units: ({ unit }) => [unit],
  about(row) {
    const parts = partsOf(row)
    return parts === undefined ? row : row.subarray(0, row.length - parts.bytes.length)
  },
}

/** Bytes in pieces, as the records that follow those of an episode. */
export function piecesOf(
  medium: Pick<MediaRecord, 'sense' | 'type' | 'unit' | 'bytes'>,
  from: number,
  idOf: (offset: number) => string,
): MediaRecord[] {
  const { bytes, ...about } = medium
  return Array.from({ length: Math.ceil(bytes.length / PIECE_BYTES) }, (_, piece) => {
    const part = bytes.subarray(piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES)
    const offset = from + piece
    return { id: idOf(offset), ...about, offset, piece, size: part.length, bytes: part }
  })
}
