import type { Room } from '../../../api/stats.js'
import { AgidbError } from '../../../base/errors.js'
import { boundsOf, type FlushRequest } from '../../journal/flushing.js'
import { Handle } from '../../journal/handle.js'
import { Tables } from '../../mirror/indexeddb.js'
import { DAMAGES_OF_OWN } from '../../journal/journal-pair.js'
import { indexedDbStorage } from './indexeddb-only.js'
import { journaledStorage } from './journaled.js'
import { hasOpfsFolder, lacksHandles, opfsFolder, opfsMissing } from './opfs.js'
import type { CheckpointLoader, OpenedStorage, Storage, StoredEpisode } from '../../port.js'
import { tablesName } from '../../mirror/reconcile.js'
import { takeTabLock } from './tab-lock.js'

export interface BrowserStorageOptions {
  /** Whether to make a database that is not there; otherwise it is `AGIDB_NOT_FOUND`. Default true. */
  readonly create?: boolean
  /** Default `strict`. */
  readonly durability?: FlushRequest
}

/**
 * The store of a browser, for use in a dedicated worker: a journal in OPFS with a copy in IndexedDB,
 * or IndexedDB alone where OPFS is missing (`stats().durabilityReason` then says why). One tab at a
 * time: a second open is refused with `AGIDB_IN_USE`.
 *
 * @param name of the database, within this origin
 */
export function browserStorage(name: string, { create = true, durability }: BrowserStorageOptions = {}): Storage {
  const handle = new Handle<{ readonly store: Storage; readonly unlock: () => void }>(`the storage of ${name}`)
  let opening = false

  return {
    async open(visit, use) {
      if (handle.isOpen || opening) throw new AgidbError('AGIDB_IN_USE', `this storage of ${name} is open already`)
      opening = true
      const unlock = await takeTabLock(name).finally(() => (opening = false))
      try {
        if (!create) await expectDatabase(name)
        const { store, opened } = await openHere(name, durability, visit, use)
        handle.hold({ store, unlock })
        return opened
      } catch (error) {
        unlock()
        throw pointing(error)
      }
    },
    commit: async (changes) => handle.get().store.commit(changes),
    // What the store that was chosen has.
    get writeCheckpoint() {
      return handle.isOpen ? handle.get().store.writeCheckpoint : undefined
    },
    get visit() {
      return handle.isOpen ? handle.get().store.visit : undefined
    },
    get signatures() {
      return handle.isOpen ? handle.get().store.signatures : undefined
    },
    get onDeleted() {
      return handle.isOpen ? handle.get().store.onDeleted : undefined
    },
    rows: async (slots) => handle.get().store.rows(slots),
    slots: async () => handle.get().store.slots(),
    read: async (slots) => handle.get().store.read(slots),
    replace: async (fill) => handle.get().store.replace(fill),
    compact: async () => handle.get().store.compact?.(),
    garbage: () => handle.get().store.garbage?.(),
    verify: async (look) => handle.get().store.verify?.(look),
    repair: async (codes) => handle.get().store.repair?.(codes),
    flush: async () => handle.get().store.flush(),
    stats: async () => ({ ...(await handle.get().store.stats()), room: await roomHere() }),
    close: () => handle.close(({ store, unlock }) => store.close().finally(unlock)),
  }
}

/** The same error, saying what there is to do about a database that cannot be mended. */
function pointing(error: unknown): unknown {
  if (!(error instanceof AgidbError) || !DAMAGES_OF_OWN.includes(error.code)) return error
  return new AgidbError(
    error.code,
    `${error.message}; Agidb.salvage({ name }) brings out what can be read`,
    error.details,
    { cause: error.cause },
  )
}

/** What the browser says of the room of this origin, as far as it says anything. */
async function roomHere(): Promise<Room | undefined> {
  try {
    const [{ usage, quota }, persisted] = await Promise.all([
      navigator.storage.estimate(),
      navigator.storage.persisted(),
    ])
    return usage === undefined || quota === undefined ? undefined : { used: usage, of: quota, persisted }
  } catch {
    return undefined // refused in opaque origins, or not there
  }
}

/** Looks for a database without making anything. */
export async function expectDatabase(name: string): Promise<void> {
  if (opfsMissing() === undefined && (await hasOpfsFolder(name))) return
  const tables = await indexedDB.databases()
  if (tables.some((found) => found.name === tablesName(name))) return
  const message = `there is no database ${name} in this origin, and none is made here`
  throw new AgidbError('AGIDB_NOT_FOUND', message, { database: name })
}

/** Opens the best store that works here. */
async function openHere(
  name: string,
  durability: FlushRequest | undefined,
  visit: (episode: StoredEpisode) => void,
  use?: CheckpointLoader,
): Promise<{ store: Storage; opened: OpenedStorage }> {
  let missing = opfsMissing()
  const folder = missing === undefined ? await opfsFolder(name) : undefined
  if (folder !== undefined) {
    const store = journaledStorage(name, folder, boundsOf(durability))
    try {
      return { store, opened: await store.open(visit, use) }
    } catch (error) {
      if (!lacksHandles(error)) throw error
      missing = 'this browser has files in it, but no sync access handles for them'
    }
  }
  const reason = `OPFS is missing: ${missing ?? 'the browser refuses it here, as in some private windows'}`
  const store = indexedDbStorage(name, new Tables(tablesName(name)), reason, durability)
  return { store, opened: await store.open(visit, use) }
}
