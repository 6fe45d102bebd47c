import type { StorageEvent } from '../../../api/stats.js'
import { AgidbError, toWire } from '../../../base/errors.js'
import { isRepairedWithCheckpoint, type ProblemCode } from '../../../api/verify.js'
import { closeAll, type BlockFile } from '../../block/block-file.js'
import type { Bounds } from '../../journal/flushing.js'
import { Handle } from '../../journal/handle.js'
import { replay } from '../../journal/replay.js'
import { CheckpointFile } from '../../checkpoint/checkpoint-file.js'
import { createJournal } from '../../journal/create-journal.js'
import { inspectJournals, type JournalPair } from '../../journal/journal-pair.js'
import { LateMirror } from '../../mirror/late-mirror.js'
import type { Copies, Reconciled } from '../../mirror/reconcile.js'
import type { SecondCopy } from '../../mirror/second-copy.js'
import { writeSentinel } from '../../mirror/sentinel.js'
import { tablesName } from '../../mirror/tables-name.js'
import type { Mirroring } from './mirroring.js'
import { openOpfsFile } from './opfs.js'
import type { OpenedStorage, StorageAdapter, VerifyVisitor } from '../../../api/storage.js'
import { FilePresence } from '../../block/file-presence.js'
import type { Journal } from '../../journal/journal.js'
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
  readonly mirror?: SecondCopy
}

/** The journal of a database that is being opened, and what makes its mirror. */
interface Found {
  readonly journal: Journal
  /** The file that it is not in. */
  readonly other: BlockFile
  /** Absent when IndexedDB does not work here now. */
  readonly mirror?: (presence: FilePresence) => SecondCopy
  /** Lets go of IndexedDB if there will be no mirror. */
  release?(): Promise<void>
}

/**
 * A storage whose commits go to a journal in OPFS, which a copy in IndexedDB follows. The folder belongs to the
 * database alone; its files are made once and never renamed or deleted.
 *
 * @param mirroring loads what the copy needs: at once where there may be one, after the first commit where there is
 * none.
 * @param bounds of relaxed durability; without, it is strict.
 */
export function opfsStorage(
  name: string,
  folder: FileSystemDirectoryHandle,
  mirroring: () => Promise<Mirroring>,
  bounds?: Bounds,
): StorageAdapter {
  return {
    async open(visit, loader, onDeleted, onKeys) {
      const events: StorageEvent[] = []
      const report = (event: StorageEvent): void => void events.push(event)
      const files: BlockFile[] = []
      let found: Found | undefined
      try {
        await openAll(folder, files)
        const [first, second, sentinel, tails, , keys] = files
        await onKeys?.(keys)
        const checkpoint = await CheckpointFile.open(files[4])
        const keep: KeepDamagedTail = (...tail) =>
          inPlaceOf(checkpoint, async () => `${TAILS} from byte ${await keepIn(tails, ...tail)} on`)
        const journals = await inspectJournals([first, second])
        const copies = { name, journals, checkpoint, sentinel, keep, report }
        found = (await isNew(name, journals)) ? await created(copies, mirroring) : await reconciled(copies, mirroring)
        const { journal, other } = found
        const store = new JournalStore(journal, other, checkpoint, bounds)
        await store.tidy()
        await replay(journal, visit, loader)
        const presence = new FilePresence({
          name: `the database ${name} in OPFS`,
          journal: () => store.journal.place,
          report,
          freshMs: LOOKUP_FRESH_MS,
        })
        if (onDeleted !== undefined) presence.onDeleted(onDeleted)
        const mirror = found.mirror?.(presence)
        mirror?.follow(0)
        return openedStorage(name, { files, store, presence, mirror }, events, mirroring)
      } catch (error) {
        await Promise.allSettled([found?.release?.(), closeAll(files)])
        throw error
      }
    },
  }
}

/** Whether a database is not there yet: it has no journal, and no copy in IndexedDB. */
async function isNew(name: string, { sides }: JournalPair): Promise<boolean> {
  if (sides.some(({ header, damage, incomplete }) => (header ?? damage ?? incomplete) !== undefined)) return false
  try {
    const tables = tablesName(name)
    return !(await indexedDB.databases()).some((found) => found.name === tables || found.name?.startsWith(`${tables}#`))
  } catch {
    return false // reconciling reports what is wrong with IndexedDB
  }
}

async function created(copies: Copies, mirroring: () => Promise<Mirroring>): Promise<Found> {
  const { name, journals, checkpoint, sentinel, keep, report } = copies
  const [{ file }, { file: other }] = journals.sides
  const journal = await createJournal(file, `a new database ${name} was created`, keep, report)
  await journal.reportLost(checkpoint, report)
  // While there is room: without it the file could not grow when the database is opened again.
  await writeSentinel(sentinel, journal.start.lsn)
  const mirror = (presence: FilePresence): SecondCopy =>
    new LateMirror(
      async () => {
        const { Mirror, Tables } = await mirroring()
        return (journal) => new Mirror(new Tables(tablesName(name)), journal, sentinel, report, journal.start, presence)
      },
      journal,
      report,
    )
  return { journal, other, mirror }
}

async function reconciled(copies: Copies, mirroring: () => Promise<Mirroring>): Promise<Found> {
  const { reconcile, Mirror } = await mirroring()
  const { journal, other, mirror: found }: Reconciled = await reconcile(copies)
  if (found === undefined) return { journal, other }
  const { tables, from } = found
  return {
    journal,
    other,
    mirror: (presence) => new Mirror(tables, journal, copies.sentinel, copies.report, from, presence),
    release: () => tables.close(),
  }
}

function openedStorage(
  name: string,
  held: Held,
  events: readonly StorageEvent[],
  mirroring: () => Promise<Mirroring>,
): OpenedStorage {
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
        const { checkFiles } = await mirroring()
        const { store, presence, mirror } = handle.get()
        await store.alone(() =>
          handle.change(async () => {
            await mirror?.catchUp().catch(() => undefined)
            if (!(await presence.isThere())) presence.addTo(visitor.findings)
            await store.verify(checkFiles, visitor, store.journal.header)
            await checkCopy(mirror, visitor)
          }),
        )
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
      await handle.close(async ({ files, store, presence, mirror }) => {
        try {
          await store.flushing.end()
          await mirror?.close()
        } finally {
          // In Chromium the closing of a handle whose file was deleted never returns. It is closed with its worker.
          const closable = (await presence.isThere()) ? files : []
          presence.close()
          await closeAll(closable)
        }
      })
    },
  }
}

async function checkCopy(mirror: SecondCopy | undefined, { findings }: VerifyVisitor): Promise<void> {
  try {
    if (mirror === undefined) throw new AgidbError('AGIDB_STORAGE', 'it could not be opened')
    await mirror.verify(findings)
  } catch (error) {
    findings.add(
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
