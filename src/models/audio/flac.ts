import { type AudioHeader, damaged, says, viewOf } from './container.js'

/** Samples of a block by the code of its size; codes 6 and 7 stand for a number behind the header. */
const SIZES = [0, 192, 576, 1152, 2304, 4608, 0, 0, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768]

/**
 * What a FLAC file says, after its frames were counted (RFC 9639); `undefined` for another file. A frame is known by
 * its mark, its check sum and its number, which must be the next.
 *
 * @throws AgidbError `AGIDB_MEDIA` for one whose frames do not have the samples that it says
 */
export function flacHeader(bytes: Uint8Array): AudioHeader | undefined {
  if (!says(bytes, 0, 'fLaC')) return undefined
  if (bytes.length < 42 || (bytes[4] & 0x7f) !== 0) throw damaged('FLAC')
  const view = viewOf(bytes)
  const about = view.getUint32(18)
  const sampleRate = about >>> 12
  const channels = ((about >>> 9) & 7) + 1
  const said = (bytes[21] & 15) * 2 ** 32 + view.getUint32(22)
  let at = 4
  for (let isLast = false; !isLast; ) {
    if (at + 4 > bytes.length) throw damaged('FLAC')
    isLast = bytes[at] >= 0x80
    at += 4 + (view.getUint32(at) & 0xffffff)
  }
  let length = 0
  let lastFrame = at
  for (let frame = 0; at + 6 <= bytes.length; at++) {
    if (bytes[at] !== 0xff || (bytes[at + 1] & 0xfe) !== 0xf8) continue
    const size = blockSize(bytes, at, (bytes[at + 1] & 1) === 1 ? length : frame)
    if (size === undefined) continue
    length += size
    frame++
    lastFrame = at
  }
  const isWhole = checkSum16(bytes.subarray(lastFrame)) === 0
  if (length === 0 || !isWhole || (said > 0 && said !== length)) throw damaged('FLAC')
  return { type: 'audio/flac', sampleRate, channels, length }
}

/** Samples of the block that begins here; `undefined` where none does, or not the one of this number. */
function blockSize(bytes: Uint8Array, at: number, number: number): number | undefined {
  const [sizeCode, rateCode] = [bytes[at + 2] >> 4, bytes[at + 2] & 15]
  if (sizeCode === 0 || rateCode === 15) return undefined
  const [found, after] = codedNumber(bytes, at + 4)
  if (found !== number) return undefined
  let end = after
  let size = SIZES[sizeCode]
  if (sizeCode === 6) size = bytes[end++] + 1
  else if (sizeCode === 7) size = bytes[end++] * 256 + bytes[end++] + 1
  if (rateCode >= 12) end += rateCode === 12 ? 1 : 2
  return end < bytes.length && checkSum(bytes, at, end) === bytes[end] ? size : undefined
}

/** A number coded as UTF-8 codes characters, up to seven bytes, and where it ends. */
function codedNumber(bytes: Uint8Array, at: number): [number: number, end: number] {
  const first = bytes[at]
  if (first < 0x80) return [first, at + 1]
  const more = Math.clz32(~(first << 24)) - 1
  let number = more < 6 ? first & (0x3f >> more) : 0
  for (let i = 1; i <= more; i++) number = number * 64 + (bytes[at + i] & 0x3f)
  return [number, at + 1 + more]
}

/** CRC-8 with the polynomial x^8 + x^2 + x + 1. */
function checkSum(bytes: Uint8Array, from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; at++) {
    sum ^= bytes[at]
    for (let bit = 0; bit < 8; bit++) sum = ((sum << 1) ^ (sum & 0x80 ? 7 : 0)) & 0xff
  }
  return sum
}

/** CRC-16 with the polynomial x^16 + x^15 + x^2 + 1: zero for a frame that is whole, since its own sum is behind it. */
function checkSum16(frame: Uint8Array): number {
  let sum = 0
  for (const byte of frame) {
    sum ^= byte << 8
    for (let bit = 0; bit < 8; bit++) sum = ((sum << 1) ^ (sum & 0x8000 ? 0x8005 : 0)) & 0xffff
  }
  return sum
}
