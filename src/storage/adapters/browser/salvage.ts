import { systemClock } from '../../../base/clock.js'
import { AgidbError } from '../../../base/errors.js'
import type { UnreadStretch } from '../../../api/salvage.js'
import { closeAll, type BlockFile } from '../../block/block-file.js'
import { expectDatabase } from './browser.js'
import { erase } from '../../recovery/erase.js'
import { newHeader, SEALED_VERSION } from '../../journal/frame.js'
import { Tables, type TablesState } from '../../mirror/indexeddb.js'
import { DAMAGES_OF_OWN, type JournalFiles } from '../../journal/journal-pair.js'
import { JOURNALS, KEYS, TAILS } from './opfs-storage.js'
import { openOpfsFile, opfsFolder, opfsMissing } from './opfs.js'
import type { KeyFile, StoredEpisode } from '../../../api/storage.js'
import { install } from '../../recovery/install.js'
import { pages } from '../../mirror/rebuild.js'
import { tablesName } from '../../mirror/tables-name.js'
import { originOf, recover, type Origin } from '../../recovery/salvage.js'
import { takeTabLock } from './tab-lock.js'

/** Takes what could be read while it is brought out; overwritten after that. */
const SCRATCH = 'salvaged.agidb'

/** What can be read of a database, as long as it is being read. */
export interface Readable {
  readonly databaseId: string
  /** Slots with a row in them, of any kind, ascending. */
  readonly slots: readonly number[]
  /** Their rows, as they are stored: encrypted where the memory is. */
  rows(): AsyncGenerator<StoredEpisode[]>
  /** The file for keys. */
  readonly keys: KeyFile
  /** Those that only IndexedDB had. */
  readonly copied: number
  /** Changes to what was not found. */
  readonly orphans: number
  readonly unread: readonly UnreadStretch[]
}

/** What was made of what can be read. */
export interface Used<T> {
  readonly value: T
  /** Slots of the rows that are to be in the database once it is repaired, ascending. */
  readonly slots: readonly number[]
}

/** What {@link readDamaged} answers. */
export interface Read<T> {
  readonly value: T
  /** The files of the database as they are then. */
  readonly files: readonly File[]
  /** Where, after a repair, the damaged files are. */
  readonly kept: readonly string[]
}

/**
 * Reads what can be read of a database of this origin, which must not be open anywhere, in whatever state it is: its
 * journal in OPFS and, for what that does not say, its copy in IndexedDB. Changes neither, unless it is to `repair`
 * them: then what was read takes the place of the journal, as a database with an id of its own, so that the copy stays
 * as it is, set aside; the damaged files are kept in {@link TAILS} before that.
 *
 * @throws AgidbError `AGIDB_NOT_FOUND`; `AGIDB_IN_USE`; `AGIDB_UNSUPPORTED` without OPFS; `AGIDB_CORRUPT` when nothing
 * is found and nothing is to be repaired; `AGIDB_NEWER_FORMAT`; `AGIDB_QUOTA`: it takes as much room as what is found,
 * and a repair that and the damaged files once more
 */
export async function readDamaged<T>(
  name: string,
  repair: boolean,
  use: (found: Readable) => Promise<Used<T>>,
): Promise<Read<T>> {
  const missing = opfsMissing()
  if (missing !== undefined)
    throw new AgidbError(
      'AGIDB_UNSUPPORTED',
      `salvage reads the journal of a database in OPFS, which is missing: ${missing}`,
    )
  await expectDatabase(name)
  const unlock = await takeTabLock(name)
  const opened: BlockFile[] = []
  try {
    const folder = await opfsFolder(name)
    if (folder === undefined)
      throw new AgidbError(
        'AGIDB_UNSUPPORTED',
        'salvage reads the journal of a database in OPFS, which the browser refuses here',
      )
    for (const file of [...JOURNALS, SCRATCH, TAILS, KEYS]) opened.push(await openOpfsFile(folder, file))
    const [first, second, scratch, tails, keys] = opened
    let done: Omit<Read<T>, 'files'>
    try {
      done = await reading(name, [first, second], scratch, repair ? tails : undefined, (found) =>
        use({ ...found, keys }),
      )
    } finally {
      await erase(scratch)
    }
    await closeAll(opened.splice(0))
    return { ...done, files: await filesOf(folder) }
  } finally {
    await closeAll(opened).finally(unlock)
  }
}

/** @param tails of a database that is to be repaired */
async function reading<T>(
  name: string,
  journals: JournalFiles,
  scratch: BlockFile,
  tails: BlockFile | undefined,
  use: (found: Omit<Readable, 'keys'>) => Promise<Used<T>>,
): Promise<Omit<Read<T>, 'files'>> {
  const copies = await copiesOf(name)
  try {
    const known =
      (await originOf(journals, copies.at(0)?.state.databaseId, DAMAGES_OF_OWN)) ?? lost(journals, copies.at(0)?.state)
    // Whatever it is that is there: it is kept, and nothing of it is brought out.
    const origin =
      known ?? (tails && { file: journals[0], other: journals[1], header: newHeader(systemClock()), epoch: 0 })
    if (origin === undefined) {
      throw new AgidbError(
        'AGIDB_CORRUPT',
        `nothing of a memory can be found in ${name}, neither in OPFS nor in IndexedDB; its files stay as they are`,
        { database: name },
      )
    }
    const copy = copies.find(({ state }) => state.databaseId === origin.header.databaseId)
    const { journal, damages, orphans, copied } = await recover(origin, scratch, copy && pages(copy.tables))
    const slots = journal.liveSlots(0, journal.nextSlot)
    const unread = damages.map(({ at, bytes }) => ({ file: origin.file.name, at, bytes }))
    const used = await use({
      databaseId: origin.header.databaseId,
      slots,
      rows: () => journal.pages(slots),
      copied,
      orphans,
      unread,
    })
    return { value: used.value, kept: tails === undefined ? [] : await install(origin, journal, used.slots, tails) }
  } finally {
    for (const { tables } of copies) await tables.close()
  }
}

/** A journal of which nothing is left but what IndexedDB says. */
function lost([file, other]: readonly [BlockFile, BlockFile], state: TablesState | undefined): Origin | undefined {
  if (state === undefined) return undefined
  const { databaseId, createdAt, epoch } = state
  return {
    file,
    other,
    header: { version: SEALED_VERSION, databaseId, createdAt, baseLsn: 0, nextSlot: 0, epoch },
    epoch,
  }
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
  const files = await Promise.all(
    [...JOURNALS, TAILS].map(async (name) => (await folder.getFileHandle(name, { create: true })).getFile()),
  )
  return files.filter(({ size }) => size > 0)
}
