import type { AudioInput, Samples, SoundChannels } from '../../api/encoder.js'
import { mixed } from '../../api/plain-sound.js'
import { AgidbError } from '../../base/errors.js'
import { reasonOf } from '../runtime.js'
import type { AudioHeader } from './container.js'
import { checkLength, MAX_BYTES, readAudioHeader } from './header.js'
import { type WavHeader, wavSamples } from './wav.js'

/** Decodes a file whose header was read, to all of its channels; rejects for one that it cannot decode. */
export type DecodeAudio = (bytes: Uint8Array<ArrayBuffer>, header: AudioHeader) => Promise<DecodedAudio>

/** What a decoder gives: an array for each channel. */
export interface DecodedAudio {
  readonly channels: readonly Float32Array[]
  readonly sampleRate: number
}

/** Of the samples that a file should have, the share that a decoder may leave out at its ends. */
const LEFT_OUT = 0.02
/** Samples that it may leave out in any case: what encoders put before and behind a sound. */
const PADDING = 8_192

/**
 * The samples of a sound, however it was given.
 *
 * @throws AgidbError `AGIDB_MEDIA` for what cannot be read, `AGIDB_TOO_LARGE`, `AGIDB_UNSUPPORTED` without a decoder
 */
export async function samplesOf(sound: AudioInput, decode: DecodeAudio): Promise<Samples> {
  if (sound instanceof Blob) {
    if (sound.size > MAX_BYTES) throw new AgidbError('AGIDB_TOO_LARGE', `the sound has ${sound.size} bytes`)
    return samplesOf(new Uint8Array(await sound.arrayBuffer()), decode)
  }
  if (sound instanceof Uint8Array) return fromFile(sound, decode)
  const given = (sound ?? {}) as Partial<Samples & SoundChannels>
  if (typeof given.getChannelData !== 'function') return checked(given)
  const { sampleRate, numberOfChannels, length } = given
  checkLength({ sampleRate: sampleRate!, channels: numberOfChannels!, length: length! })
  const channels = Array.from({ length: numberOfChannels! }, (_, i) => given.getChannelData!(i))
  return checked({ samples: mixed(channels), sampleRate })
}

async function fromFile(bytes: Uint8Array, decode: DecodeAudio): Promise<Samples> {
  const header = readAudioHeader(bytes)
  const { type, sampleRate, length } = header
  if (type === 'audio/wav') return checked({ samples: wavSamples(bytes, header as WavHeader), sampleRate })
  const decoded = await decode(bytes as Uint8Array<ArrayBuffer>, header).catch((cause: unknown) => {
    if (cause instanceof AgidbError) throw cause
    throw new AgidbError('AGIDB_MEDIA', `the sound cannot be decoded: ${reasonOf(cause)}`, { type }, { cause })
  })
  const samples = mixed(decoded.channels)
  const expected = (length * decoded.sampleRate) / sampleRate
  // Of Ogg Vorbis the length is an upper bound alone.
  const least = type === 'audio/ogg' ? 1 : expected * (1 - LEFT_OUT) - PADDING
  if (samples.length < least)
    throw new AgidbError(
      'AGIDB_MEDIA',
      `the sound has ${Math.round(expected)} samples; ${samples.length} can be read`,
      {
        type,
      },
    )
  return checked({ samples, sampleRate: decoded.sampleRate })
}

function checked({ samples, sampleRate }: Partial<Samples>): Samples {
  if (!(samples instanceof Float32Array) || typeof sampleRate !== 'number')
    throw new AgidbError(
      'AGIDB_MEDIA',
      'a sound must be the bytes of a file, a Blob, an AudioBuffer, or { samples, sampleRate }',
    )
  checkLength({ sampleRate, channels: 1, length: samples.length })
  if (!samples.every(Number.isFinite)) throw new AgidbError('AGIDB_MEDIA', 'the sound has samples that are not finite')
  return { samples, sampleRate }
}
