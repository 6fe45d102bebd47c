import { AgidbError } from '../core/errors.js'
import type { UnreadStretch } from '../core/salvage.js'
import { closeAll, type BlockFile } from './block-file.js'
import { expectDatabase } from './browser.js'
import { erase } from './erase.js'
import { SEALED_VERSION } from './frame.js'
import { Tables, type TablesState } from './indexeddb.js'
import type { Journal } from './journal.js'
import { DAMAGES_OF_OWN } from './journal-pair.js'
import { JOURNALS, TAILS } from './journaled.js'
import { openOpfsFile, opfsFolder, opfsMissing } from './opfs.js'
import type { StoredEpisode } from './port.js'
import { pages } from './rebuild.js'
import { tablesName } from './reconcile.js'
import { originOf, recover, type Origin } from './salvage.js'
import { takeTabLock } from './tab-lock.js'

/** Takes what could be read while it is brought out; overwritten after that. */
const SCRATCH = 'salvaged.agidb'
/** Rows that are read at a time. */
const BATCH = 256

/** What can be read of a database, as long as it is being read. */
export interface Readable {
  readonly databaseId: string
  /** Slots with a row in them, of any kind, ascending. */
  readonly slots: readonly number[]
  /** Their rows. */
  rows(): AsyncGenerator<StoredEpisode[]>
  /** Those that only IndexedDB had. */
  readonly copied: number
  /** Changes to what was not found. */
  readonly orphans: number
  readonly unread: readonly UnreadStretch[]
}

/**
 * Reads what can be read of a database of this origin, which nobody may have open, in whatever state it is: its journal in OPFS and, for what that
 * does not say, its copy in IndexedDB. Changes neither.
 *
 * @returns what `use` made of it, and the files as they are
 * @throws AgidbError `AGIDB_NOT_FOUND`; `AGIDB_IN_USE`; `AGIDB_UNSUPPORTED` without OPFS; `AGIDB_CORRUPT` when nothing is found; `AGIDB_NEWER_FORMAT`;
 * `AGIDB_QUOTA`: it takes as much room as what is found
 */
export async function readDamaged<T>(name: string, use: (found: Readable) => Promise<T>): Promise<{ readonly value: T; readonly files: readonly File[] }> {
  const missing = opfsMissing()
  if (missing !== undefined) throw new AgidbError('AGIDB_UNSUPPORTED', `salvage reads the journal of a database in OPFS, which is missing: ${missing}`)
  await expectDatabase(name)
  const unlock = await takeTabLock(name)
  const opened: BlockFile[] = []
  try {
    const folder = await opfsFolder(name)
    if (folder === undefined) throw new AgidbError('AGIDB_UNSUPPORTED', 'salvage reads the journal of a database in OPFS, which the browser refuses here')
    for (const file of [...JOURNALS, SCRATCH]) opened.push(await openOpfsFile(folder, file))
    const [first, second, scratch] = opened
    let value: T
    try {
      value = await reading(name, [first, second], scratch, use)
    } finally {
      await erase(scratch)
    }
    await closeAll(opened.splice(0))
    return { value, files: await filesOf(folder) }
  } finally {
    await closeAll(opened).finally(unlock)
  }
}

async function reading<T>(name: string, journals: readonly [BlockFile, BlockFile], scratch: BlockFile, use: (found: Readable) => Promise<T>): Promise<T> {
  const copies = await copiesOf(name)
  try {
    const origin = (await originOf(journals, copies.at(0)?.state.databaseId, DAMAGES_OF_OWN)) ?? lost(journals, copies.at(0)?.state)
    if (origin === undefined) {
      throw new AgidbError('AGIDB_CORRUPT', `nothing of a memory can be found in ${name}, neither in OPFS nor in IndexedDB; its files stay as they are`, { database: name })
    }
    const copy = copies.find(({ state }) => state.databaseId === origin.header.databaseId)
    const { journal, damages, orphans, copied } = await recover(origin, scratch, copy && pages(copy.tables))
    const slots = journal.liveSlots(0, journal.nextSlot)
    const unread = damages.map(({ at, bytes }) => ({ file: origin.file.name, at, bytes }))
    return await use({ databaseId: origin.header.databaseId, slots, rows: () => rowsOf(journal, slots), copied, orphans, unread })
  } finally {
    for (const { tables } of copies) await tables.close()
  }
}

/** A journal of which nothing is left but what IndexedDB says. */
function lost([file, other]: readonly [BlockFile, BlockFile], state: TablesState | undefined): Origin | undefined {
  if (state === undefined) return undefined
  const { databaseId, createdAt, epoch } = state
  return { file, other, header: { version: SEALED_VERSION, databaseId, createdAt, baseLsn: 0, nextSlot: 0, epoch }, epoch }
}

async function* rowsOf(journal: Journal, slots: readonly number[]): AsyncGenerator<StoredEpisode[]> {
  for (let at = 0; at < slots.length; at += BATCH) yield journal.read(slots.slice(at, at + BATCH))
}

/** The tables that may be copies of the database, and can be read. Makes none. */
async function copiesOf(name: string): Promise<{ readonly tables: Tables; readonly state: TablesState }[]> {
  const usual = tablesName(name)
  const found = []
  for (const { name: candidate = '' } of await indexedDB.databases().catch(() => [])) {
    if (candidate !== usual && !candidate.startsWith(`${usual}#`)) continue
    const tables = new Tables(candidate)
    const state = await tables.state().catch(() => undefined)
    if (state === undefined) await tables.close()
    else found.push({ tables, state })
  }
  return found
}

async function filesOf(folder: FileSystemDirectoryHandle): Promise<File[]> {
  const files = await Promise.all([...JOURNALS, TAILS].map(async (name) => (await folder.getFileHandle(name, { create: true })).getFile()))
  return files.filter(({ size }) => size > 0)
}
