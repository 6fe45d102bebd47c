import type { StorageEvent } from '../core/agidb.js'
import { AgidbError } from '../core/errors.js'
import type { BlockFile } from './block-file.js'
import type { Tables } from './indexeddb.js'
import type { Journal } from './journal.js'
import { Mirror } from './mirror.js'
import { openOpfsFile } from './opfs.js'
import type { Storage } from './port.js'
import { reconcile, type Reconciled } from './reconcile.js'
import { writeSentinel } from './sentinel.js'
import { keepIn, type KeepTail } from './tail.js'

const JOURNALS = ['journal.agidb', 'journal-2.agidb'] as const
const SENTINEL = 'mirror.agidb'
/** Takes what is cut off a journal. */
const TAILS = 'torn.agidb'

interface Parts {
  readonly files: readonly BlockFile[]
  readonly journal: Journal
  readonly tables?: Tables
  readonly mirror?: Mirror
}

/**
 * A store with a journal in OPFS as the commit and a copy in IndexedDB that follows it. The folder is
 * the database's own; its files are made once and never renamed or deleted.
 */
export function journaledStorage(name: string, folder: FileSystemDirectoryHandle): Storage {
  const events: StorageEvent[] = []
  const report = (event: StorageEvent): void => void events.push(event)
  let open: Parts | undefined
  /** The commit or close that is under way. */
  let busy: Promise<unknown> = Promise.resolve()

  const expectOpen = (): Parts => {
    if (!open) throw new AgidbError('AGIDB_CLOSED', `the storage of ${name} is not open`)
    return open
  }

  return {
    async open(visit) {
      const files: BlockFile[] = []
      let found: Reconciled['mirror']
      events.length = 0
      try {
        for (const file of [...JOURNALS, SENTINEL, TAILS]) files.push(await openOpfsFile(folder, file))
        const [first, second, sentinel, tails] = files
        const keep: KeepTail = async (...tail) => `${TAILS} from byte ${await keepIn(tails, ...tail)} on`
        const reconciled = await reconcile({ name, journals: [first, second], sentinel, keep, report })
        const { journal } = reconciled
        found = reconciled.mirror
        await journal.visit(visit)
        if (found) await writeSentinel(sentinel, found.from.lsn)
        const mirror = found && new Mirror(found.tables, journal, sentinel, report, found.from)
        open = { files, journal, mirror, tables: found?.tables }
        mirror?.follow(0)
        return { databaseId: journal.header.databaseId, nextSlot: journal.nextSlot }
      } catch (error) {
        await found?.tables.close()
        for (const file of files) await file.close()
        throw error
      }
    },
    commit(changes) {
      const commit = busy.then(async () => {
        const { journal, mirror } = expectOpen()
        await journal.append(changes)
        mirror?.follow(changes.length)
      })
      busy = commit.catch(() => undefined)
      return commit
    },
    async rows(slots) {
      return expectOpen().journal.rows(slots)
    },
    async flush() {
      const { mirror } = expectOpen()
      await busy
      await mirror?.catchUp()
    },
    async stats() {
      const { journal, mirror } = expectOpen()
      return {
        name: mirror ? 'OPFS journal + IndexedDB' : 'OPFS journal',
        bytes: journal.bytes,
        durability: 'strict',
        durabilityReason: 'every commit is written and flushed to the journal in OPFS before it is acknowledged',
        opening: [...events],
      }
    },
    close() {
      const close = busy.then(async () => {
        if (!open) return
        const { files, mirror, tables } = open
        open = undefined
        // What keeps the mirror back was reported, and the journal has everything.
        await mirror?.catchUp().catch(() => undefined)
        await tables?.close()
        for (const file of files) await file.close()
      })
      busy = close.catch(() => undefined)
      return close
    },
  }
}
