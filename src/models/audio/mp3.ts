import { type AudioHeader, damaged, says, viewOf } from './container.js'

/** Thousand bits a second by the code of a frame: of layer 3, in MPEG-1, and in MPEG-2 and 2.5. */
const RATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const RATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const SAMPLE_RATES = [44_100, 48_000, 32_000]

interface Frame {
  readonly bytes: number
  readonly samples: number
  readonly sampleRate: number
  readonly channels: number
  /** Where the note of an encoder stands in the first frame (Xing, Info), from its beginning. */
  readonly note: number
}

/**
 * What an MP3 file says, after its frames were counted (ISO 11172-3, layer 3); `undefined` for another file.
 *
 * @throws AgidbError `AGIDB_MEDIA` for one whose last frame is cut short, or that has fewer frames than it says
 */
export function mp3Header(bytes: Uint8Array): AudioHeader | undefined {
  const view = viewOf(bytes)
  let at = says(bytes, 0, 'ID3') && bytes.length > 10 ? 10 + tagBytes(bytes) : 0
  const isTagged = at > 0
  const first = frameAt(view, at)
  // Two frames in a row: four bytes alone can stand anywhere.
  if (first === undefined || (!isTagged && frameAt(view, at + first.bytes) === undefined)) {
    if (isTagged) throw damaged('MP3')
    return undefined
  }
  const note = at + first.note
  const isNoted = note + 12 <= bytes.length && ['Xing', 'Info'].some((mark) => says(bytes, note, mark))
  const counts = isNoted && (view.getUint32(note + 4) & 1) === 1
  const said = counts ? view.getUint32(note + 8) + 1 : undefined
  let frames = 0
  for (let frame: Frame | undefined = first; frame !== undefined; frame = frameAt(view, at)) {
    at += frame.bytes
    frames++
    if (at > bytes.length) throw damaged('MP3')
  }
  // What is left must be a tag; a frame of which not even the head is whole has no tag's mark.
  const isOver = at === bytes.length || ['TAG', 'APETAGEX', 'LYRICS', 'ID3'].some((mark) => says(bytes, at, mark))
  if ((!isOver && bytes.subarray(at).some((byte) => byte !== 0)) || (said !== undefined && frames < said))
    throw damaged('MP3')
  const { sampleRate, channels, samples } = first
  return { type: 'audio/mpeg', sampleRate, channels, length: frames * samples }
}

function frameAt(view: DataView, at: number): Frame | undefined {
  if (at + 4 > view.byteLength) return undefined
  const head = view.getUint32(at)
  const [version, layer, rate, frequency] = [
    (head >>> 19) & 3,
    (head >>> 17) & 3,
    (head >>> 12) & 15,
    (head >>> 10) & 3,
  ]
  if (head >>> 21 !== 0x7ff || version === 1 || layer !== 1 || rate === 0 || rate === 15 || frequency === 3)
    return undefined
  const isOne = version === 3
  const sampleRate = SAMPLE_RATES[frequency] / (isOne ? 1 : version === 2 ? 2 : 4)
  const kilobits = (isOne ? RATES_1 : RATES_2)[rate]
  const channels = (head >>> 6) & 3 ? (((head >>> 6) & 3) === 3 ? 1 : 2) : 2
  const side = isOne ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17
  return {
    bytes: Math.floor(((isOne ? 144 : 72) * 1_000 * kilobits) / sampleRate) + ((head >>> 9) & 1),
    samples: isOne ? 1152 : 576,
    sampleRate,
    channels,
    note: 4 + side,
  }
}

/** The length of an ID3 tag, of which each byte has seven bits. */
function tagBytes(bytes: Uint8Array): number {
  const size = bytes.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0)
  return size + (bytes[5] & 0x10 ? 10 : 0)
}
