import { AgidbError } from '../core/errors.js'
import { Tables } from './indexeddb.js'
import { indexedDbStorage } from './indexeddb-only.js'
import { journaledStorage } from './journaled.js'
import { opfsFolder, opfsMissing } from './opfs.js'
import type { Storage } from './port.js'
import { tablesName } from './reconcile.js'
import { takeTabLock } from './tab-lock.js'

/**
 * The store of a browser, for use in a dedicated worker: a journal in OPFS with a copy in IndexedDB,
 * or IndexedDB alone where OPFS is missing (`stats().durabilityReason` then says why). One tab at a
 * time: a second open is refused with `AGIDB_IN_USE`.
 *
 * @param name of the database, within this origin
 */
export function browserStorage(name: string): Storage {
  let store: Storage | undefined
  let unlock: (() => void) | undefined
  let opening = false

  const expectOpen = (): Storage => {
    if (!store) throw new AgidbError('AGIDB_CLOSED', `the storage of ${name} is not open`)
    return store
  }

  return {
    async open(visit) {
      if (store || opening) throw new AgidbError('AGIDB_IN_USE', `this storage of ${name} is open already`)
      opening = true
      const release = await takeTabLock(name).finally(() => (opening = false))
      try {
        const chosen = await choose(name)
        const opened = await chosen.open(visit)
        store = chosen
        unlock = release
        return opened
      } catch (error) {
        release()
        throw error
      }
    },
    commit: async (changes) => expectOpen().commit(changes),
    rows: async (slots) => expectOpen().rows(slots),
    flush: async () => expectOpen().flush(),
    stats: async () => expectOpen().stats(),
    async close() {
      await store?.close()
      store = undefined
      unlock?.()
      unlock = undefined
    },
  }
}

async function choose(name: string): Promise<Storage> {
  const missing = opfsMissing()
  const folder = missing === undefined ? await opfsFolder(name) : undefined
  if (folder) return journaledStorage(name, folder)
  const reason = `OPFS is missing: ${missing ?? 'the browser refuses it here, as in some private windows'}`
  return indexedDbStorage(name, new Tables(tablesName(name)), reason)
}
