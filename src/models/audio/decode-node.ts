import { AgidbError } from '../../base/errors.js'
import { reasonOf } from '../runtime.js'
import type { DecodeAudio } from './samples.js'

/** Decodes sounds in Node with `audio-decode`. */
export const decodeWithAudioDecode: DecodeAudio = async (bytes) => {
  const { default: decode } = await import('audio-decode').catch((cause: unknown) => {
    const message =
      `files of sounds other than WAV need audio-decode beside agidb (npm install audio-decode), or give samples: ` +
      reasonOf(cause)
    throw new AgidbError('AGIDB_UNSUPPORTED', message, {}, { cause })
  })
  const { channelData, sampleRate } = await decode(bytes)
  return { channels: channelData, sampleRate }
}
