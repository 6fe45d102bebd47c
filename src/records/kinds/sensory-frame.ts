import { checkList } from '../../api/check.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import type { SensoryFrame } from '../../api/sensory.js'
import { AgidbError } from '../../base/errors.js'
import { decodeUtf8 } from '../../base/utf8.js'
import { encodeWithBytes, partsOf, type RecordKind } from '../record-kind.js'
import { unitOf } from '../unit.js'
import { list, maybe, name, object, oneOf, type Shape, share, text, time, triple, whole } from '../shapes.js'

/** A frame and its number among all that ever came, from 1. */
export interface NumberedFrame {
  readonly frame: SensoryFrame
  readonly number: number
}

const TAG = 2

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
  triples: maybe(list(triple, limits.triples)),
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
    const parts = partsOf(row)
    if (parts === undefined) return wrong
    check.json(parts.json)
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
  const floats = new DataView(new ArrayBuffer(4 * latent.length))
  latent.forEach((value, i) => floats.setFloat32(4 * i, value, true))
  return encodeWithBytes(TAG, { ...rest, number }, new Uint8Array(floats.buffer))
}

function decodeFrame(row: Uint8Array): NumberedFrame {
  try {
    const parts = partsOf(row)
    if (parts === undefined) throw new RangeError('its JSON is cut short')
    const { number, ...frame } = JSON.parse(decodeUtf8(parts.json)) as SensoryFrame & { readonly number: number }
    const { buffer, byteOffset, byteLength } = parts.bytes
    const floats = new DataView(buffer, byteOffset, byteLength)
    const latent = Float32Array.from({ length: Math.floor(byteLength / 4) }, (_, i) => floats.getFloat32(4 * i, true))
    return { frame: { ...frame, ...(latent.length > 0 && { latent }) }, number }
  } catch (cause) {
    throw new AgidbError('AGIDB_CORRUPT', 'a stored sensory frame cannot be read', { bytes: row.length }, { cause })
  }
}
