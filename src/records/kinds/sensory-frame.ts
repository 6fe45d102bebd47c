import { FIELD_LIMITS } from '../../api/field-limits.js'
import { isModality, isSense } from '../../api/encoder.js'
import type { FramePart, SensoryFrame } from '../../api/sensory.js'
import { AgidbError } from '../../base/errors.js'
import { decodeUtf8 } from '../../base/utf8.js'
import { encodeWithBytes, partsOf, type RecordKind } from '../record-kind.js'
import { unitOf } from '../unit.js'

/** A frame and its number among all that ever came, from 1. */
export interface NumberedFrame {
  readonly frame: SensoryFrame
  readonly number: number
}

const TAG = 2
/** Of frames of several senses: versions that know frames of one sense alone refuse such rows. */
const OF_SEVERAL = 10
/** Of frames with modalities of the application's own, one or several: versions that know none refuse such rows. */
const WITH_OWN = 12

/** What was perceived and stands in the sensory buffer. */
export const sensoryFrameKind: RecordKind<NumberedFrame> = {
  tag: TAG,
  laterTags: [OF_SEVERAL, WITH_OWN],
  name: 'sensory frame',
  isExported: true,
  limits: { frame: FIELD_LIMITS.frame },
  encode: encodeFrame,
  decode: decodeFrame,
  subjects: ({ frame: { id } }) => [id],
  references({ frame: { promotedTo, differsFrom } }) {
    return [promotedTo, differsFrom?.episode, differsFrom?.belief].filter((id) => id !== undefined)
  },
  units: ({ frame }) => [unitOf(frame)],
}

/**
 * A frame as it is stored: a tag, the length of the JSON, JSON in UTF-8, and its latent as 32-bit floats, all
 * little-endian. Of a frame of several senses the latents of its parts, one after the other: each part has in `numbers`
 * how many are its own.
 */
function encodeFrame({ frame, number }: NumberedFrame): Uint8Array {
  const { latent, parts, ...rest } = frame
  const all = (parts ?? [{ latent }]).flatMap(({ latent = [] }) => [...latent])
  const floats = new DataView(new ArrayBuffer(4 * all.length))
  all.forEach((value, i) => floats.setFloat32(4 * i, value, true))
  const about = parts?.map(({ latent, ...part }) => ({ ...part, numbers: latent?.length }))
  return encodeWithBytes(tagOf(frame), { ...rest, parts: about, number }, new Uint8Array(floats.buffer))
}

/** The tag of the row of a frame. */
export function tagOf({ modality, parts }: Pick<SensoryFrame, 'modality' | 'parts'>): number {
  const isOwn = ({ modality }: { readonly modality: string }) => isModality(modality) && !isSense(modality)
  if ((parts ?? [{ modality }]).some(isOwn)) return WITH_OWN
  return parts ? OF_SEVERAL : TAG
}

/** A frame as its JSON has it. */
type Written = Omit<SensoryFrame, 'parts'> & {
  readonly number: number
  readonly parts?: readonly (Omit<FramePart, 'latent'> & { readonly numbers?: number })[]
}

function decodeFrame(row: Uint8Array): NumberedFrame {
  try {
    const halves = partsOf(row)
    if (halves === undefined) throw new RangeError('its JSON is cut short')
    const { number, parts, ...frame } = JSON.parse(decodeUtf8(halves.json)) as Written
    const { buffer, byteOffset, byteLength } = halves.bytes
    const floats = new DataView(buffer, byteOffset, byteLength)
    const latent = Float32Array.from({ length: Math.floor(byteLength / 4) }, (_, i) => floats.getFloat32(4 * i, true))
    if (parts === undefined) return { frame: { ...frame, ...(latent.length > 0 && { latent }) }, number }
    let from = 0
    const read = parts.map(({ numbers, ...part }): FramePart => {
      return numbers === undefined ? part : { ...part, latent: latent.slice(from, (from += numbers)) }
    })
    return { frame: { ...frame, parts: read }, number }
  } catch (cause) {
    throw new AgidbError('AGIDB_CORRUPT', 'a stored sensory frame cannot be read', { bytes: row.length }, { cause })
  }
}
