import type { CheckpointPart, StoredCheckpoint } from '../../../api/storage.js'
import type { CheckpointArray, CheckpointParts } from '../../../base/checkpoint-parts.js'
import { crc32c } from '../../../base/crc32c.js'
import { AgidbError } from '../../../base/errors.js'
import { bytesOf, type SqliteDatabase } from './database.js'
import { PIECE_BYTES } from './tables.js'

const TYPES = { u8: Uint8Array, u16: Uint16Array, i32: Int32Array, u32: Uint32Array, f64: Float64Array } as const
type TypeName = keyof typeof TYPES

/** A part of a checkpoint: its bytes are the pieces with its number. */
interface Entry {
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

/** The table with the pieces of the checkpoint of a memory. */
export class CheckpointTable {
  readonly #database: SqliteDatabase
  readonly #name: string

  constructor(database: SqliteDatabase, prefix: string) {
    this.#database = database
    this.#name = `${prefix}_checkpoint`
  }

  /** Makes the table where it is not there. */
  create(): void {
    this.#database.run(`CREATE TABLE IF NOT EXISTS ${this.#name} (part INTEGER NOT NULL, piece INTEGER NOT NULL,
      bytes BLOB NOT NULL, PRIMARY KEY (part, piece))`)
  }

  /** Drops the table. */
  drop(): void {
    this.#database.run(`DROP TABLE ${this.#name}`)
  }

  /** The checkpoint that a directory lists. */
  stored({ parts }: Directory): StoredCheckpoint {
    return {
      parts: async (prefix, isAuthenticated) => {
        const found: CheckpointParts = new Map()
        for (const { name, type, number, bytes: length, checksum, mark } of parts) {
          if (mark !== undefined || !name.startsWith(prefix)) continue
          const bytes = new Uint8Array(length)
          this.#fill(name, number, bytes, 0)
          if (!isAuthenticated?.(bytes) && crc32c(bytes) !== checksum) throw this.#damaged(name)
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
        if (entry === undefined || from + into.length > entry.bytes) throw this.#damaged(wanted)
        this.#fill(wanted, entry.number, into, from)
      },
    }
  }

  /**
   * Whether a part is what was written.
   *
   * @param digest makes the mark of a part.
   */
  isIntact({ name, number, bytes: length, checksum, mark }: Entry, digest: (bytes: Uint8Array) => string): boolean {
    const bytes = new Uint8Array(length)
    try {
      this.#fill(name, number, bytes, 0)
    } catch {
      return false
    }
    return mark === undefined ? crc32c(bytes) === checksum : digest(bytes) === mark
  }

  /**
   * Writes the parts of a checkpoint beside those of the last one. Parts with the same name and mark are not written
   * again. Until its directory is stored, it does not count.
   */
  async write(commit: number, parts: Iterable<CheckpointPart>, last?: Directory): Promise<Directory> {
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
      for (let piece = 0; piece * PIECE_BYTES < bytes.length; piece++)
        this.#database.run(
          `INSERT OR REPLACE INTO ${this.#name} VALUES (?, ?, ?)`,
          number,
          piece,
          bytes.slice(piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES),
        )
      const proof = mark === undefined ? { checksum: crc32c(bytes) } : { mark }
      written.push({ name, number, type, bytes: bytes.length, ...proof })
    }
    return { commit, parts: written }
  }

  /** Deletes all pieces that a directory does not list: those of an older checkpoint, or of one that was cut off. */
  keepOnly(directory: Directory | undefined): void {
    const kept = new Set(directory?.parts.map(({ number }) => number))
    for (const { part } of this.#database.run(`SELECT DISTINCT part FROM ${this.#name}`))
      if (!kept.has(part as number)) this.#database.run(`DELETE FROM ${this.#name} WHERE part = ?`, part)
  }

  #fill(name: string, number: number, into: Uint8Array, from: number): void {
    const [first, last] = [Math.floor(from / PIECE_BYTES), Math.floor((from + into.length - 1) / PIECE_BYTES)]
    for (let piece = first; piece <= last; piece++) {
      const statement = `SELECT bytes FROM ${this.#name} WHERE part = ? AND piece = ?`
      const [found] = this.#database.run(statement, number, piece)
      const start = Math.max(0, from - piece * PIECE_BYTES)
      const at = piece * PIECE_BYTES + start - from
      const wanted = Math.min(PIECE_BYTES - start, into.length - at)
      const bytes = found === undefined ? new Uint8Array(0) : bytesOf(found.bytes).subarray(start, start + wanted)
      if (bytes.length !== wanted) throw this.#damaged(name)
      into.set(bytes, at)
    }
  }

  #damaged(part: string): AgidbError {
    const message = `the part ${part} of the checkpoint of ${this.#database.name} is damaged; it will be made again`
    return new AgidbError('AGIDB_CORRUPT', message, { part })
  }
}

function asBytes(array: CheckpointArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}
