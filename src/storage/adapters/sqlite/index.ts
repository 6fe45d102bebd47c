// A memory in an SQLite database: `agidb/sqlite`.
import { checkFlag, checkKeys, invalid } from '../../../api/check.js'
import type { StorageAdapter } from '../../../api/storage.js'
import { DriverDatabase, type SqliteDriver } from './driver.js'
import { tableStorage } from './tables-storage.js'

export type { SqliteDriver, SqliteStatement } from './driver.js'

/** Options of {@link sqliteStorage}. */
export interface SqliteStorageOptions {
  /**
   * Which memory of this database: its tables begin with this. A letter, then letters, digits and underscores, 64
   * characters at most, and not `sqlite_…` or `…_new`. `Ann` and `ann` are the same memory, since SQLite ignores the
   * case of names. Default `agidb`.
   */
  readonly prefix?: string
  /**
   * Whether the memory is only read: by many programs at once, also beside the one that writes it, each as it was when
   * it was opened. Pass `readOnly: true` to `open`, too. Default false.
   */
  readonly readOnly?: boolean
}

/** One for each connection, so that a memory is not opened twice in it. */
const databases = new WeakMap<SqliteDriver, DriverDatabase>()

/**
 * A storage in an SQLite database: `Agidb.open({ storage: sqliteStorage(new DatabaseSync('memory.db')) })`. One program
 * at a time: a second opening is refused with `AGIDB_IN_USE`. The connection is the application's, which closes it
 * after the memory; its other tables stay as they are. It is set to `journal_mode=WAL`, `synchronous=FULL` and
 * `secure_delete=ON`.
 *
 * @param driver an open connection of `node:sqlite`, better-sqlite3, `bun:sqlite` or libsql, not within a transaction.
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`
 */
export function sqliteStorage(driver: SqliteDriver, options: SqliteStorageOptions = {}): StorageAdapter {
  if (typeof driver?.prepare !== 'function') throw invalid('driver must have a method prepare', { option: 'driver' })
  checkKeys('sqliteStorage', options, ['prefix', 'readOnly'])
  const { prefix = 'agidb', readOnly = false } = options
  checkFlag('readOnly', readOnly)
  if (typeof prefix !== 'string' || !/^(?!sqlite_)[a-z][a-z0-9_]{0,63}(?<!_new)$/i.test(prefix)) {
    const message = 'prefix must be a letter, then up to 63 letters, digits and underscores, not sqlite_… or …_new'
    throw invalid(message, { option: 'prefix' })
  }
  const database = databases.get(driver) ?? new DriverDatabase(driver, readOnly)
  databases.set(driver, database)
  if (database.readOnly !== readOnly)
    throw invalid('readOnly must be the same for all memories of a connection', { option: 'readOnly' })
  return tableStorage(database, prefix)
}
