// A checkpoint in a table: each part is cut into pieces, and a directory lists the parts.
import type { CheckpointPart, StoredCheckpoint, VerifyVisitor } from '../../api/storage.js'
import type { CheckpointArray, CheckpointParts } from '../../base/checkpoint-parts.js'
import { crc32c } from '../../base/crc32c.js'
import { AgidbError } from '../../base/errors.js'
import { pace } from '../../base/pace.js'

/** Bytes of a piece; the last of a part may have fewer. */
export const PIECE_BYTES = 1 << 20

const TYPES = { u8: Uint8Array, u16: Uint16Array, i32: Int32Array, u32: Uint32Array, f64: Float64Array } as const
type TypeName = keyof typeof TYPES

/** A part of a checkpoint: its bytes are the pieces with its number. */
export interface Entry {
  readonly name: string
  readonly number: number
  readonly type: TypeName
  readonly bytes: number
  /** CRC-32C; only of what has no mark. */
  readonly checksum?: number
  readonly mark?: string
}

/** What a checkpoint consists of. */
export interface Directory {
  /** The last commit that is in it. */
  readonly commit: number
  readonly parts: readonly Entry[]
}

/** Where pieces are read. */
export interface PieceReader {
  /** A name for people of the memory, for messages. */
  readonly name: string
  /** The bytes of a piece, which may be a view; `undefined` where it is not there. */
  piece(part: number, piece: number): Uint8Array | undefined | Promise<Uint8Array | undefined>
}

/** Where pieces are written. */
export interface PieceWriter {
  /** Writes a piece, over one with the same numbers. `bytes` is valid only during the call. */
  put(part: number, piece: number, bytes: Uint8Array): void | Promise<void>
}

/** The checkpoint that a directory lists. */
export function storedCheckpoint(table: PieceReader, { parts }: Directory): StoredCheckpoint {
  return {
    parts: async (prefix, isAuthenticated) => {
      const found: CheckpointParts = new Map()
      for (const { name, type, number, bytes: length, checksum, mark } of parts) {
        if (mark !== undefined || !name.startsWith(prefix)) continue
        const bytes = new Uint8Array(length)
        await fill(table, name, number, bytes, 0)
        if (!isAuthenticated?.(bytes) && crc32c(bytes) !== checksum) throw damaged(table, name)
        found.set(name, new TYPES[type](bytes.buffer, 0, length / TYPES[type].BYTES_PER_ELEMENT))
      }
      return found
    },
    marked(wanted) {
      const entry = parts.find(({ name }) => name === wanted)
      return entry?.mark === undefined ? undefined : { bytes: entry.bytes, mark: entry.mark }
    },
    fill: async (wanted, into, from) => {
      const entry = parts.find(({ name }) => name === wanted)
      if (entry === undefined || from + into.length > entry.bytes) throw damaged(table, wanted)
      await fill(table, wanted, entry.number, into, from)
    },
  }
}

/** Reads all parts again and reports those that are not what was written. */
export async function verifyParts(
  table: PieceReader,
  { parts }: Directory,
  { findings, digest }: Pick<VerifyVisitor, 'findings' | 'digest'>,
): Promise<void> {
  const rest = pace()
  for (const part of parts) {
    const { name } = part
    findings.checked.parts++
    if (!(await isIntact(table, part, digest))) {
      const message = `the part ${name} of the checkpoint is not what was written`
      findings.add('image-damaged', 'none', message, { part: name })
    }
    await rest()
  }
}

/**
 * Whether a part is what was written.
 *
 * @param digest makes the mark of a part.
 */
async function isIntact(
  table: PieceReader,
  { name, number, bytes: length, checksum, mark }: Entry,
  digest: (bytes: Uint8Array) => string,
): Promise<boolean> {
  const bytes = new Uint8Array(length)
  try {
    await fill(table, name, number, bytes, 0)
  } catch {
    return false
  }
  return mark === undefined ? crc32c(bytes) === checksum : digest(bytes) === mark
}

/**
 * Writes the parts of a checkpoint beside those of the last one. Parts with the same name and mark are not written
 * again. Until its directory is stored, it does not count.
 */
export async function writeParts(
  table: PieceWriter,
  commit: number,
  parts: Iterable<CheckpointPart>,
  last?: Directory,
): Promise<Directory> {
  const written: Entry[] = []
  let number = Math.max(0, ...(last?.parts ?? []).map((part) => part.number))
  for (const { name, mark, array } of parts) {
    const same = mark === undefined ? undefined : last?.parts.find((part) => part.name === name && part.mark === mark)
    if (same !== undefined) {
      written.push(same)
      continue
    }
    number++
    const whole = await array()
    const bytes = asBytes(whole)
    const type = (Object.keys(TYPES) as TypeName[]).find((type) => whole instanceof TYPES[type])!
    const { length } = bytes
    const proof = mark === undefined ? { checksum: crc32c(bytes) } : { mark }
    for (let piece = 0; piece * PIECE_BYTES < length; piece++) {
      // A view of WebAssembly memory may be detached while a piece is written.
      const current = piece === 0 ? bytes : asBytes(await array())
      await table.put(number, piece, current.subarray(piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES))
    }
    written.push({ name, number, type, bytes: length, ...proof })
  }
  return { commit, parts: written }
}

async function fill(table: PieceReader, name: string, part: number, into: Uint8Array, from: number): Promise<void> {
  const [first, last] = [Math.floor(from / PIECE_BYTES), Math.floor((from + into.length - 1) / PIECE_BYTES)]
  for (let piece = first; piece <= last; piece++) {
    const start = Math.max(0, from - piece * PIECE_BYTES)
    const at = piece * PIECE_BYTES + start - from
    const wanted = Math.min(PIECE_BYTES - start, into.length - at)
    const bytes = (await table.piece(part, piece))?.subarray(start, start + wanted)
    if (bytes?.length !== wanted) throw damaged(table, name)
    into.set(bytes, at)
  }
}

function damaged({ name }: PieceReader, part: string): AgidbError {
  const message = `the part ${part} of the checkpoint of ${name} is damaged; it will be made again`
  return new AgidbError('AGIDB_CORRUPT', message, { part })
}

function asBytes(array: CheckpointArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}
