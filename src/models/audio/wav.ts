import { AgidbError } from '../../base/errors.js'
import { type AudioHeader, damaged, says, viewOf } from './container.js'

/** Codes of what samples are. */
const WHOLE = 1
const FLOAT = 3
const EXTENSIBLE = 0xfffe

/** A WAV file, and where its samples are. */
export interface WavHeader extends AudioHeader {
  readonly type: 'audio/wav'
  readonly from: number
  readonly read: (view: DataView, at: number) => number
  readonly bytesPerSample: number
}

/** How a sample is read, by its kind and bits: from -1 to 1. */
const READERS: Readonly<Record<string, WavHeader['read'] | undefined>> = {
  [`${WHOLE}/8`]: (view, at) => (view.getUint8(at) - 128) / 128,
  [`${WHOLE}/16`]: (view, at) => view.getInt16(at, true) / 2 ** 15,
  [`${WHOLE}/24`]: (view, at) => ((view.getInt8(at + 2) << 16) | view.getUint16(at, true)) / 2 ** 23,
  [`${WHOLE}/32`]: (view, at) => view.getInt32(at, true) / 2 ** 31,
  [`${FLOAT}/32`]: (view, at) => view.getFloat32(at, true),
  [`${FLOAT}/64`]: (view, at) => view.getFloat64(at, true),
}

/**
 * What a WAV file says (RIFF, little-endian: samples of 8 to 32 bits, or floats); `undefined` for another file.
 *
 * @throws AgidbError `AGIDB_MEDIA` for one that is cut short, or compressed
 */
export function wavHeader(bytes: Uint8Array): WavHeader | undefined {
  if (!says(bytes, 0, 'RIFF') || !says(bytes, 8, 'WAVE')) return undefined
  const view = viewOf(bytes)
  let format: { kind: number; channels: number; sampleRate: number; bits: number } | undefined
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = view.getUint32(at + 4, true)
    const from = at + 8
    if (from + size > bytes.length) throw damaged('WAV')
    if (says(bytes, at, 'fmt ')) {
      if (size < 16) throw damaged('WAV')
      const kind = view.getUint16(from, true)
      format = {
        kind: kind === EXTENSIBLE && size >= 26 ? view.getUint16(from + 24, true) : kind,
        channels: view.getUint16(from + 2, true),
        sampleRate: view.getUint32(from + 4, true),
        bits: view.getUint16(from + 14, true),
      }
    } else if (says(bytes, at, 'data')) {
      if (format === undefined || format.channels === 0) throw damaged('WAV')
      const { kind, channels, sampleRate, bits } = format
      const read = READERS[`${kind}/${bits}`]
      if (read === undefined)
        throw new AgidbError('AGIDB_MEDIA', `the sound is a WAV of kind ${kind} with ${bits} bits, which is not read`, {
          kind,
          bits,
        })
      const bytesPerSample = bits / 8
      const length = Math.floor(size / bytesPerSample / channels)
      return { type: 'audio/wav', sampleRate, channels, length, from, read, bytesPerSample }
    }
    at = from + size + (size & 1)
  }
  throw damaged('WAV')
}

/** The samples of a WAV file whose header was read: the mean of its channels. */
export function wavSamples(
  bytes: Uint8Array,
  { channels, length, from, read, bytesPerSample }: WavHeader,
): Float32Array {
  const view = viewOf(bytes)
  let at = from
  return Float32Array.from({ length }, () => {
    let sum = 0
    for (let channel = 0; channel < channels; channel++, at += bytesPerSample) sum += read(view, at)
    return sum / channels
  })
}
