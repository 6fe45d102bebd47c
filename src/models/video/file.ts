import { AgidbError } from '../../base/errors.js'

/** Bytes of the file of a video, at most. */
export const MAX_BYTES = 2 ** 28

/** What a part of a file says of itself: where it ends, if it says so, and whether it says what is in the file. */
interface Part {
  readonly name: string
  readonly end: number
}

/** Parts of the highest level that are read of an MP4, at most. */
const MAX_PARTS = 65_536

/**
 * Looks whether a file is a whole MP4 or WebM, before anything is decoded: of one that is cut short, browsers play what
 * there is. A WebM that was recorded as it came does not say how long it is.
 *
 * @throws AgidbError `AGIDB_MEDIA` for what is neither, or is cut short; `AGIDB_TOO_LARGE`
 */
export async function checkFile(file: Blob): Promise<void> {
  if (file.size > MAX_BYTES)
    throw new AgidbError('AGIDB_TOO_LARGE', `the video has ${file.size} bytes; at most ${MAX_BYTES} are read`)
  const head = await read(file, 0, 64)
  if (head.byteLength >= 12 && text(head, 4) === 'ftyp') return checkMp4(file)
  if (head.byteLength >= 12 && head.getUint32(0) === 0x1a45dfa3) return checkWebM(head, file.size)
  throw new AgidbError('AGIDB_MEDIA', 'the video is no MP4 or WebM', { bytes: file.size })
}

async function checkMp4(file: Blob): Promise<void> {
  const names = new Set<string>()
  for (let at = 0, parts = 0; at < file.size && parts < MAX_PARTS; parts++) {
    const { name, end } = part(await read(file, at, 16), at, file.size)
    if (end > file.size || end <= at) throw cut('MP4')
    names.add(name)
    at = end
  }
  if (!names.has('moov')) throw cut('MP4')
}

/** A box of ISO/IEC 14496-12: its length in 32 bits, or after its name in 64; 0 is the rest of the file. */
function part(view: DataView, at: number, size: number): Part {
  if (view.byteLength < 8) throw cut('MP4')
  const length = view.getUint32(0)
  const long = length === 1 && view.byteLength >= 16
  return { name: text(view, 4), end: length === 0 ? size : at + (long ? Number(view.getBigUint64(8)) : length) }
}

/** The header of EBML (RFC 8794), and the segment that follows it. */
function checkWebM(head: DataView, size: number): void {
  const header = sizeAt(head, 4)
  const at = header === undefined || header.size === undefined ? head.byteLength : header.end + header.size
  if (at + 5 > head.byteLength || head.getUint32(at) !== 0x18538067) throw cut('WebM')
  const segment = sizeAt(head, at + 4)
  if (segment === undefined) throw cut('WebM')
  if (segment.size !== undefined && segment.end + segment.size > size) throw cut('WebM')
}

/** A length of EBML: the zeros before its first bit say how many bytes it has; all ones is none. */
function sizeAt(view: DataView, at: number): { readonly end: number; readonly size?: number } | undefined {
  const first = at < view.byteLength ? view.getUint8(at) : 0
  const bytes = Math.clz32(first) - 23
  if (first === 0 || at + bytes > view.byteLength) return undefined
  let size = first & (0xff >> bytes)
  let isOpen = size === 0xff >> bytes
  for (let i = 1; i < bytes; i++) {
    const byte = view.getUint8(at + i)
    size = 256 * size + byte
    isOpen &&= byte === 0xff
  }
  return isOpen ? { end: at + bytes } : { end: at + bytes, size }
}

async function read(file: Blob, from: number, bytes: number): Promise<DataView> {
  return new DataView(await file.slice(from, from + bytes).arrayBuffer())
}

function text(view: DataView, at: number): string {
  return String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, 4))
}

function cut(format: string): AgidbError {
  return new AgidbError('AGIDB_MEDIA', `the video is a ${format} that is cut short or damaged`, { format })
}
