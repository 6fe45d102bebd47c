import type { StorageEvent } from '../../../api/stats.js'
import { AgidbError, toWire } from '../../../base/errors.js'
import { isRepairedWithCheckpoint, type ProblemCode } from '../../../api/verify.js'
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
import type { OpenedStorage, StorageAdapter, VerifyVisitor } from '../../../api/storage.js'
import { FilePresence } from '../../block/file-presence.js'
import { reconcile, type Reconciled } from '../../mirror/reconcile.js'
import { writeSentinel } from '../../mirror/sentinel.js'
import { inPlaceOf } from '../../journal/out-of-space.js'
import { journalCompaction, journalRows, journalSignatures, type OpenJournal } from '../../journal/journal-parts.js'
import { JournalStore } from '../../journal/journal-store.js'
import { keepIn, type KeepDamagedTail } from '../../journal/tail.js'

export const JOURNALS = ['journal.agidb', 'journal-2.agidb'] as const
const SENTINEL = 'mirror.agidb'
const CHECKPOINT = 'index.agidb'
export const KEYS = 'keys.agidb'
/** A lookup takes longer than a commit (about 1.3 ms in Chromium), so one in this time must do, in milliseconds. */
const LOOKUP_FRESH_MS = 100
/** Takes what is cut off a journal. */
export const TAILS = 'torn.agidb'

/** What of a journal another copy may have. */
const DAMAGED: ReadonlySet<ProblemCode> = new Set(['journal-damaged', 'journal-gap', 'row-unreadable'])

interface Held extends OpenJournal {
  readonly files: readonly BlockFile[]
  readonly tables?: Tables
  readonly mirror?: Mirror
}

/**
 * A storage whose commits go to a journal in OPFS, which a copy in IndexedDB follows. The folder belongs to the
 * database alone; its files are made once and never renamed or deleted.
 *
 * @param bounds of relaxed durability; without, it is strict.
 */
export function opfsStorage(name: string, folder: FileSystemDirectoryHandle, bounds?: Bounds): StorageAdapter {
  return {
    async open(visit, loader, onDeleted, onKeys) {
      const events: StorageEvent[] = []
      const report = (event: StorageEvent): void => void events.push(event)
      const files: BlockFile[] = []
      let found: Reconciled['mirror']
      try {
        await openAll(folder, files)
        const [first, second, sentinel, tails, , keys] = files
        await onKeys?.(keys)
        const checkpoint = await CheckpointFile.open(files[4])
        const keep: KeepDamagedTail = (...tail) =>
          inPlaceOf(checkpoint, async () => `${TAILS} from byte ${await keepIn(tails, ...tail)} on`)
        const reconciled = await reconcile({ name, journals: [first, second], checkpoint, sentinel, keep, report })
        const { journal, other } = reconciled
        found = reconciled.mirror
        const store = new JournalStore(journal, other, checkpoint, bounds)
        await store.tidy()
        await replay(journal, visit, loader)
        if (found) await writeSentinel(sentinel, found.from.lsn)
        const presence = new FilePresence({
          name: `the database ${name} in OPFS`,
          journal: () => store.journal.place,
          report,
          freshMs: LOOKUP_FRESH_MS,
        })
        if (onDeleted !== undefined) presence.onDeleted(onDeleted)
        const mirror = found && new Mirror(found.tables, journal, sentinel, report, found.from, presence)
        mirror?.follow(0)
        return openedStorage(name, { files, store, presence, mirror, tables: found?.tables }, events)
      } catch (error) {
        await release(files, found?.tables).catch(() => undefined)
        throw error
      }
    },
  }
}

function openedStorage(name: string, held: Held, events: readonly StorageEvent[]): OpenedStorage {
  const handle = new Handle(`the storage of ${name}`, held)
  /** The journal is to be repaired when it is next opened: until then no checkpoint of it is written. */
  let isDamaged = false
  return {
    databaseId: held.store.journal.header.databaseId,
    nextSlot: held.store.journal.nextSlot,
    rows: journalRows(handle, {
      committed: ({ mirror }, changes) => mirror?.follow(changes),
      replaced: async ({ mirror }, journal) => mirror?.startOverWith(journal),
    }),
    signatures: journalSignatures(handle),
    checkpoint: {
      write: (parts) =>
        handle.change(async ({ store, presence }) => {
          await presence.expectNow()
          if (!isDamaged) await store.journal.keep(store.checkpoint, parts)
        }),
    },
    maintenance: {
      ...journalCompaction(handle, ({ mirror }) => mirror),
      async verify(visitor) {
        const { store, presence, tables, mirror } = handle.get()
        await store.settled()
        await handle.change(async () => {
          await mirror?.catchUp().catch(() => undefined)
          if (!(await presence.isThere())) presence.addTo(visitor.findings)
          await store.verify(visitor, store.journal.header)
          await checkTables(tables, store.journal, visitor)
        })
      },
      repair: (codes) =>
        handle.change(async ({ store, presence, mirror }) => {
          await presence.expectNow()
          // Without a checkpoint the next opening reads the whole journal, and repairs it from IndexedDB.
          if (mirror !== undefined && codes.some((code) => DAMAGED.has(code))) isDamaged = true
          if (isDamaged || codes.some(isRepairedWithCheckpoint)) await store.checkpoint.clear()
          if (codes.some((code) => code.startsWith('mirror-'))) await mirror?.startOver()
        }),
    },
    async flush() {
      const { store, presence, mirror } = handle.get()
      await handle.idle()
      presence.expect()
      await store.flushing.flush()
      await mirror?.catchUp()
    },
    async stats() {
      const { store, mirror } = handle.get()
      const { journal, checkpoint, flushing } = store
      return {
        name: mirror ? 'OPFS journal + IndexedDB' : 'OPFS journal',
        bytes: journal.bytes + (await checkpoint.size()),
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

async function checkTables(tables: Tables | undefined, journal: Journal, visitor: VerifyVisitor): Promise<void> {
  try {
    if (tables === undefined) throw new AgidbError('AGIDB_STORAGE', 'it could not be opened')
    await checkMirror(tables, journal, visitor.findings)
  } catch (error) {
    visitor.findings.add(
      'mirror-unreadable',
      'mendable',
      `IndexedDB, where the second copy is, cannot be read: ${toWire(error).message}`,
    )
  }
}

/** Opens the files of a database side by side, in their order; what was opened is in `files` if it rejects, too. */
async function openAll(folder: FileSystemDirectoryHandle, files: BlockFile[]): Promise<void> {
  const opened = await Promise.allSettled(
    [...JOURNALS, SENTINEL, TAILS, CHECKPOINT, KEYS].map((file) => openOpfsFile(folder, file)),
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
