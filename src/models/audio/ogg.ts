import { AgidbError } from '../../base/errors.js'
import { type AudioHeader, damaged, says, viewOf } from './container.js'

/** Samples of the frames of an Opus packet at 48,000 a second, by its configuration (RFC 6716, table 2). */
const SILK = [480, 960, 1920, 2880]
const CELT = [120, 240, 480, 960]

/** What a stream in an Ogg file is coded with, and how long its packets are at most. */
interface Stream {
  readonly sampleRate: number
  readonly channels: number
  /** Packets before those of sound. */
  readonly heads: number
  samples(packet: Uint8Array): number
}

/**
 * What an Ogg file of Vorbis or Opus says, after its packets were counted (RFC 3533); `undefined` for another file.
 *
 * @throws AgidbError `AGIDB_MEDIA` for one without its last page, with several streams, or of another codec
 */
export function oggHeader(bytes: Uint8Array): AudioHeader | undefined {
  if (!says(bytes, 0, 'OggS')) return undefined
  const view = viewOf(bytes)
  let stream: Stream | undefined
  let [packets, length, isLast, at] = [0, 0, false, 0]
  const serial = bytes.length >= 27 ? view.getUint32(14) : 0
  let begins = true
  while (!isLast) {
    if (at + 27 > bytes.length || !says(bytes, at, 'OggS') || view.getUint32(at + 14) !== serial) throw damaged('Ogg')
    isLast = (bytes[at + 5] & 4) === 4
    const segments = bytes[at + 26]
    const body = at + 27 + segments
    const sizes = bytes.subarray(at + 27, body)
    const end = body + sizes.reduce((sum, size) => sum + size, 0)
    if (end > bytes.length) throw damaged('Ogg')
    let from = body
    for (const size of sizes) {
      if (begins) {
        const packet = bytes.subarray(from, end)
        stream ??= streamOf(packet)
        if (packets >= stream.heads && size > 0) length += stream.samples(packet)
        packets++
      }
      begins = size < 255
      from += size
    }
    at = end
  }
  if (stream === undefined || length === 0) throw damaged('Ogg')
  return { type: 'audio/ogg', sampleRate: stream.sampleRate, channels: stream.channels, length }
}

function streamOf(head: Uint8Array): Stream {
  const view = viewOf(head)
  if (says(head, 0, 'OpusHead') && head.length >= 19)
    return { sampleRate: 48_000, channels: head[9], heads: 2, samples: opusSamples }
  if (says(head, 0, '\x01vorbis') && head.length >= 30) {
    // A packet overlaps the next by half: at most half of the longer block is new.
    const most = 2 ** (head[28] >> 4) / 2
    return { sampleRate: view.getUint32(12, true), channels: head[11], heads: 3, samples: () => most }
  }
  throw new AgidbError('AGIDB_MEDIA', 'the sound is an Ogg of neither Vorbis nor Opus')
}

function opusSamples(packet: Uint8Array): number {
  const [configuration, code] = [packet[0] >> 3, packet[0] & 3]
  const frame =
    configuration < 12
      ? SILK[configuration & 3]
      : configuration < 16
        ? 480 << (configuration & 1)
        : CELT[configuration & 3]
  return frame * (code === 0 ? 1 : code === 3 ? packet[1] & 63 : 2)
}
