import { checkList } from '../../api/check.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import type { SensoryFrame } from '../../api/sensory.js'
import { AgidbError } from '../../base/errors.js'
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.js'
import type { RecordKind } from '../record-kind.js'
import { unitOf } from '../unit.js'
import { maybe, name, object, oneOf, type Shape, share, text, time, whole } from '../shapes.js'

/** A frame and its number among all that ever came, from 1. */
export interface NumberedFrame {
  readonly frame: SensoryFrame
  readonly number: number
}

const TAG = 2
/** Bytes before the JSON: the tag, then the length of the JSON (u32). */
const HEADER_BYTES = 5

const limits = FIELD_LIMITS.frame

/** The numbers of a latent. */
const latent: Shape = (value, { what, limits: given }) => {
  if (!(value instanceof Float32Array)) return false
  checkList(what, Array.from(value), given, limits.latent)
  return value.every(Number.isFinite)
}

/** The parts in which a frame differs are worked out when it is shown: no row has any. */
const noParts: Shape = (value) => Array.isArray(value) && value.length === 0

/** A frame that comes from outside. */
const SHAPE = object({
  id: text(limits.id),
  modality: oneOf('text', 'image', 'audio', 'video'),
  text: maybe(text(limits.text)),
  encoder: maybe(text(limits.encoder)),
  speaker: maybe(text(limits.speaker)),
  session: maybe(text(limits.session)),
  source: maybe(text(limits.source)),
  at: time,
  receivedAt: time,
  surprise: share,
  goalRelevance: share,
  promotedTo: maybe(name),
  promotedFor: maybe(oneOf('surprise', 'goal', 'observed')),
  number: whole,
  latent: maybe(latent),
  differsFrom: maybe(object({ episode: maybe(name), belief: maybe(name), parts: noParts })),
})

/** What was perceived and stands in the sensory buffer. */
export const sensoryFrameKind: RecordKind<NumberedFrame> = {
  tag: TAG,
  name: 'sensory frame',
  isExported: true,
  limits: { frame: limits },
  encode: encodeFrame,
  decode: decodeFrame,
  validate(row, id, check) {
    const wrong = 'is no sensory frame'
    const end = endOfJson(row)
    if (!(end <= row.length)) return wrong
    check.json(row.subarray(HEADER_BYTES, end))
    const { frame, number } = decodeFrame(row)
    return SHAPE({ ...frame, number }, check.at('frame')) && number >= 1 && frame.id === id ? undefined : wrong
  },
  subjects: ({ frame: { id } }) => [id],
  references({ frame: { promotedTo, differsFrom } }) {
    return [promotedTo, differsFrom?.episode, differsFrom?.belief].filter((id) => id !== undefined)
  },
  units: ({ frame }) => [unitOf(frame)],
}

/**
 * A frame as it is stored: a tag, the length of the JSON, JSON in UTF-8, and its latent as 32-bit floats, all
 * little-endian.
 */
function encodeFrame({ frame: { latent = new Float32Array(), ...rest }, number }: NumberedFrame): Uint8Array {
  const json = encodeUtf8(JSON.stringify({ ...rest, number }))
  const row = new Uint8Array(HEADER_BYTES + json.length + 4 * latent.length)
  const view = new DataView(row.buffer)
  row[0] = TAG
  view.setUint32(1, json.length, true)
  row.set(json, HEADER_BYTES)
  latent.forEach((value, i) => view.setFloat32(HEADER_BYTES + json.length + 4 * i, value, true))
  return row
}

/** Where the JSON of a row ends; `NaN` where the row is too short to say so. */
function endOfJson(row: Uint8Array): number {
  if (row.length < HEADER_BYTES) return NaN
  return HEADER_BYTES + new DataView(row.buffer, row.byteOffset).getUint32(1, true)
}

function decodeFrame(row: Uint8Array): NumberedFrame {
  const view = new DataView(row.buffer, row.byteOffset, row.byteLength)
  try {
    const end = HEADER_BYTES + view.getUint32(1, true)
    if (end > row.length) throw new RangeError('its JSON is cut short')
    const json = decodeUtf8(row.subarray(HEADER_BYTES, end))
    const { number, ...frame } = JSON.parse(json) as SensoryFrame & { readonly number: number }
    const latent = Float32Array.from({ length: Math.floor((row.length - end) / 4) }, (_, i) =>
      view.getFloat32(end + 4 * i, true),
    )
    return { frame: { ...frame, ...(latent.length > 0 && { latent }) }, number }
  } catch (cause) {
    throw new AgidbError('AGIDB_CORRUPT', 'a stored sensory frame cannot be read', { bytes: row.length }, { cause })
  }
}
