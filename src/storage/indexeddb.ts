import { openDB, unwrap, type DBSchema, type IDBPDatabase, type IDBPTransaction } from 'idb'
import { AgidbError } from '../core/errors.js'
import { misfit } from './admission.js'
import { domError } from './dom-error.js'
import { resign } from './changes.js'
import type { Change, Signatures, Signed, StoredEpisode } from './port.js'

/** Since 2 there may be signatures that version 1 does not know; the stores are the same. */
const SCHEMA_VERSION = 2
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
  rows: { key: number; value: { slot: number; id: string; row: Uint8Array }; indexes: { id: string } }
  signatures: { key: number; value: SignedSlot }
  meta: { key: string; value: TablesState }
}

type SignedSlot = { slot: number; encoder?: number } & Signatures

const STORES = ['rows', 'signatures', 'meta'] as const
type Writing = IDBPTransaction<Schema, typeof STORES, 'readwrite'>

/**
 * The tables of a database in IndexedDB: rows with an index by id, signatures, and a state that is
 * written in the transaction of what it describes. A connection that the browser takes away, or
 * that another tab wants gone, is opened again when it is next needed.
 */
export class Tables {
  private connection: Promise<IDBPDatabase<Schema>> | undefined

  /** `name`: of the IndexedDB database. */
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
    changes: readonly Change[],
    durability: 'strict' | 'relaxed',
    advance: (now: TablesState | undefined) => TablesState,
    { emptied = false } = {},
  ): Promise<void> {
    await this.write('applying changes', durability, async (tx) => {
      const state = advance(await tx.objectStore('meta').get('state'))
      // Bare requests: whether they succeeded shows in the transaction, and to listen to each costs as much as to make it.
      const [rows, signatures, meta] = STORES.map((store) => unwrap(tx.objectStore(store)) as unknown as IDBObjectStore)
      meta.put(state, 'state')
      if (emptied) for (const store of [rows, signatures]) store.clear()
      const signed = await signedBefore(tx, changes)
      for (const change of changes) {
        const { op, slot, id } = change
        if (op === 'remove') {
          signed.delete(slot)
          rows.delete(slot)
          signatures.delete(slot)
        }
        // Copies, because a view would be stored with all of the buffer behind it.
        if (op === 'put' || op === 'update') rows.put({ slot, id, row: change.row.slice() } satisfies Schema['rows']['value'])
        if (op === 'put' || op === 'sign') {
          const before = op === 'put' ? { signatures: {} } : signed.get(slot)
          if (!before) throw misfit(op, slot, 'not live')
          const after = resign(before, { ...change, signatures: copied(change.signatures) })
          signed.set(slot, after)
          signatures.put({ slot, ...after.signatures, encoder: after.encoder } satisfies SignedSlot)
        }
      }
    })
  }

  /** Empties the tables, the state too. */
  async clear(): Promise<void> {
    await this.write('emptying the tables', 'strict', async (tx) => {
      await Promise.all(STORES.map((store) => tx.objectStore(store).clear()))
    })
  }

  /** Up to `count` episodes in slots over `after`, ascending. */
  async episodes(after: number, count: number): Promise<StoredEpisode[]> {
    return this.use('reading episodes', async (db) => {
      const tx = db.transaction(['rows', 'signatures'], 'readonly')
      const range = IDBKeyRange.lowerBound(after, true)
      const rows = await tx.objectStore('rows').getAll(range, count)
      const signatures = await tx.objectStore('signatures').getAll(range, count)
      return rows.map((row, index) => {
        const found = signatures[index]
        if (found?.slot !== row.slot) throw new AgidbError('AGIDB_CORRUPT', `IndexedDB lacks the signatures of slot ${row.slot}`)
        return { ...row, ...signedOf(found) }
      })
    })
  }

  /** The slots that have episodes, ascending. */
  async slots(): Promise<number[]> {
    return this.use('listing episodes', (db) => db.getAllKeys('rows'))
  }

  /** The episodes of those of `slots` that have one, in the order asked for. */
  async read(slots: readonly number[]): Promise<StoredEpisode[]> {
    return this.use('reading episodes', async (db) => {
      const tx = db.transaction(['rows', 'signatures'], 'readonly')
      const [rows, signatures] = [tx.objectStore('rows'), tx.objectStore('signatures')]
      const found = await Promise.all(slots.map((slot) => Promise.all([rows.get(slot), signatures.get(slot)])))
      return found.flatMap(([row, signed]) => {
        if (row && !signed) throw new AgidbError('AGIDB_CORRUPT', `IndexedDB lacks the signatures of slot ${row.slot}`)
        return row && signed ? [{ ...row, ...signedOf(signed) }] : []
      })
    })
  }

  /** The rows of slots, in the order asked for. */
  async rows(slots: readonly number[]): Promise<(Uint8Array | undefined)[]> {
    return this.use('reading rows', async (db) => {
      const { store } = db.transaction('rows', 'readonly')
      const found = await Promise.all(slots.map((slot) => store.get(slot)))
      return found.map((value) => value?.row)
    })
  }

  async close(): Promise<void> {
    const connection = this.connection
    this.connection = undefined
    ;(await connection?.catch(() => undefined))?.close()
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
        const lost = cause instanceof DOMException && (cause.name === 'InvalidStateError' || cause.name === 'UnknownError')
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
    }
    const opening = openDB<Schema>(this.name, SCHEMA_VERSION, {
      upgrade(db, from) {
        if (from > 0) return
        db.createObjectStore('rows', { keyPath: 'slot' }).createIndex('id', 'id')
        db.createObjectStore('signatures', { keyPath: 'slot' })
        db.createObjectStore('meta')
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
      return (connection = await Promise.race([opening, late]))
    } catch (cause) {
      opening.then((db) => db.close()).catch(() => undefined)
      if (!(cause instanceof DOMException) || cause.name !== 'VersionError') throw cause
      const message = `the IndexedDB database ${this.name} was written by a newer version of agidb: use that one`
      throw new AgidbError('AGIDB_NEWER_FORMAT', message, { database: this.name, supported: SCHEMA_VERSION }, { cause })
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The signatures of the slots that are signed, as they are before the changes. */
async function signedBefore(tx: Writing, changes: readonly Change[]): Promise<Map<number, Signed>> {
  const slots = [...new Set(changes.flatMap(({ op, slot }) => (op === 'sign' ? [slot] : [])))]
  const found = await Promise.all(slots.map((slot) => tx.objectStore('signatures').get(slot)))
  return new Map(found.flatMap((value) => (value ? [[value.slot, signedOf(value)]] : [])))
}

function signedOf({ slot: _, encoder, ...signatures }: SignedSlot): Signed {
  return { signatures, ...(encoder !== undefined && { encoder }) }
}

function copied(signatures: Signatures): Signatures {
  return Object.fromEntries(Object.entries(signatures).map(([kind, bytes]) => [kind, bytes.slice()]))
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
