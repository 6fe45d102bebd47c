import type { CheckpointPart, StoredCheckpoint, VerifyVisitor } from '../../../api/storage.js'
import { AgidbError } from '../../../base/errors.js'
import {
  type Directory,
  PIECE_BYTES,
  type PieceReader,
  type PieceWriter,
  storedCheckpoint,
  verifyParts,
  writeParts,
} from '../../checkpoint/pieces.js'
import { arrayOf } from './arrays.js'
import { fromBytea } from './bytea.js'
import { rowsOf, type PostgresDriver } from './driver.js'
import type { Writing } from './writer.js'

/** Bytes that are read or written at a time: small parts go together, because each statement has its latency. */
const AT_ONCE = 4 * PIECE_BYTES
/** The same while questions are asked, which wait for what the connection is reading. */
const BESIDE_QUESTIONS = PIECE_BYTES
/** Questions are asked as long as the last statement of one is no older than this, in milliseconds. */
const ASKED_WITHIN = 1_000

interface Piece {
  readonly part: number
  readonly piece: number
}

/** The checkpoint of an open memory. */
export class KeptCheckpoint {
  readonly #driver: PostgresDriver
  readonly #namespace: string
  readonly #writer: Writing
  readonly #asked: () => number
  #directory: Directory | undefined
  #damage: unknown

  /**
   * @param asked answers how many milliseconds ago a question was asked.
   * @param directory as JSON; absent where there is none.
   */
  constructor(
    driver: PostgresDriver,
    namespace: string,
    writer: Writing,
    asked: () => number,
    directory: string | undefined,
  ) {
    this.#driver = driver
    this.#namespace = namespace
    this.#writer = writer
    this.#asked = asked
    try {
      if (directory !== undefined) this.#directory = parse(directory)
    } catch (error) {
      this.#damage = error
    }
  }

  get directory(): Directory | undefined {
    return this.#directory
  }

  /**
   * What is stored; `undefined` where there is none.
   *
   * @throws AgidbError `AGIDB_CORRUPT`
   */
  stored(): StoredCheckpoint | undefined {
    if (this.#damage !== undefined) throw this.#damage
    const directory = this.#directory
    return directory && storedCheckpoint(this.#pieces(directory), directory)
  }

  /** Reads it again and reports what is not as it was written. */
  async verify(visitor: VerifyVisitor): Promise<void> {
    if (this.#directory !== undefined) await verifyParts(this.#pieces(this.#directory), this.#directory, visitor)
    else if (this.#damage instanceof AgidbError) visitor.findings.add('image-damaged', 'none', this.#damage.message)
  }

  /** Deletes it: the next one is made of the rows. */
  async remove(): Promise<void> {
    await this.#writer.keep(undefined)
    this.#directory = this.#damage = undefined
  }

  /** A commit dropped it. */
  drop(): void {
    this.#directory = this.#damage = undefined
  }

  /** Stores another. When it rejects, the last one is still there. */
  async write(content: number, parts: Iterable<CheckpointPart>): Promise<void> {
    const last = this.#directory
    const waiting = new WaitingPieces(this.#writer)
    try {
      const directory = await writeParts(waiting, this.#writer.revision, parts, last)
      await waiting.flush()
      await this.#writer.keep(directory)
      this.#directory = directory
      this.#damage = undefined
    } catch (error) {
      await this.#writer.sweep(content, last).catch(() => undefined) // Otherwise the next opening does.
      throw error
    }
  }

  #pieces(directory: Directory): Pieces {
    return new Pieces(this.#driver, this.#namespace, this.#asked, directory)
  }
}

/** The pieces of a checkpoint as they are read: what is asked for, and what is likely to be asked for next. */
class Pieces implements PieceReader {
  readonly name: string
  readonly #driver: PostgresDriver
  readonly #namespace: string
  readonly #asked: () => number
  /** All pieces in the order of the directory, which is that in which they are read. */
  readonly #pieces: readonly (Piece & { readonly bytes: number })[]
  #ahead = new Map<string, Uint8Array>()

  constructor(driver: PostgresDriver, namespace: string, asked: () => number, { parts }: Directory) {
    this.name = `PostgreSQL ${namespace}`
    this.#driver = driver
    this.#namespace = namespace
    this.#asked = asked
    this.#pieces = parts.flatMap(({ number, bytes }) =>
      Array.from({ length: Math.ceil(bytes / PIECE_BYTES) }, (_, piece) => ({
        part: number,
        piece,
        bytes: Math.min(PIECE_BYTES, bytes - piece * PIECE_BYTES),
      })),
    )
  }

  async piece(part: number, piece: number): Promise<Uint8Array | undefined> {
    const key = keyOf({ part, piece })
    if (!this.#ahead.has(key)) this.#ahead = await this.#read(this.#from(part, piece))
    return this.#ahead.get(key)
  }

  #from(part: number, piece: number): Piece[] {
    const first = this.#pieces.findIndex((one) => one.part === part && one.piece === piece)
    if (first < 0) return [{ part, piece }]
    let last = first
    const most = this.#asked() < ASKED_WITHIN ? BESIDE_QUESTIONS : AT_ONCE
    for (let bytes = 0; last < this.#pieces.length && bytes < most; last++) bytes += this.#pieces[last].bytes
    return this.#pieces.slice(first, last)
  }

  async #read(pieces: readonly Piece[]): Promise<Map<string, Uint8Array>> {
    const rows = await rowsOf(
      this.#driver,
      `select found.* from unnest($2::text::bigint[], $3::text::int[]) as wanted(part, piece) cross join lateral (
        select part, piece, bytes from agidb_checkpoint t
        where t.namespace = $1::text and t.part = wanted.part and t.piece = wanted.piece offset 0) found`,
      this.#namespace,
      arrayOf(pieces.map(({ part }) => part)),
      arrayOf(pieces.map(({ piece }) => piece)),
    )
    const found = rows.map(({ part, piece, bytes }): [string, Uint8Array] => [
      keyOf({ part: Number(part), piece: Number(piece) }),
      fromBytea(bytes),
    ])
    return new Map(found)
  }
}

/** The pieces of a checkpoint as they are written, several at a time. */
class WaitingPieces implements PieceWriter {
  readonly #writer: Writing
  #waiting: (Piece & { readonly bytes: Uint8Array })[] = []
  #bytes = 0

  constructor(writer: Writing) {
    this.#writer = writer
  }

  async put(part: number, piece: number, bytes: Uint8Array): Promise<void> {
    this.#waiting.push({ part, piece, bytes: bytes.slice() })
    this.#bytes += bytes.length
    if (this.#bytes >= AT_ONCE) await this.flush()
  }

  /** Writes what waits. */
  async flush(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    this.#bytes = 0
    if (waiting.length > 0) await this.#writer.writePieces(waiting)
  }
}

function keyOf({ part, piece }: Piece): string {
  return `${part}/${piece}`
}

function parse(directory: string): Directory {
  try {
    const { commit, parts } = JSON.parse(directory) as Directory
    if (Number.isSafeInteger(commit) && Array.isArray(parts)) return { commit, parts }
  } catch {
    // It is told below.
  }
  throw new AgidbError('AGIDB_CORRUPT', 'the list of the parts of the checkpoint is damaged; it will be made again')
}
