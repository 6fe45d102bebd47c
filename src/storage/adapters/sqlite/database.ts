import type { Durability } from '../../../api/stats.js'

/** What a column of a table holds. A blob is read as an `ArrayBuffer` by some drivers. */
export type SqliteValue = string | number | null | Uint8Array | ArrayBuffer

/** A row of an answer, by the names of its columns. */
export type SqliteRow = Readonly<Record<string, SqliteValue>>

/**
 * The port to an SQLite database that answers at once: the storage of a Durable Object, or a {@link SqliteDriver}.
 */
export interface SqliteDatabase {
  /** A name for people. */
  readonly name: string
  /** Bytes of the database. */
  readonly bytes: number
  readonly durability: Durability
  /** Why what was committed is as durable as it is, in one sentence. */
  readonly durabilityReason: string
  /** Whether nothing may be changed. Default false. */
  readonly readOnly?: boolean
  /** Runs one statement with its values in the places of `?`, and answers all rows. */
  run(statement: string, ...values: SqliteValue[]): SqliteRow[]
  /** Runs `work` as one transaction: when it throws, nothing of it takes effect. */
  transaction<T>(work: () => T): T
  /** Resolves when all that was committed is durable. */
  flush(): Promise<void>
  /**
   * Called before anything is read. Resolves to what is called once the memory is closed. Rejects with `AGIDB_IN_USE`
   * where another program has the database. Absent where there is no other.
   */
  own?(): Promise<() => void>
  /**
   * Makes what was deleted or overwritten unreadable in the files. Absent where that is not up to this program; then
   * there is nothing to compact.
   */
  scrub?(): void
}

/** The bytes of a blob. Of a `Buffer` too: its `slice` would be a view, where a copy is expected. */
export function bytesOf(value: SqliteValue): Uint8Array<ArrayBuffer> {
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  const bytes = value as Uint8Array<ArrayBuffer>
  return bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}
