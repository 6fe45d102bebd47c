import type { StorageEvent } from '../core/agidb.js'
import { closeAll, type BlockFile } from './block-file.js'
import { Handle } from './handle.js'
import { handOver } from './hand-over.js'
import { ImageFile } from './image-file.js'
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
const IMAGE = 'index.agidb'
/** Takes what is cut off a journal. */
const TAILS = 'torn.agidb'

interface Parts {
  readonly files: readonly BlockFile[]
  readonly journal: Journal
  readonly image: ImageFile
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
  const handle = new Handle<Parts>(`the storage of ${name}`)

  return {
    async open(visit, use) {
      const files: BlockFile[] = []
      let found: Reconciled['mirror']
      events.length = 0
      try {
        for (const file of [...JOURNALS, SENTINEL, TAILS, IMAGE]) files.push(await openOpfsFile(folder, file))
        const [first, second, sentinel, tails] = files
        const image = await ImageFile.open(files[4])
        const keep: KeepTail = async (...tail) => `${TAILS} from byte ${await keepIn(tails, ...tail)} on`
        const reconciled = await reconcile({ name, journals: [first, second], image, sentinel, keep, report })
        const { journal } = reconciled
        found = reconciled.mirror
        await handOver(journal, visit, use)
        if (found) await writeSentinel(sentinel, found.from.lsn)
        const mirror = found && new Mirror(found.tables, journal, sentinel, report, found.from)
        handle.hold({ files, journal, image, mirror, tables: found?.tables })
        mirror?.follow(0)
        return { databaseId: journal.header.databaseId, nextSlot: journal.nextSlot }
      } catch (error) {
        await release(files, found?.tables).catch(() => undefined)
        throw error
      }
    },
    commit: (changes) =>
      handle.change(async ({ journal, mirror }) => {
        await journal.append(changes)
        mirror?.follow(changes.length)
      }),
    keep: (parts) => handle.change(({ journal, image }) => journal.keep(image, parts)),
    visit: async (slots, visit) => handle.get().journal.visit(visit, slots),
    rows: async (slots) => handle.get().journal.rows(slots),
    async flush() {
      const { mirror } = handle.get()
      await handle.idle()
      await mirror?.catchUp()
    },
    async stats() {
      const { journal, image, mirror } = handle.get()
      return {
        name: mirror ? 'OPFS journal + IndexedDB' : 'OPFS journal',
        bytes: journal.bytes + (await image.size()),
        memory: journal.memoryBytes,
        durability: 'strict',
        durabilityReason: 'every commit is written and flushed to the journal in OPFS before it is acknowledged',
        opening: [...events],
      }
    },
    close: () =>
      handle.close(async ({ files, mirror, tables }) => {
        await mirror?.close()
        await release(files, tables)
      }),
  }
}

async function release(files: readonly BlockFile[], tables: Tables | undefined): Promise<void> {
  try {
    await tables?.close()
  } finally {
    await closeAll(files)
  }
}
