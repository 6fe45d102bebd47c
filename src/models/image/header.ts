import { AgidbError } from '../../base/errors.js'

/** Pixels of a picture, at most: decoded they take four bytes each. */
export const MAX_PIXELS = 2 ** 25
/** Bytes of the file of a picture, at most. */
export const MAX_BYTES = 2 ** 26

/** What the first bytes of a picture's file say. */
export interface ImageHeader {
  readonly type: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'
  readonly width: number
  readonly height: number
}

/**
 * Reads the kind and the size of a picture out of its file, and looks whether the file has its end, before anything is
 * decoded: decoders fill what is missing with grey, and a few bytes can ask for gigabytes.
 *
 * @throws AgidbError `AGIDB_MEDIA` for what is no PNG, JPEG, WebP or GIF, or is cut short; `AGIDB_TOO_LARGE`
 */
export function readImageHeader(bytes: Uint8Array): ImageHeader {
  if (bytes.length > MAX_BYTES) throw tooLarge(`has ${bytes.length} bytes; at most ${MAX_BYTES} are read`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const header = png(bytes, view) ?? jpeg(bytes, view) ?? webp(bytes, view) ?? gif(bytes, view)
  if (header === undefined)
    throw new AgidbError('AGIDB_MEDIA', 'the picture is no PNG, JPEG, WebP or GIF', { bytes: bytes.length })
  checkPixels(header.width, header.height)
  return header
}

/** @throws AgidbError `AGIDB_MEDIA` for a picture without pixels, `AGIDB_TOO_LARGE` for one of too many. */
export function checkPixels(width: number, height: number): void {
  const isWhole = [width, height].every((side) => Number.isInteger(side) && side > 0)
  if (!isWhole) throw new AgidbError('AGIDB_MEDIA', `the picture is ${width} × ${height} pixels`, { width, height })
  if (width * height > MAX_PIXELS) throw tooLarge(`is ${width} × ${height} pixels; at most ${MAX_PIXELS} are decoded`)
}

function png(bytes: Uint8Array, view: DataView): ImageHeader | undefined {
  if (!begins(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return undefined
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    // IEND, which is never the first.
    if (view.getUint32(at + 4) !== 0x49454e44 || at === 8) continue
    return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) }
  }
  throw cut('PNG')
}

function jpeg(bytes: Uint8Array, view: DataView): ImageHeader | undefined {
  if (!begins(bytes, [0xff, 0xd8, 0xff])) return undefined
  let end = bytes.length
  while (end > 4 && !(bytes[end - 2] === 0xff && bytes[end - 1] === 0xd9)) end--
  // The marks of frames, without those of tables of Huffman codes, of arithmetic codes, and of what is reserved.
  const isFrame = (mark: number) => mark >= 0xc0 && mark <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(mark)
  for (let at = 2; at + 9 <= end && bytes[at] === 0xff; ) {
    const mark = bytes[at + 1]
    if (mark === 0xff) at++
    else if (isFrame(mark)) return { type: 'image/jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    else at += 2 + view.getUint16(at + 2)
  }
  throw cut('JPEG')
}

function webp(bytes: Uint8Array, view: DataView): ImageHeader | undefined {
  if (!begins(bytes, [0x52, 0x49, 0x46, 0x46]) || !begins(bytes.subarray(8), [0x57, 0x45, 0x42, 0x50])) return undefined
  if (bytes.length < 30 || view.getUint32(4, true) + 8 > bytes.length) throw cut('WebP')
  const type = 'image/webp'
  const kind = view.getUint32(12)
  const three = (at: number) => view.getUint16(at, true) + 65_536 * bytes[at + 2] + 1
  if (kind === 0x56503858) return { type, width: three(24), height: three(27) } // VP8X
  if (kind === 0x5650384c) {
    const bits = view.getUint32(21, true) // VP8L
    return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
}

function gif(bytes: Uint8Array, view: DataView): ImageHeader | undefined {
  if (!begins(bytes, [0x47, 0x49, 0x46, 0x38])) return undefined
  if (bytes.length < 14 || !bytes.subarray(-2).includes(0x3b)) throw cut('GIF')
  return { type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) }
}

function begins(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, i) => bytes[i] === byte)
}

function cut(format: string): AgidbError {
  return new AgidbError('AGIDB_MEDIA', `the picture is a ${format} that is cut short or damaged`, { format })
}

function tooLarge(what: string): AgidbError {
  return new AgidbError('AGIDB_TOO_LARGE', `the picture ${what}`)
}
