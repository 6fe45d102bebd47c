import type { Room } from '../../../api/stats.js'
import { AgidbError } from '../../../base/errors.js'
import { boundsOf, type FlushRequest } from '../../journal/flushing.js'
import { DAMAGES_OF_OWN } from '../../journal/journal-pair.js'
import type { Mirroring } from './mirroring.js'
import { opfsStorage } from './opfs-storage.js'
import { hasOpfsFolder, lacksHandles, opfsFolder, opfsMissing } from './opfs.js'
import type { OpenedStorage, StorageAdapter } from '../../../api/storage.js'
import { tablesName } from '../../mirror/tables-name.js'
import { takeTabLock } from './tab-lock.js'

export interface BrowserStorageOptions {
  /** Whether to make a database that is not there; otherwise it is `AGIDB_NOT_FOUND`. Default true. */
  readonly create?: boolean
  /** Default `strict`. */
  readonly durability?: FlushRequest
}

/**
 * The storage of a browser, for use in a dedicated worker: a journal in OPFS with a copy in IndexedDB, or IndexedDB
 * alone where OPFS is missing (`stats().durabilityReason` then says why). One tab at a time: a second open is refused
 * with `AGIDB_IN_USE`.
 *
 * @param name of the database, within this origin
 * @param mirroring loads what uses IndexedDB, when it is first needed
 */
export function browserStorage(
  name: string,
  mirroring: () => Promise<Mirroring>,
  { create = true, durability }: BrowserStorageOptions = {},
): StorageAdapter {
  let isOpen = false
  return {
    async open(...args) {
      if (isOpen) throw new AgidbError('AGIDB_IN_USE', `this storage of ${name} is open already`)
      isOpen = true
      let unlock = (): void => {}
      const release = (): void => {
        unlock()
        isOpen = false
      }
      try {
        unlock = await takeTabLock(name)
        if (!create) await expectDatabase(name)
        return withRoom(await openHere(name, mirroring, durability, args), release)
      } catch (error) {
        release()
        throw pointing(error)
      }
    },
  }
}

/** The same storage, which knows how much room this origin has; `release` runs once it is closed. */
function withRoom(opened: OpenedStorage, release: () => void): OpenedStorage {
  let isReleased = false
  return {
    ...opened,
    stats: async () => ({ ...(await opened.stats()), room: await roomHere() }),
    async close() {
      try {
        await opened.close()
      } finally {
        if (!isReleased) release()
        isReleased = true
      }
    },
  }
}

/** The same error, saying what there is to do about a database that cannot be repaired. */
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

/** Opens the best storage that works here. */
async function openHere(
  name: string,
  mirroring: () => Promise<Mirroring>,
  durability: FlushRequest | undefined,
  args: Parameters<StorageAdapter['open']>,
): Promise<OpenedStorage> {
  let missing = opfsMissing()
  const folder = missing === undefined ? await opfsFolder(name) : undefined
  if (folder !== undefined) {
    try {
      return await opfsStorage(name, folder, mirroring, boundsOf(durability)).open(...args)
    } catch (error) {
      if (!lacksHandles(error)) throw error
      missing = 'this browser has files in it, but no sync access handles for them'
    }
  }
  const reason = `OPFS is missing: ${missing ?? 'the browser refuses it here, as in some private windows'}`
  const { indexedDbStorage, Tables } = await mirroring()
  return indexedDbStorage(name, new Tables(tablesName(name)), reason, durability).open(...args)
}
