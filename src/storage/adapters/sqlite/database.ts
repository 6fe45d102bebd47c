/** What a column of a table holds. A blob is read as an `ArrayBuffer` by some drivers. */
export type SqliteValue = string | number | null | Uint8Array | ArrayBuffer

/** A row of an answer, by the names of its columns. */
export type SqliteRow = Readonly<Record<string, SqliteValue>>

/**
 * The port to an SQLite database whose driver answers at once: the storage of a Durable Object, and in the same shape
 * `node:sqlite` or better-sqlite3.
 */
export interface SqliteDatabase {
  /** A name for people. */
  readonly name: string
  /** Bytes of the database. */
  readonly bytes: number
  /** Why what was committed is durable, in one sentence. */
  readonly durabilityReason: string
  /** Runs one statement with its values in the places of `?`, and answers all rows. */
  run(statement: string, ...values: SqliteValue[]): SqliteRow[]
  /** Runs `work` as one transaction: when it throws, nothing of it takes effect. */
  transaction<T>(work: () => T): T
  /** Resolves when all that was committed is durable. */
  flush(): Promise<void>
}

/** The bytes of a blob. */
export function bytesOf(value: SqliteValue): Uint8Array<ArrayBuffer> {
  return value instanceof ArrayBuffer ? new Uint8Array(value) : (value as Uint8Array<ArrayBuffer>)
}
