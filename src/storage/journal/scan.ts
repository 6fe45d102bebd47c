import { Window, type BlockFile } from '../block/block-file.js'
import {
  corrupt,
  FRAME_HEADER_BYTES,
  frameIsIntact,
  framesAt,
  nextFrameMagic,
  readFrameHeader,
  type FrameHeader,
  type JournalHeader,
} from './frame.js'
import { pace } from '../../base/pace.js'

/** How much to read of a journal at a time. */
export const READ_AHEAD_BYTES = 1 << 20

/** A whole frame whose checksum is right. */
export interface Frame {
  readonly lsn: number
  /** Position in the file. */
  readonly at: number
  /** The frame; a view, valid until the next one. */
  readonly bytes: Uint8Array
}

/** Where the valid frames of a journal end, and where the file does. */
export interface Extent {
  /** LSN of the last valid frame. */
  readonly lsn: number
  /** Position after the last valid frame. */
  readonly end: number
  /** Length of the file. More than `end` when there is a tail that cannot be read. */
  readonly size: number
  /** What that tail is. */
  readonly tail?: Tail
}

/**
 * What stands after the last valid frame: one that the file ends before (a crash during its writing leaves that), a
 * whole one with a wrong checksum (a crash of the machine can leave that, and so can a damaged disk), no frame, or
 * several, of which the first cannot be read and none was flushed before a later one was written (a crash of the
 * machine leaves that with relaxed durability).
 */
export type Tail = 'cut-short' | 'checksum-mismatch' | 'no-frame' | 'unflushed'

/** A place between two frames of a journal. */
export interface Cursor {
  /** LSN of the frame before it. */
  readonly lsn: number
  /** Position of the frame after it. */
  readonly at: number
}

/** The place before the first frame. */
export function startOf(header: JournalHeader): Cursor {
  return { lsn: header.baseLsn, at: framesAt(header) }
}

/**
 * Visits every frame from a place on. Where the frames stop being valid, looks through the rest of the file: if no
 * later frame of this journal shows that the one that is due was flushed, the rest is the tail; if one does, the
 * journal is damaged in the middle, and that is `AGIDB_CORRUPT`. So it is when the frames end before what the seal says
 * was flushed.
 */
export async function scan(
  file: BlockFile,
  header: JournalHeader,
  visit: (frame: Frame) => void | Promise<void>,
  from = startOf(header),
): Promise<Extent> {
  const size = await file.size()
  const window = new Window(file, size, READ_AHEAD_BYTES)
  const rest = pace()
  let { lsn, at: end } = from
  while (end < size) {
    await rest()
    const frame = await readFrame(window, header, end, size)
    if (!frame) {
      const later = await findFrame(file, header, end + 1, size, showsFlushed(lsn + 1))
      if (later !== undefined) {
        throw corrupt(file.name, end, `the frame there cannot be read, but a later one at byte ${later} can`)
      }
      expectSealed(file, header, end)
      return { lsn, end, size, tail: await tailAt(file, header, { lsn, at: end }, size) }
    }
    if (frame.lsn !== lsn + 1) {
      throw corrupt(file.name, end, `the frame there has sequence number ${frame.lsn}, ${lsn + 1} is due`)
    }
    await visit(frame)
    lsn = frame.lsn
    end += frame.bytes.length
  }
  expectSealed(file, header, end)
  return { lsn, end, size }
}

/**
 * Throws `AGIDB_CORRUPT` when the frames of a journal end before what it was sealed with: all of that was flushed
 * before the seal was written.
 */
function expectSealed(file: BlockFile, header: JournalHeader, end: number): void {
  if (!isSealedAt(header, end)) return
  const what = `the last frame that can be read ends there, and the journal was sealed up to byte ${header.seal!.at}`
  throw corrupt(file.name, end, what)
}

/** Whether what stands at a position is part of what a journal was sealed with. */
export function isSealedAt({ seal }: JournalHeader, at: number): boolean {
  return seal !== undefined && at < seal.at
}

/**
 * Whether a frame shows that the one with the number `due`, which is not where it should be, had been flushed and not
 * been the end: then it was lost later. So it is when it was flushed before this one was written, and when this one is
 * it, elsewhere.
 */
export function showsFlushed(due: number): (later: FrameHeader) => boolean {
  return ({ lsn, unflushed }) => lsn === due || lsn - unflushed > due
}

/** What stands at a place where no valid frame does, and none shows that one did. */
export async function tailAt(file: BlockFile, header: JournalHeader, { lsn, at }: Cursor, size: number): Promise<Tail> {
  if ((await findFrame(file, header, at + 1, size, (later) => later.lsn > lsn)) !== undefined) return 'unflushed'
  if (size - at < FRAME_HEADER_BYTES) return 'cut-short'
  const start = readFrameHeader(await new Window(file, size, 0).bytes(at, FRAME_HEADER_BYTES), header)
  if (!start) return 'no-frame'
  return at + start.bytes > size ? 'cut-short' : 'checksum-mismatch'
}

/** The valid frame at `at`, or `undefined`. */
export async function readFrame(
  window: Window,
  header: JournalHeader,
  at: number,
  size: number,
): Promise<Frame | undefined> {
  const start = readFrameHeader(await window.bytes(at, FRAME_HEADER_BYTES), header)
  if (!start || at + start.bytes > size) return undefined
  const bytes = await window.bytes(at, start.bytes)
  if (bytes.length < start.bytes || !frameIsIntact(bytes)) return undefined
  return { lsn: start.lsn, at, bytes }
}

/** The position of the first valid frame at or after `from` that is wanted. */
export async function findFrame(
  file: BlockFile,
  header: JournalHeader,
  from: number,
  size: number,
  wanted: (frame: FrameHeader) => boolean,
): Promise<number | undefined> {
  const search = new Window(file, size, READ_AHEAD_BYTES)
  const candidates = new Window(file, size, 0)
  const rest = pace()
  for (let start = from; start + FRAME_HEADER_BYTES <= size; start += READ_AHEAD_BYTES - FRAME_HEADER_BYTES) {
    await rest()
    const bytes = await search.bytes(start, READ_AHEAD_BYTES)
    for (let at = nextFrameMagic(bytes, 0); at >= 0; at = nextFrameMagic(bytes, at + 1)) {
      const candidate = readFrameHeader(bytes.subarray(at, at + FRAME_HEADER_BYTES), header)
      if (!candidate || !wanted(candidate)) continue
      if (await readFrame(candidates, header, start + at, size)) return start + at
    }
  }
  return undefined
}
