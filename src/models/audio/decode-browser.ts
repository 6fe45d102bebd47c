import { transfer } from 'comlink'
import { AgidbError } from '../../base/errors.js'
import type { DecodeAudio } from './samples.js'

/**
 * Decodes sounds in a page, for the worker of an encoder: no worker has Web Audio. A browser decodes in a thread of its
 * own, at the rate of the file.
 */
export const decodeWithWebAudio: DecodeAudio = async (bytes, { type, sampleRate, channels }) => {
  if (typeof OfflineAudioContext === 'undefined')
    throw new AgidbError('AGIDB_UNSUPPORTED', `files of ${type} are decoded in pages only; give WAV or samples`, {
      type,
    })
  // The bytes were sent to this thread, which may hand them on.
  const buffer = bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer
  const decoded = await new OfflineAudioContext(channels, 1, sampleRate).decodeAudioData(buffer)
  const copies = Array.from({ length: decoded.numberOfChannels }, (_, i) => decoded.getChannelData(i).slice())
  return transfer(
    { channels: copies, sampleRate: decoded.sampleRate },
    copies.map((copy) => copy.buffer),
  )
}
