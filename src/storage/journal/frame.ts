import { AgidbError } from '../../base/errors.js'
import { encodeChanges, type Entry, type Room } from './changes.js'
import { crc32c } from '../../base/crc32c.js'
import { fromHex, randomHex, toHex } from '../../base/hex.js'
import type { StorageChange } from '../../api/storage.js'

/**
 * The newest version of the journal format. Since 2 there are `setSignatures` entries, and the kinds of signature that
 * only they need; a journal of version 1 is read and written as it is until the first of these comes. Since 3 a journal
 * can be begun out of another one, and then has a seal. 4 is 2 or 3, which its length tells, where commits were not
 * flushed one by one. Since 5 signatures have a checksum of their own; it is 2 or 3, too, and commits need not be
 * flushed one by one.
 */
export const FORMAT_VERSION = 5
/** What a new database has, with {@link JournalHeader.checked}. */
const NEW_VERSION = 2
/** The version of a journal that is begun out of another one. */
export const SEALED_VERSION = 3
/** What stands in the file of a journal that is {@link JournalHeader.relaxed}. */
const RELAXED_VERSION = 4
/**
 * What stands in the file of a journal that is {@link JournalHeader.checked}. No journal gets it after it was begun.
 */
const CHECKED_VERSION = 5
/** Bytes of the file header, after which the seal stands in version 3. `docs/format.md` has the layout. */
export const HEADER_BYTES = 64
/** Bytes of the file header with the seal after it, in a journal of version 3. */
export const SEALED_HEADER_BYTES = 128
/** Bytes of a frame before its body. */
export const FRAME_HEADER_BYTES = 32
/** The longest body of a frame, so that a frame can be checked in memory. */
export const MAX_BODY_BYTES = 1 << 28

/** The most commits before one that may not be flushed when it is written, because two bytes say how many. */
export const MAX_UNFLUSHED = 0xffff

/** `AGIDBJNL`. */
const FILE_MAGIC = Uint8Array.of(0x41, 0x47, 0x49, 0x44, 0x42, 0x4a, 0x4e, 0x4c)
/** `AGFR`. */
const FRAME_MAGIC = Uint8Array.of(0x41, 0x47, 0x46, 0x52)

/** `AGSL`, read as a little-endian number. */
const SEAL_MAGIC = 0x4c534741

/** Flags of the header; the first only in version 1 and 2. */
const UNFINISHED = 1
const COMPACTED = 2

/** Says that all is in a journal that it was begun with, and where that ends. */
export interface Seal {
  /** LSN of the last frame of it. */
  readonly lsn: number
  /** Position after that frame. */
  readonly at: number
  /** LSN of the last commit that is in it, in the journal that it was begun out of. */
  readonly of: number
}

/** What a journal says about itself in its first bytes. */
export interface JournalHeader {
  /** The version of the format, 1 to {@link SEALED_VERSION}. */
  readonly version: number
  /** Commits in it may have been written before those in front of them were flushed; such a frame says so. */
  readonly relaxed?: boolean
  /**
   * The signatures of every entry have a checksum; and it counts as {@link relaxed}, since a version that can read it
   * knows that flag.
   */
  readonly checked?: boolean
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
  /**
   * Of a journal that was begun out of another one. Without it, one of version 3 is worth nothing: it is being written,
   * or was moved away.
   */
  readonly seal?: Seal
  /** Likewise in version 1 and 2. */
  readonly unfinished?: boolean
  /** It was begun out of a journal that could be read, which need not be kept. */
  readonly compacted?: boolean
}

/** Whether a journal has all that it was begun with. */
export function isComplete({ version, seal, unfinished }: JournalHeader): boolean {
  return version >= SEALED_VERSION ? seal !== undefined : !unfinished
}

/** Where the first frame begins. */
export function framesAt({ version }: JournalHeader): number {
  return version >= SEALED_VERSION ? SEALED_HEADER_BYTES : HEADER_BYTES
}

/** A new database, with a random id. */
export function newHeader(createdAt: number): JournalHeader {
  return {
    version: NEW_VERSION,
    databaseId: randomHex(16),
    createdAt,
    baseLsn: 0,
    nextSlot: 0,
    epoch: 0,
    checked: true,
  }
}

/** The header as it stands in the file; the seal is written over it later. */
export function encodeHeader(header: JournalHeader): Uint8Array {
  const bytes = new Uint8Array(framesAt(header))
  const view = new DataView(bytes.buffer)
  bytes.set(FILE_MAGIC, 0)
  view.setUint32(8, header.checked ? CHECKED_VERSION : header.relaxed ? RELAXED_VERSION : header.version, true)
  view.setUint32(12, bytes.length, true)
  bytes.set(fromHex(header.databaseId), 16)
  view.setBigUint64(32, BigInt(header.createdAt), true)
  view.setBigUint64(40, BigInt(header.baseLsn), true)
  view.setUint32(48, header.nextSlot, true)
  view.setUint32(52, header.epoch, true)
  view.setUint32(56, (header.unfinished ? UNFINISHED : 0) | (header.compacted ? COMPACTED : 0), true)
  view.setUint32(60, crc32c(bytes, 0, 60), true)
  return bytes
}

/** The seal of a journal, to be written at {@link HEADER_BYTES}. */
export function encodeSeal({ epoch }: JournalHeader, { lsn, at, of }: Seal): Uint8Array {
  const bytes = new Uint8Array(SEALED_HEADER_BYTES - HEADER_BYTES)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, SEAL_MAGIC, true)
  view.setUint32(8, epoch, true)
  view.setBigUint64(16, BigInt(lsn), true)
  view.setBigUint64(24, BigInt(at), true)
  view.setBigUint64(32, BigInt(of), true)
  view.setUint32(4, crc32c(bytes, 8), true)
  return bytes
}

/** `undefined` where there is none, or not all of it, or one of an earlier journal in the same file. */
function decodeSeal(bytes: Uint8Array, epoch: number): Seal | undefined {
  if (bytes.length < SEALED_HEADER_BYTES - HEADER_BYTES) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (
    view.getUint32(0, true) !== SEAL_MAGIC ||
    view.getUint32(8, true) !== epoch ||
    view.getUint32(4, true) !== crc32c(bytes, 8)
  )
    return undefined
  return {
    lsn: Number(view.getBigUint64(16, true)),
    at: Number(view.getBigUint64(24, true)),
    of: Number(view.getBigUint64(32, true)),
  }
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
    const message =
      `${file} has format ${version}; this version of agidb reads formats up to ${FORMAT_VERSION}: ` + 'use a newer one'
    throw new AgidbError('AGIDB_NEWER_FORMAT', message, { file, version, supported: FORMAT_VERSION })
  }
  if (bytes.length < HEADER_BYTES) return undefined
  const isSealed = view.getUint32(12, true) === SEALED_HEADER_BYTES
  const upgraded = isSealed ? [SEALED_VERSION, RELAXED_VERSION] : [1, NEW_VERSION, RELAXED_VERSION]
  const known = [...upgraded, CHECKED_VERSION]
  const candidates = version === CHECKED_VERSION ? [version] : [version, ...upgraded]
  const [stored, own] = [view.getUint32(60, true), checksumAs(version, bytes)]
  const found = candidates.find((candidate) => isMixed(stored, own, checksumAs(candidate, bytes)))
  if (found === undefined) throw corrupt(file, 0, 'the checksum of its header is wrong')
  if (!known.includes(version) || (!isSealed && view.getUint32(12, true) !== HEADER_BYTES)) {
    throw corrupt(file, 0, `its header names format ${version}, which does not exist`)
  }
  // When the two disagree, a crash cut the upgrade short, before anything of the newer version was written.
  const effective = Math.min(version, found)
  const relaxed = effective === RELAXED_VERSION
  const checked = effective === CHECKED_VERSION
  const epoch = view.getUint32(52, true)
  const flags = view.getUint32(56, true)
  const seal = isSealed ? decodeSeal(bytes.subarray(HEADER_BYTES), epoch) : undefined
  return {
    version: relaxed || checked ? (isSealed ? SEALED_VERSION : NEW_VERSION) : effective,
    ...(relaxed && { relaxed }),
    ...(checked && { checked }),
    databaseId: toHex(bytes.subarray(16, 32)),
    createdAt: Number(view.getBigUint64(32, true)),
    baseLsn: Number(view.getBigUint64(40, true)),
    nextSlot: view.getUint32(48, true),
    epoch,
    ...(seal && { seal }),
    ...((flags & UNFINISHED) !== 0 && { unfinished: true }),
    ...((flags & COMPACTED) !== 0 && { compacted: true }),
  }
}

/** The checksum of a header if it named this version. */
function checksumAs(version: number, header: Uint8Array): number {
  const bytes = header.slice(0, 60)
  new DataView(bytes.buffer).setUint32(8, version, true)
  return crc32c(bytes)
}

/**
 * Whether each byte of a number is that of one of two others: the one is written over the other, and a crash can cut
 * that anywhere.
 */
function isMixed(number: number, one: number, other: number): boolean {
  return [0, 8, 16, 24].every((shift) => [one, other].some((whole) => (((number ^ whole) >>> shift) & 0xff) === 0))
}

/** One commit as it stands in the file. */
export interface EncodedFrame {
  readonly bytes: Uint8Array
  /** Positions are relative to `bytes`. */
  readonly entries: readonly Entry[]
}

/**
 * Encodes a commit as a frame. Throws `AGIDB_TOO_LARGE` over {@link MAX_BODY_BYTES}.
 *
 * @param unflushed commits right before it that are not known to be flushed, {@link MAX_UNFLUSHED} at most
 * @param room gives what to encode into, instead of a new array
 */
export function encodeFrame(
  header: JournalHeader,
  lsn: number,
  changes: readonly StorageChange[],
  unflushed = 0,
  room?: Room,
): EncodedFrame {
  const { body: bytes, entries } = encodeChanges(changes, FRAME_HEADER_BYTES, MAX_BODY_BYTES, room, header.checked)
  const length = bytes.length - FRAME_HEADER_BYTES
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  bytes.set(FRAME_MAGIC, 0)
  view.setUint32(8, length, true)
  view.setUint32(12, header.epoch, true)
  view.setBigUint64(16, BigInt(lsn), true)
  view.setUint16(22, unflushed, true)
  bytes.set(fromHex(header.databaseId).subarray(0, 8), 24)
  view.setUint32(4, crc32c(bytes, 8), true)
  return { bytes, entries }
}

/** The first position from `from` to `end` (exclusive) at which a frame may start, or -1. */
export function nextFrameMagic(bytes: Uint8Array, from: number, end = bytes.length): number {
  const [first, second, third, fourth] = FRAME_MAGIC
  for (let at = from; at < end; at++) {
    if (bytes[at] === first && bytes[at + 1] === second && bytes[at + 2] === third && bytes[at + 3] === fourth)
      return at
  }
  return -1
}

/** What stands before the body of a frame. */
export interface FrameHeader {
  readonly lsn: number
  /** Commits right before it that were not known to be flushed when it was written; 0 but with relaxed durability. */
  readonly unflushed: number
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
  return { lsn: lsnOf(view), unflushed: view.getUint16(22, true), bytes: FRAME_HEADER_BYTES + length }
}

/** A number of 48 bits. */
function lsnOf(frame: DataView): number {
  return frame.getUint32(16, true) + frame.getUint16(20, true) * 2 ** 32
}

/** Whose frame `bytes` begin with, if they begin like one: the first 16 digits of the id of the database. */
export function ownerOf(
  bytes: Uint8Array,
): { readonly databaseId: string; readonly epoch: number; readonly lsn: number; readonly bytes: number } | undefined {
  if (bytes.length < FRAME_HEADER_BYTES || nextFrameMagic(bytes, 0, 1) !== 0) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const length = view.getUint32(8, true)
  if (length > MAX_BODY_BYTES) return undefined
  const databaseId = toHex(bytes.subarray(24, 32))
  return { databaseId, epoch: view.getUint32(12, true), lsn: lsnOf(view), bytes: FRAME_HEADER_BYTES + length }
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
