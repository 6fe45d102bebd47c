import { AgidbError } from '../base/errors.js'
import type { SensoryFrame } from '../api/sensory.js'
import { decodeUtf8, encodeUtf8 } from '../base/utf8.js'

/** The first byte of a row that is a sensory frame. */
export const FRAME_ROW = 2

/** A frame and which it is of all that ever came, from 1. */
export interface Numbered {
  readonly frame: SensoryFrame
  readonly number: number
}

/** Before the JSON: the tag, then the JSON's length (u32). */
const HEAD = 5

/**
 * A frame as it is stored: a tag, the length of the JSON, JSON in UTF-8, and its latent as 32-bit floats, all
 * little-endian.
 */
export function encodeFrame({ frame: { latent = new Float32Array(), ...rest }, number }: Numbered): Uint8Array {
  const json = encodeUtf8(JSON.stringify({ ...rest, number }))
  const row = new Uint8Array(HEAD + json.length + 4 * latent.length)
  const view = new DataView(row.buffer)
  row[0] = FRAME_ROW
  view.setUint32(1, json.length, true)
  row.set(json, HEAD)
  latent.forEach((value, i) => view.setFloat32(HEAD + json.length + 4 * i, value, true))
  return row
}

/** @throws AgidbError `AGIDB_CORRUPT` if the bytes are no frame. */
export function decodeFrame(row: Uint8Array): Numbered {
  const view = new DataView(row.buffer, row.byteOffset, row.byteLength)
  try {
    const end = HEAD + view.getUint32(1, true)
    if (end > row.length) throw new RangeError('its JSON is cut short')
    const json = decodeUtf8(row.subarray(HEAD, end))
    const { number, ...frame } = JSON.parse(json) as SensoryFrame & { readonly number: number }
    const latent = Float32Array.from({ length: Math.floor((row.length - end) / 4) }, (_, i) =>
      view.getFloat32(end + 4 * i, true),
    )
    return { frame: { ...frame, ...(latent.length > 0 && { latent }) }, number }
  } catch (cause) {
    throw new AgidbError('AGIDB_CORRUPT', 'a stored sensory frame cannot be read', { bytes: row.length }, { cause })
  }
}
