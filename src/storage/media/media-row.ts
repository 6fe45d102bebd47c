import { decodeUtf8 } from '../../base/utf8.js'
import { joinBytes } from '../../base/join-bytes.js'
import { mediaKind } from '../../records/kinds/media.js'
import { encodeWithBytes, partsOf } from '../../records/record-kind.js'

/** The first byte of a row whose rest is in the bucket. No kind of record has it, see `records/registry.ts`. */
export const REFERENCE_TAG = 31

/** Where the bytes of a piece are. */
export interface Place {
  readonly key: string
  readonly length: number
  /** CRC-32C. */
  readonly checksum: number
}

/** A row as it is stored where the bytes of a piece are in the bucket. */
export interface MediaReference extends Place {
  /** The row without these bytes. */
  readonly about: Uint8Array
}

/** The two parts of the row of a piece, as views; `undefined` for other rows, and for a piece that has no bytes. */
export function divided(row: Uint8Array): { readonly about: Uint8Array; readonly bytes: Uint8Array } | undefined {
  if (row[0] !== mediaKind.tag) return undefined
  const about = mediaKind.about!(row)
  return about.length === row.length ? undefined : { about, bytes: row.subarray(about.length) }
}

/** The row that is stored instead: a tag, the length of the JSON, the place as JSON in UTF-8, the row but its bytes. */
export function referenceRow(about: Uint8Array, { key, length, checksum }: Place): Uint8Array {
  return encodeWithBytes(REFERENCE_TAG, { key, length, checksum }, about)
}

/** What {@link referenceRow} made; `undefined` for any other row. */
export function referenceOf(row: Uint8Array): MediaReference | undefined {
  const parts = row[0] === REFERENCE_TAG ? partsOf(row) : undefined
  if (parts === undefined) return undefined
  try {
    const { key, length, checksum } = JSON.parse(decodeUtf8(parts.json)) as Place
    return typeof key === 'string' ? { key, length, checksum, about: parts.bytes } : undefined
  } catch {
    return undefined // A row of the application's own bytes, as the tests of the storage contract write them.
  }
}

/** The row that was divided. */
export function wholeRow({ about }: MediaReference, bytes: Uint8Array): Uint8Array {
  return joinBytes([about, bytes])
}

/** What projections read of a row: of a piece in the bucket all but its bytes. */
export function aboutRow(row: Uint8Array): Uint8Array {
  return referenceOf(row)?.about ?? row
}
