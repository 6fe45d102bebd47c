import { openDB, unwrap, type DBSchema, type IDBPDatabase, type IDBPObjectStore, type IDBPTransaction } from 'idb'
import { AgidbError } from '../../base/errors.js'
import { applyToChunks, CHUNK_EPISODES, type Chunk, episodesOf } from './chunks.js'
import { convertTables } from './convert-tables.js'
import { domError } from '../dom-error.js'
import { ownCopy } from './own-copy.js'
import type { StorageChange, StoredEpisode } from '../../api/storage.js'

/** Since 3 episodes are kept in chunks; before, each had a record for its row and one for its signatures. */
const SCHEMA_VERSION = 3
/** Chunks to read at a time. */
const CHUNK_PAGE = 64
/** How long IndexedDB may take to open before it counts as not there. */
const OPEN_TIMEOUT_MS = 4000

/** What the tables hold, as of which commit. */
export interface TablesState {
  readonly databaseId: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** `mirror`: a journal in OPFS is the commit. `only`: these tables are. */
  readonly role: 'mirror' | 'only'
  readonly nextSlot: number
  /** LSN of the last commit that is in the tables. */
  readonly appliedLsn: number
  /** Position in the journal after that commit. */
  readonly appliedAt: number
  /** Epoch of that journal. */
  readonly epoch: number
  /** Set while the journal is being rebuilt from the tables: until then the tables are right and it is not. */
  readonly rebuilding?: boolean
  /** Set when the tables belong to another database than the journal of this name. They are kept, and not used. */
  readonly quarantined?: boolean
}

interface Schema extends DBSchema {
  chunks: { key: number; value: Chunk }
  meta: { key: string; value: TablesState }
}

const STORES = ['chunks', 'meta'] as const
type Writing = IDBPTransaction<Schema, typeof STORES, 'readwrite'>
type Chunks = IDBPObjectStore<Schema, ArrayLike<'chunks' | 'meta'>, 'chunks', IDBTransactionMode>

/**
 * The tables of a database in IndexedDB: its episodes in chunks, and a state that is written in the transaction of what
 * it describes. A connection that the browser takes away, or that another tab wants gone, is opened again when it is
 * next needed.
 */
export class Tables {
  private connection: Promise<IDBPDatabase<Schema>> | undefined
  /**
   * Called when the browser takes the connection away, or another tab wants the database gone: it may be deleted now.
   */
  onLost: () => void = () => {}

  /** @param name of the IndexedDB database. */
  constructor(readonly name: string) {}

  async state(): Promise<TablesState | undefined> {
    return this.use('reading the state', (db) => db.get('meta', 'state'))
  }

  async setState(state: TablesState): Promise<void> {
    await this.use('writing the state', async (db) => {
      const tx = db.transaction('meta', 'readwrite', { durability: 'strict' })
      await Promise.all([tx.store.put(state, 'state'), tx.done])
    })
  }

  /**
   * Applies changes and the state after them in one transaction. `advance` gets the state that is in
   * the tables now; what it throws cancels the transaction. With `emptied` whatever was in the tables goes first.
   */
  async apply(
    changes: readonly StorageChange[],
    durability: 'strict' | 'relaxed',
    advance: (now: TablesState | undefined) => TablesState,
    { emptied = false } = {},
  ): Promise<void> {
    await this.write('applying changes', durability, async (tx) => {
      const [chunks, meta] = [tx.objectStore('chunks'), tx.objectStore('meta')]
      const state = advance(await meta.get('state'))
      // Bare requests: whether they succeeded shows in the transaction, and to listen to each costs as much as to make
      // it.
      const bare = unwrap(chunks) as unknown as IDBObjectStore
      if (emptied) bare.clear()
      await applyToChunks(
        {
          upTo: (slot) => upTo(chunks, slot),
          put: (chunk) => void bare.put(chunk),
          delete: (first) => void bare.delete(first),
        },
        changes,
      )
      ;(unwrap(meta) as unknown as IDBObjectStore).put(state, 'state')
    })
  }

  /** Empties the tables, the state too. */
  async clear(): Promise<void> {
    await this.write('emptying the tables', 'strict', async (tx) => {
      await Promise.all(STORES.map((store) => tx.objectStore(store).clear()))
    })
  }

  /** About `count` episodes in slots over `after`, ascending; none when there are no more. The arrays are views. */
  async episodes(after: number, count: number): Promise<StoredEpisode[]> {
    return this.use('reading episodes', async (db) => {
      const { store } = db.transaction('chunks')
      const begun = after < 0 ? undefined : await upTo(store, after)
      const rest = await store.getAll(IDBKeyRange.lowerBound(after, true), Math.ceil(count / CHUNK_EPISODES))
      return [...(begun ? [begun] : []), ...rest].flatMap(episodesOf).filter(({ slot }) => slot > after)
    })
  }

  /** The slots that have episodes, ascending. */
  async slots(): Promise<number[]> {
    const slots: number[] = []
    for (let page; page === undefined || page.length > 0; ) {
      page = await this.episodes(slots.at(-1) ?? -1, CHUNK_PAGE * CHUNK_EPISODES)
      for (const { slot } of page) slots.push(slot)
    }
    return slots
  }

  /** The episodes of those of `slots` that have one, in the order asked for. The arrays are the caller's. */
  async read(slots: readonly number[]): Promise<StoredEpisode[]> {
    const found = await this.find(slots)
    return slots.flatMap((slot) => {
      const episode = found.get(slot)
      return episode ? [ownCopy(episode)] : []
    })
  }

  /** The rows of slots, in the order asked for. */
  async rows(slots: readonly number[]): Promise<(Uint8Array | undefined)[]> {
    const found = await this.find(slots)
    return slots.map((slot) => found.get(slot)?.row.slice())
  }

  async close(): Promise<void> {
    const connection = this.connection
    this.connection = undefined
    ;(await connection?.catch(() => undefined))?.close()
  }

  /** The episodes of the chunks that some slots are in. */
  private async find(slots: readonly number[]): Promise<Map<number, StoredEpisode>> {
    return this.use('reading episodes', async (db) => {
      const { store } = db.transaction('chunks')
      // Keys first: neighbours are in the same chunk, which is read once.
      const cursors = await Promise.all(slots.map((slot) => store.openKeyCursor(IDBKeyRange.upperBound(slot), 'prev')))
      const firsts = new Set(cursors.flatMap((cursor) => cursor?.key ?? []))
      const chunks = await Promise.all(Array.from(firsts, (first) => store.get(first)))
      return new Map(chunks.flatMap((chunk) => episodesOf(chunk!)).map((episode) => [episode.slot, episode]))
    })
  }

  private async write(
    doing: string,
    durability: 'strict' | 'relaxed',
    work: (tx: Writing) => Promise<void>,
  ): Promise<void> {
    await this.use(doing, async (db) => {
      const tx = db.transaction(STORES, 'readwrite', { durability })
      // The transaction's own outcome is awaited below; until then its rejection has a handler.
      tx.done.catch(() => undefined)
      try {
        await work(tx)
      } catch (error) {
        abort(tx)
        // The quota shows in the transaction's own outcome; its requests only say that it was cancelled.
        const outcome = await tx.done.catch((reason: unknown) => reason)
        throw (outcome as DOMException | undefined)?.name === 'QuotaExceededError' ? outcome : error
      }
      await tx.done
    })
  }

  /** Runs `work` on an open connection; once more when the connection turns out to be gone. */
  private async use<T>(doing: string, work: (db: IDBPDatabase<Schema>) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const connection = (this.connection ??= this.connect())
      try {
        return await work(await connection)
      } catch (cause) {
        const lost =
          cause instanceof DOMException && (cause.name === 'InvalidStateError' || cause.name === 'UnknownError')
        if (this.connection === connection && (lost || !(await isOpen(connection)))) this.connection = undefined
        if (lost && attempt === 1) continue
        throw cause instanceof DOMException ? domError(cause, `${doing} in IndexedDB`) : cause
      }
    }
  }

  private async connect(): Promise<IDBPDatabase<Schema>> {
    let connection: IDBPDatabase<Schema> | undefined
    const forget = (): void => {
      connection?.close()
      this.connection = undefined
      this.onLost()
    }
    const opening = openDB<Schema>(this.name, SCHEMA_VERSION, {
      upgrade(db, from) {
        db.createObjectStore('chunks', { keyPath: 'first' })
        if (from < 1) db.createObjectStore('meta')
      },
      // Another tab wants to delete or upgrade it: let go, and open again when next needed.
      blocking: forget,
      terminated: forget,
    })
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      const message = `IndexedDB did not open ${this.name} within ${OPEN_TIMEOUT_MS} ms: another tab may be holding it`
      timer = setTimeout(() => reject(new AgidbError('AGIDB_STORAGE', message)), OPEN_TIMEOUT_MS)
    })
    try {
      connection = await Promise.race([opening, late])
    } catch (cause) {
      opening.then((db) => db.close()).catch(() => undefined)
      if (!(cause instanceof DOMException) || cause.name !== 'VersionError') throw cause
      const message = `the IndexedDB database ${this.name} was written by a newer version of agidb: use that one`
      throw new AgidbError('AGIDB_NEWER_FORMAT', message, { database: this.name, supported: SCHEMA_VERSION }, { cause })
    } finally {
      clearTimeout(timer)
    }
    try {
      await convertTables(connection)
      return connection
    } catch (cause) {
      connection.close()
      throw cause
    }
  }
}

/** The last chunk that begins at a slot or before it; without a slot, the last of all. */
async function upTo(chunks: Chunks, slot?: number): Promise<Chunk | undefined> {
  return (await chunks.openCursor(slot === undefined ? null : IDBKeyRange.upperBound(slot), 'prev'))?.value
}

/** Cancels a transaction, if it is not over yet. */
function abort(tx: Writing): void {
  try {
    tx.abort()
  } catch {
    // It was aborted already.
  }
}

async function isOpen(connection: Promise<unknown>): Promise<boolean> {
  return connection.then(
    () => true,
    () => false,
  )
}
