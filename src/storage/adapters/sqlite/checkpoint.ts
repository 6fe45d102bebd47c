import type { Directory, PieceReader, PieceWriter } from '../../checkpoint/pieces.js'
import { bytesOf, type SqliteDatabase } from './database.js'

/** The table with the pieces of the checkpoint of a memory. */
export class CheckpointTable implements PieceReader, PieceWriter {
  readonly #database: SqliteDatabase
  readonly #table: string

  constructor(database: SqliteDatabase, prefix: string) {
    this.#database = database
    this.#table = `${prefix}_checkpoint`
  }

  get name(): string {
    return this.#database.name
  }

  /** Makes the table where it is not there. */
  create(): void {
    this.#database.run(`CREATE TABLE IF NOT EXISTS ${this.#table} (part INTEGER NOT NULL, piece INTEGER NOT NULL,
      bytes BLOB NOT NULL, PRIMARY KEY (part, piece))`)
  }

  /** Drops the table. */
  drop(): void {
    this.#database.run(`DROP TABLE ${this.#table}`)
  }

  piece(part: number, piece: number): Uint8Array | undefined {
    const [found] = this.#database.run(`SELECT bytes FROM ${this.#table} WHERE part = ? AND piece = ?`, part, piece)
    return found === undefined ? undefined : bytesOf(found.bytes)
  }

  put(part: number, piece: number, bytes: Uint8Array): void {
    this.#database.run(`INSERT OR REPLACE INTO ${this.#table} VALUES (?, ?, ?)`, part, piece, bytes.slice())
  }

  /** Deletes all pieces that a directory does not list: those of an older checkpoint, or of one that was cut off. */
  keepOnly(directory: Directory | undefined): void {
    const kept = new Set(directory?.parts.map(({ number }) => number))
    for (const { part } of this.#database.run(`SELECT DISTINCT part FROM ${this.#table}`))
      if (!kept.has(part as number)) this.#database.run(`DELETE FROM ${this.#table} WHERE part = ?`, part)
  }
}
