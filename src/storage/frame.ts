import { AgidbError } from '../core/errors.js'
import { encodeChanges, type Entry } from './changes.js'
import { crc32c } from './crc32c.js'
import type { Change } from './port.js'

/**
 * The newest version of the journal format, which new journals have. Since 2 there are `sign` entries, and the kinds of
 * signature that only they need; a journal of version 1 is read and written as it is until the first of these comes.
 */
export const FORMAT_VERSION = 2
/** Bytes of the file header. `docs/format.md` has the layout. */
export const HEADER_BYTES = 64
/** Bytes of a frame before its body. */
export const FRAME_HEADER_BYTES = 32
/** The longest body of a frame, so that a frame can be checked in memory. */
export const MAX_BODY_BYTES = 1 << 28

/** `AGIDBJNL`. */
const FILE_MAGIC = Uint8Array.of(0x41, 0x47, 0x49, 0x44, 0x42, 0x4a, 0x4e, 0x4c)
/** `AGFR`. */
const FRAME_MAGIC = Uint8Array.of(0x41, 0x47, 0x46, 0x52)

/** A flag of the header. */
const UNFINISHED = 1

/** What a journal says about itself in its first bytes. */
export interface JournalHeader {
  /** The version of the format, 1 or {@link FORMAT_VERSION}. */
  readonly version: number
  /** 32 hexadecimal digits. */
  readonly databaseId: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** The log sequence number (LSN) before the first frame's. 0 in a new database. */
  readonly baseLsn: number
  /** The next free slot when the journal was begun. 0 in a new database. */
  readonly nextSlot: number
  /** Counts how often the journal of this database was begun anew. 0 in a new database. */
  readonly epoch: number
  /** Set until all that the journal was begun with is in it: before, it is worth nothing. */
  readonly unfinished?: boolean
}

/** A new database, with a random id. */
export function newHeader(createdAt: number): JournalHeader {
  const id = crypto.getRandomValues(new Uint8Array(16))
  return { version: FORMAT_VERSION, databaseId: toHex(id), createdAt, baseLsn: 0, nextSlot: 0, epoch: 0 }
}

export function encodeHeader(header: JournalHeader): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES)
  const view = new DataView(bytes.buffer)
  bytes.set(FILE_MAGIC, 0)
  view.setUint32(8, header.version, true)
  view.setUint32(12, HEADER_BYTES, true)
  bytes.set(fromHex(header.databaseId), 16)
  view.setBigUint64(32, BigInt(header.createdAt), true)
  view.setBigUint64(40, BigInt(header.baseLsn), true)
  view.setUint32(48, header.nextSlot, true)
  view.setUint32(52, header.epoch, true)
  view.setUint32(56, header.unfinished ? UNFINISHED : 0, true)
  view.setUint32(60, crc32c(bytes, 0, 60), true)
  return bytes
}

/**
 * Reads a header. `undefined` when the bytes are those of a file whose creation was cut short: fewer
 * than a header, and as far as they go those of one. Nothing was ever acknowledged in such a file,
 * because the header is flushed before the first frame is written.
 *
 * Throws `AGIDB_FOREIGN_FILE` when the magic is another's, `AGIDB_NEWER_FORMAT` and `AGIDB_CORRUPT`.
 */
export function decodeHeader(bytes: Uint8Array, file: string): JournalHeader | undefined {
  const magic = Math.min(bytes.length, FILE_MAGIC.length)
  for (let index = 0; index < magic; index++) {
    if (bytes[index] === FILE_MAGIC[index]) continue
    throw new AgidbError('AGIDB_FOREIGN_FILE', `${file} is no journal of agidb; it was left as it is`, { file })
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const version = bytes.length >= 12 ? view.getUint32(8, true) : FORMAT_VERSION
  if (version > FORMAT_VERSION) {
    const message = `${file} has format ${version}; this version of agidb reads formats up to ${FORMAT_VERSION}: use a newer one`
    throw new AgidbError('AGIDB_NEWER_FORMAT', message, { file, version, supported: FORMAT_VERSION })
  }
  if (bytes.length < HEADER_BYTES) return undefined
  const checked = [version, 1, FORMAT_VERSION].find((candidate) => checksumAs(candidate, bytes) === view.getUint32(60, true))
  if (checked === undefined) throw corrupt(file, 0, 'the checksum of its header is wrong')
  if (version < 1 || view.getUint32(12, true) !== HEADER_BYTES) {
    throw corrupt(file, 0, `its header names format ${version}, which does not exist`)
  }
  return {
    // When the two disagree, a crash cut the upgrade short, before anything of the newer version was written.
    version: Math.min(version, checked),
    databaseId: toHex(bytes.subarray(16, 32)),
    createdAt: Number(view.getBigUint64(32, true)),
    baseLsn: Number(view.getBigUint64(40, true)),
    nextSlot: view.getUint32(48, true),
    epoch: view.getUint32(52, true),
    ...(view.getUint32(56, true) & UNFINISHED && { unfinished: true }),
  }
}

/** The checksum of a header if it named this version. */
function checksumAs(version: number, header: Uint8Array): number {
  const bytes = header.slice(0, 60)
  new DataView(bytes.buffer).setUint32(8, version, true)
  return crc32c(bytes)
}

/** One commit as it stands in the file. */
export interface EncodedFrame {
  readonly bytes: Uint8Array
  /** Positions are relative to `bytes`. */
  readonly entries: readonly Entry[]
}

/** Encodes a commit as a frame. Throws `AGIDB_TOO_LARGE` over {@link MAX_BODY_BYTES}. */
export function encodeFrame(header: JournalHeader, lsn: number, changes: readonly Change[]): EncodedFrame {
  const { body: bytes, entries } = encodeChanges(changes, FRAME_HEADER_BYTES, MAX_BODY_BYTES)
  const length = bytes.length - FRAME_HEADER_BYTES
  const view = new DataView(bytes.buffer)
  bytes.set(FRAME_MAGIC, 0)
  view.setUint32(8, length, true)
  view.setUint32(12, header.epoch, true)
  view.setBigUint64(16, BigInt(lsn), true)
  bytes.set(fromHex(header.databaseId).subarray(0, 8), 24)
  view.setUint32(4, crc32c(bytes, 8), true)
  return { bytes, entries }
}

/** The first position from `from` to `end` (exclusive) at which a frame may start, or -1. */
export function nextFrameMagic(bytes: Uint8Array, from: number, end = bytes.length): number {
  const [first, second, third, fourth] = FRAME_MAGIC
  for (let at = from; at < end; at++) {
    if (bytes[at] === first && bytes[at + 1] === second && bytes[at + 2] === third && bytes[at + 3] === fourth) return at
  }
  return -1
}

/** What stands before the body of a frame. */
export interface FrameHeader {
  readonly lsn: number
  /** Bytes of the frame, header and body. */
  readonly bytes: number
}

/** The header of the frame that `bytes` begin with, or `undefined` when that is none of this journal's. */
export function readFrameHeader(bytes: Uint8Array, header: JournalHeader): FrameHeader | undefined {
  if (bytes.length < FRAME_HEADER_BYTES || nextFrameMagic(bytes, 0, 1) !== 0) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(12, true) !== header.epoch) return undefined
  const length = view.getUint32(8, true)
  if (length > MAX_BODY_BYTES || toHex(bytes.subarray(24, 32)) !== header.databaseId.slice(0, 16)) return undefined
  return { lsn: Number(view.getBigUint64(16, true)), bytes: FRAME_HEADER_BYTES + length }
}

/** Whether a whole frame is as it was written. */
export function frameIsIntact(bytes: Uint8Array): boolean {
  return frameChecksum(bytes) === crc32c(bytes, 8)
}

/** The checksum that a frame says it has. */
export function frameChecksum(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(4, true)
}

/** A damaged file. */
export function corrupt(file: string, offset: number, what: string, cause?: unknown): AgidbError {
  const message = `${file} is damaged at byte ${offset}: ${what}; it was left as it is, restore it from a copy`
  return new AgidbError('AGIDB_CORRUPT', message, { file, offset }, { cause })
}

function toHex(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0')
  return hex
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) => Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16))
}
