import type { Durability } from '../../../api/stats.js'
import { AgidbError } from '../../../base/errors.js'
import type { SqliteDatabase, SqliteRow, SqliteValue } from './database.js'
import { sqliteError } from './failure.js'
import { takeOwnership } from './owner.js'

/**
 * A prepared statement of a {@link SqliteDriver}. The values of its parameters are texts, numbers, `null` and
 * `Uint8Array`s; drivers state that in types of their own.
 */
export interface SqliteStatement {
  /** All rows of the answer, objects by the names of the columns. A blob is a `Uint8Array` or an `ArrayBuffer`. */
  all(...values: never[]): unknown[]
  run(...values: never[]): unknown
  /** False where the statement answers no rows, and `all` would refuse it. Default true. */
  readonly reader?: boolean
  /** Lets go of it. */
  finalize?(): void
}

/**
 * What the adapter needs of a driver: a `DatabaseSync` of `node:sqlite`, a `Database` of better-sqlite3, of
 * `bun:sqlite` or of libsql, or any object with this method.
 */
export interface SqliteDriver {
  prepare(statement: string): SqliteStatement
}

/** Statements that are kept prepared; memories have about thirty each. */
const PREPARED = 256
/** How long a commit waits for another connection that is writing to the database, unless the driver says it. */
const PATIENCE_MS = 5_000

/** A connection as the place of memories. All memories in it share what it holds. */
export class DriverDatabase implements SqliteDatabase {
  readonly readOnly: boolean
  readonly #driver: SqliteDriver
  readonly #prepared = new Map<string, SqliteStatement>()
  /** The file of the database; '' where it is in main memory. */
  #file = ''
  /** How many memories are open. */
  #opened = 0
  #owning: Promise<() => void> | undefined
  #release: (() => void) | undefined

  constructor(driver: SqliteDriver, readOnly: boolean) {
    this.#driver = driver
    this.readOnly = readOnly
  }

  get name(): string {
    return this.#file === '' ? 'SQLite in main memory' : `SQLite ${this.#file}`
  }

  get bytes(): number {
    const [pages, free, size] = ['page_count', 'freelist_count', 'page_size'].map((name) => this.#pragma(name))
    return (pages - free) * size
  }

  get durability(): Durability {
    return this.#file === '' ? 'memory' : 'strict'
  }

  get durabilityReason(): string {
    return this.#file === ''
      ? 'the database has no file'
      : 'each commit is a transaction with synchronous=FULL, which reaches the disk before it resolves'
  }

  run = (statement: string, ...values: SqliteValue[]): SqliteRow[] => {
    try {
      const prepared = this.#prepare(statement)
      if (prepared.reader !== false) return prepared.all(...(values as never[])) as SqliteRow[]
      prepared.run(...(values as never[]))
      return []
    } catch (cause) {
      throw sqliteError(cause, this.name)
    }
  }

  transaction<T>(work: () => T): T {
    this.run('BEGIN IMMEDIATE')
    try {
      const done = work()
      this.run('COMMIT')
      return done
    } catch (error) {
      try {
        this.run('ROLLBACK')
      } catch {
        // Some failures have rolled it back already.
      }
      throw error
    }
  }

  async flush(): Promise<void> {}

  async own(): Promise<() => void> {
    this.#opened++
    try {
      this.#release = await (this.#owning ??= this.readOnly ? this.#snapshot() : this.#take())
    } catch (error) {
      this.#letGo()
      throw error
    }
    return () => this.#letGo()
  }

  scrub(): void {
    const [answer] = this.run('PRAGMA main.wal_checkpoint(TRUNCATE)')
    if (answer?.busy !== 1) return
    const message =
      `another connection reads ${this.name}: what was removed stays in its log file until that connection has ended ` +
      'and the memory is compacted again'
    throw new AgidbError('AGIDB_STORAGE', message)
  }

  /** Takes the database for this connection, and sets how it is written. */
  async #take(): Promise<() => void> {
    this.#findFile()
    if (this.#pragma('busy_timeout') === 0) this.run(`PRAGMA busy_timeout = ${PATIENCE_MS}`)
    const settings = ['main.journal_mode = WAL', 'main.synchronous = FULL', 'fullfsync = ON', 'main.secure_delete = ON']
    return takeOwnership(this.run, this.#file, () => {
      for (const setting of settings) this.run(`PRAGMA ${setting}`)
    })
  }

  /** All reads are of one moment, whatever is written meanwhile. */
  async #snapshot(): Promise<() => void> {
    this.#findFile()
    this.run('BEGIN')
    return () => void this.run('COMMIT')
  }

  #letGo(): void {
    if (--this.#opened > 0) return
    const release = this.#release
    this.#owning = this.#release = undefined
    try {
      release?.()
    } catch {
      // The application closed the connection before the memory, which let go of it.
    } finally {
      for (const statement of this.#prepared.values()) statement.finalize?.()
      this.#prepared.clear()
    }
  }

  #findFile(): void {
    const main = this.run('PRAGMA database_list').find(({ name }) => name === 'main')
    this.#file = (main?.file as string | null | undefined) ?? ''
  }

  #pragma(name: string): number {
    const [row] = this.run(`PRAGMA ${name}`)
    return Object.values(row)[0] as number
  }

  #prepare(statement: string): SqliteStatement {
    const known = this.#prepared.get(statement)
    if (known !== undefined) return known
    if (this.#prepared.size >= PREPARED) {
      const [[oldest, prepared]] = this.#prepared
      this.#prepared.delete(oldest)
      prepared.finalize?.()
    }
    const prepared = this.#driver.prepare(statement)
    this.#prepared.set(statement, prepared)
    return prepared
  }
}
