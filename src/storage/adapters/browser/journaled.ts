import type { StorageEvent } from '../../../api/stats.js'
import { AgidbError, toWire } from '../../../base/errors.js'
import { goesWithImage, type ProblemCode } from '../../../api/verify.js'
import { closeAll, type BlockFile } from '../../block/block-file.js'
import { checkMirror } from '../../mirror/check-mirror.js'
import type { Bounds } from '../../journal/flushing.js'
import { Handle } from '../../journal/handle.js'
import { replay } from '../../journal/replay.js'
import { CheckpointFile } from '../../checkpoint/checkpoint-file.js'
import type { Tables } from '../../mirror/indexeddb.js'
import type { Journal } from '../../journal/journal.js'
import { Mirror } from '../../mirror/mirror.js'
import { openOpfsFile } from './opfs.js'
import type { VerifyVisitor, Storage } from '../../port.js'
import { FilePresence } from '../presence.js'
import { reconcile, type Reconciled } from '../../mirror/reconcile.js'
import { writeSentinel } from '../../mirror/sentinel.js'
import { inPlaceOf } from '../../journal/out-of-space.js'
import { JournalStore } from '../journal-store.js'
import { keepIn, type KeepDamagedTail } from '../../journal/tail.js'

export const JOURNALS = ['journal.agidb', 'journal-2.agidb'] as const
const SENTINEL = 'mirror.agidb'
const IMAGE = 'index.agidb'
/** A lookup takes longer than a commit (about 1.3 ms in Chromium), so one in this time must do, in milliseconds. */
const LOOKUP_FRESH_MS = 100
/** Takes what is cut off a journal. */
export const TAILS = 'torn.agidb'

/** What of a journal another copy may have. */
const DAMAGED: ReadonlySet<ProblemCode> = new Set(['journal-damaged', 'journal-gap', 'row-unreadable'])

interface Parts {
  readonly files: readonly BlockFile[]
  readonly store: JournalStore
  readonly presence: FilePresence
  readonly tables?: Tables
  readonly mirror?: Mirror
}

/**
 * A store with a journal in OPFS as the commit and a copy in IndexedDB that follows it. The folder is
 * the database's own; its files are made once and never renamed or deleted.
 *
 * @param bounds of relaxed durability; without, it is strict.
 */
export function journaledStorage(name: string, folder: FileSystemDirectoryHandle, bounds?: Bounds): Storage {
  const events: StorageEvent[] = []
  /** The journal is to be mended when it is next opened: until then no image of it is kept. */
  let isDamaged = false
  const report = (event: StorageEvent): void => void events.push(event)
  const handle = new Handle<Parts>(`the storage of ${name}`)

  return {
    async open(visit, use) {
      const files: BlockFile[] = []
      let found: Reconciled['mirror']
      events.length = 0
      isDamaged = false
      try {
        await openAll(folder, files)
        const [first, second, sentinel, tails] = files
        const image = await CheckpointFile.open(files[4])
        const keep: KeepDamagedTail = (...tail) =>
          inPlaceOf(image, async () => `${TAILS} from byte ${await keepIn(tails, ...tail)} on`)
        const reconciled = await reconcile({ name, journals: [first, second], image, sentinel, keep, report })
        const { journal, other } = reconciled
        found = reconciled.mirror
        const store = new JournalStore(journal, other, image, bounds)
        await store.tidy()
        await replay(journal, visit, use)
        if (found) await writeSentinel(sentinel, found.from.lsn)
        const presence = new FilePresence({
          name: `the database ${name} in OPFS`,
          journal: () => store.journal.place,
          report,
          freshMs: LOOKUP_FRESH_MS,
        })
        const mirror = found && new Mirror(found.tables, journal, sentinel, report, found.from, presence)
        handle.hold({ files, store, presence, mirror, tables: found?.tables })
        mirror?.follow(0)
        return { databaseId: journal.header.databaseId, nextSlot: journal.nextSlot }
      } catch (error) {
        await release(files, found?.tables).catch(() => undefined)
        throw error
      }
    },
    commit: (changes) =>
      handle.change(async ({ store, presence, mirror }) => {
        await presence.around(() => store.commit(changes))
        mirror?.follow(changes.length)
      }),
    writeCheckpoint: (parts) =>
      handle.change(async ({ store, presence }) => {
        await presence.expectNow()
        if (!isDamaged) await store.journal.keep(store.image, parts)
      }),
    visit: async (slots, visit) => handle.get().store.read((journal) => journal.visit(visit, slots)),
    signatures: async (slots, visit) => handle.get().store.read((journal) => journal.signatures(visit, slots)),
    rows: async (slots) => handle.get().store.read((journal) => journal.rows(slots)),
    async compact() {
      const { store, presence, mirror } = handle.get()
      return store.compact(
        (work) => handle.change(work),
        () => presence.expectNow(),
        mirror,
      )
    },
    garbage: () => handle.get().store.journal.garbage,
    async verify(look) {
      const { store, presence, tables, mirror } = handle.get()
      await store.settled()
      await handle.change(async () => {
        await mirror?.catchUp().catch(() => undefined)
        if (!(await presence.isThere())) presence.addTo(look.findings)
        await store.verify(look, store.journal.header)
        await checkTables(tables, store.journal, look)
      })
    },
    repair: (codes) =>
      handle.change(async ({ store, presence, mirror }) => {
        await presence.expectNow()
        // Without an image the next opening reads all of the journal, and mends it from IndexedDB.
        if (mirror !== undefined && codes.some((code) => DAMAGED.has(code))) isDamaged = true
        if (isDamaged || codes.some(goesWithImage)) await store.image.clear()
        if (codes.some((code) => code.startsWith('mirror-'))) await mirror?.startOver()
      }),
    slots: () => handle.change(async ({ store }) => store.journal.liveSlots(0, store.journal.nextSlot)),
    read: (slots) => handle.change(({ store }) => store.journal.read(slots)),
    async replace(fill) {
      await handle.get().store.settled()
      await handle.change(async ({ store, presence, mirror }) => {
        await presence.expectNow()
        await store.replace(fill, async (journal) => mirror?.startOverWith(journal))
      })
    },
    onDeleted: (deleted) => handle.get().presence.onDeleted(deleted),
    async flush() {
      const { store, presence, mirror } = handle.get()
      await handle.idle()
      presence.expect()
      await store.flushing.flush()
      await mirror?.catchUp()
    },
    async stats() {
      const {
        store: { journal, image, flushing },
        mirror,
      } = handle.get()
      return {
        name: mirror ? 'OPFS journal + IndexedDB' : 'OPFS journal',
        bytes: journal.bytes + (await image.size()),
        memory: journal.memoryBytes,
        ...flushing.about('the journal in OPFS'),
        opening: [...events],
      }
    },
    async close() {
      if (handle.isOpen) await handle.get().store.stop()
      await handle.close(async ({ files, store, presence, mirror, tables }) => {
        try {
          await store.flushing.end()
          await mirror?.close()
        } finally {
          // In Chromium the closing of a handle whose file was deleted never returns. It is closed with its worker.
          const closable = (await presence.isThere()) ? files : []
          presence.close()
          await release(closable, tables)
        }
      })
    },
  }
}

async function checkTables(tables: Tables | undefined, journal: Journal, look: VerifyVisitor): Promise<void> {
  try {
    if (tables === undefined) throw new AgidbError('AGIDB_STORAGE', 'it could not be opened')
    await checkMirror(tables, journal, look.findings)
  } catch (error) {
    look.findings.add(
      'mirror-unreadable',
      'mendable',
      `IndexedDB, where the second copy is, cannot be read: ${toWire(error).message}`,
    )
  }
}

/** Opens the files of a database side by side, in their order; what was opened is in `files` if it rejects, too. */
async function openAll(folder: FileSystemDirectoryHandle, files: BlockFile[]): Promise<void> {
  const opened = await Promise.allSettled(
    [...JOURNALS, SENTINEL, TAILS, IMAGE].map((file) => openOpfsFile(folder, file)),
  )
  files.push(...opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])))
  for (const one of opened) if (one.status === 'rejected') throw one.reason
}

async function release(files: readonly BlockFile[], tables: Tables | undefined): Promise<void> {
  try {
    await tables?.close()
  } finally {
    await closeAll(files)
  }
}
