import type { StorageAdapter } from '../../api/storage.js'
import type { SqliteDatabase, SqliteRow, SqliteValue } from '../../storage/adapters/sqlite/database.js'
import { tableStorage } from '../../storage/adapters/sqlite/tables-storage.js'

/** What is used of the storage of a Durable Object: `ctx.storage`. */
export interface ObjectStorage {
  readonly sql: {
    exec(query: string, ...values: unknown[]): { toArray(): unknown[] }
    readonly databaseSize: number
  }
  transactionSync<T>(work: () => T): T
  sync(): Promise<void>
  getAlarm(): Promise<number | null>
  setAlarm(at: number): Promise<void>
}

/** What is used of the state of a Durable Object: `ctx`. */
export interface ObjectState {
  readonly storage: ObjectStorage
}

/** One database for each object, so that a memory is not opened twice. */
const databases = new WeakMap<ObjectStorage, SqliteDatabase>()

/**
 * The SQLite database of a Durable Object as the place of a memory: `Agidb.open({ storage:
 * durableObjectStorage(ctx.storage) })`. The class of the object must be one of `new_sqlite_classes`.
 *
 * What the object answers waits until what it wrote is durable (output gates), so an acknowledged episode is never
 * lost. Tables begin with `agidb_`; other tables of the object stay as they are.
 */
export function durableObjectStorage(storage: ObjectStorage): StorageAdapter {
  const database = databases.get(storage) ?? databaseOf(storage)
  databases.set(storage, database)
  return tableStorage(database)
}

function databaseOf(storage: ObjectStorage): SqliteDatabase {
  return {
    name: 'the SQLite database of a Durable Object',
    get bytes() {
      return storage.sql.databaseSize
    },
    durability: 'strict',
    durabilityReason: 'each commit is a transaction, and the object answers once it is durable',
    run: (statement: string, ...values: SqliteValue[]) =>
      storage.sql.exec(statement, ...values).toArray() as SqliteRow[],
    transaction: (work) => storage.transactionSync(work),
    flush: () => storage.sync(),
  }
}
