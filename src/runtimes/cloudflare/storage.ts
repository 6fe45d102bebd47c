import { checkKeys, invalid } from '../../api/check.js'
import type { StorageAdapter } from '../../api/storage.js'
import type { SqliteDatabase, SqliteRow, SqliteValue } from '../../storage/adapters/sqlite/database.js'
import { tableStorage } from '../../storage/adapters/sqlite/tables-storage.js'
import type { MediaBucket } from '../../storage/media/media-bucket.js'
import { MediaStorage } from '../../storage/media/media-storage.js'
import { LooseKeyTable } from './loose-key-table.js'

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

/** Where what is stored goes, beside the database of the object. */
export interface ObjectPlaces {
  /** The bucket for the bytes of pictures and sounds that are kept. Default: none, they are in the database. */
  readonly mediaBucket?: MediaBucket
}

/** What the tables of the memory of an object begin with. */
const PREFIX = 'agidb'

/** One database for each object, so that a memory is not opened twice. */
const databases = new WeakMap<ObjectStorage, SqliteDatabase>()

/**
 * The SQLite database of a Durable Object as the place of a memory: `Agidb.open({ storage:
 * durableObjectStorage(ctx.storage) })`. The class of the object must be one of `new_sqlite_classes`.
 *
 * What the object answers waits until what it wrote is durable (output gates), so an acknowledged episode is never
 * lost. Tables begin with `agidb_`; other tables of the object stay as they are.
 *
 * @throws AgidbError `AGIDB_UNKNOWN_OPTION`; `AGIDB_INVALID_ARGUMENT` where `mediaBucket` is no bucket. Opening rejects
 * with `AGIDB_INVALID_ARGUMENT` where media of the memory are in a bucket, and none is given.
 */
export function durableObjectStorage(storage: ObjectStorage, places: ObjectPlaces = {}): StorageAdapter {
  checkKeys('durableObjectStorage', places, ['mediaBucket'])
  return placeOf(storage, places, async () => {})
}

/** @param listed called when a memory has objects in the bucket that are to be looked at again; a scope by its key. */
export function placeOf(
  storage: ObjectStorage,
  places: ObjectPlaces,
  listed: (scope?: string) => Promise<void>,
): StorageAdapter | MediaStorage {
  const database = databases.get(storage) ?? databaseOf(storage)
  databases.set(storage, database)
  const tables = tableStorage(database, PREFIX)
  const looseKeys = (scope?: string): LooseKeyTable =>
    new LooseKeyTable(database, scope === undefined ? PREFIX : `${PREFIX}_${scope}`, () => listed(scope))
  const { mediaBucket } = places
  if (!('mediaBucket' in places)) return withoutBucket(tables, looseKeys)
  checkBucket(mediaBucket)
  return new MediaStorage(tables, mediaBucket, looseKeys)
}

/** A storage that is not opened where it has media in a bucket. */
function withoutBucket(tables: StorageAdapter, looseKeys: (scope?: string) => LooseKeyTable): StorageAdapter {
  return {
    scope: (key) => withoutBucket(tables.scope!(key), () => looseKeys(key)),
    async open(...args) {
      if (!looseKeys().refersToBucket()) return tables.open(...args)
      const message = 'pictures or sounds of this memory are in a bucket: name it as mediaBucket'
      throw invalid(message, { option: 'mediaBucket' })
    },
  }
}

function checkBucket(bucket: unknown): asserts bucket is MediaBucket {
  const missing = ['put', 'get', 'delete', 'list'].find(
    (method) => typeof (bucket as Record<string, unknown> | undefined)?.[method] !== 'function',
  )
  if (missing === undefined) return
  const message = `mediaBucket must be a bucket of R2, which has a method ${missing}; is it bound in wrangler.jsonc?`
  throw invalid(message, { option: 'mediaBucket' })
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
