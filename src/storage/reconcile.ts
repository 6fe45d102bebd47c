import { systemClock } from '../core/clock.js'
import type { StorageEvent } from '../core/agidb.js'
import { AgidbError } from '../core/errors.js'
import type { BlockFile } from './block-file.js'
import { newHeader, type JournalHeader } from './frame.js'
import { Tables, type TablesState } from './indexeddb.js'
import { Journal, readHeader, writeHeader, type Cursor } from './journal.js'
import { stateAfter } from './mirror.js'
import { readSentinel } from './sentinel.js'

/** Episodes in one frame of a journal that is rebuilt. */
const REBUILD_BATCH = 256

type Report = (event: StorageEvent) => void

/** A journal that is ready, and what mirrors it. */
export interface Reconciled {
  readonly journal: Journal
  /** Absent when IndexedDB does not work here now. */
  readonly mirror?: { readonly tables: Tables; readonly from: Cursor }
}

/** Tables, and what they say they hold; new ones say nothing. */
interface Found {
  readonly tables: Tables
  readonly state?: TablesState
  /** Set when they take the place of tables that have just been quarantined. */
  readonly replacing?: boolean
}

/**
 * Opens the journal and compares it with its copy in IndexedDB. Whichever of the two has lost
 * something is mended from the other, and each such thing is reported. Tables of another database
 * are never merged: they are kept under their name, marked as quarantined.
 */
export async function reconcile(name: string, file: BlockFile, sentinel: BlockFile, report: Report): Promise<Reconciled> {
  const header = await readHeader(file)
  let found: Found
  try {
    found = await findTables(name, header, report)
  } catch (error) {
    if (error instanceof AgidbError && error.code === 'AGIDB_NEWER_FORMAT') throw error
    const message = 'IndexedDB does not work here now, so there is no second copy'
    report({ kind: 'mirror-unavailable', message, details: { reason: String(error) } })
    return { journal: header ? await Journal.open(file, header, report) : await create(name, file, report) }
  }
  try {
    return await compare(name, file, sentinel, header, found, report)
  } catch (error) {
    await found.tables.close()
    throw error
  }
}

async function compare(
  name: string,
  file: BlockFile,
  sentinel: BlockFile,
  header: JournalHeader | undefined,
  { tables, state, replacing }: Found,
  report: Report,
): Promise<Reconciled> {
  if (!state) {
    const journal = header ? await Journal.open(file, header, report) : await create(name, file, report)
    const had = header && !replacing ? await readSentinel(sentinel) : 0
    if (had > 0) {
      const message = 'IndexedDB was wiped; it is being rebuilt from the journal, and nothing is lost'
      report({ kind: 'mirror-wiped', message, details: { lsn: had } })
    }
    return { journal, mirror: { tables, from: journal.start } }
  }
  if (!header || state.rebuilding) return rebuild(file, tables, state, header ? 'unfinished' : 'missing', report)
  const journal = await Journal.open(file, header, report)
  if (state.appliedLsn > journal.end.lsn) return rebuild(file, tables, state, 'shorter', report)
  return { journal, mirror: { tables, from: await cursorOf(tables, state, journal, report) } }
}

/** The tables that belong to the journal, and their state when they have one. */
async function findTables(
  name: string,
  header: JournalHeader | undefined,
  report: Report,
): Promise<Found> {
  const tables = new Tables(tablesName(name))
  const state = await tables.state()
  const foreign = state && (state.quarantined || (header && state.databaseId !== header.databaseId))
  if (!foreign) return { tables, state }
  const { databaseId } = state
  const message = `IndexedDB holds another database (${databaseId}) as ${tables.name}; it is kept there and not used`
  report({ kind: 'mirror-foreign', message, details: { databaseId, indexedDb: tables.name } })
  if (!state.quarantined) await tables.setState({ ...state, quarantined: true })
  await tables.close()
  const own = new Tables(await ownTablesName(name, header))
  return { tables: own, state: await own.state(), replacing: !state.quarantined }
}

/** The name of the IndexedDB database of a database. */
export function tablesName(name: string): string {
  return `agidb:${name}`
}

/** Where the tables are when the usual name is quarantined. Without a journal, whichever there is. */
async function ownTablesName(name: string, header: JournalHeader | undefined): Promise<string> {
  const prefix = `${tablesName(name)}#`
  if (header) return prefix + header.databaseId
  const names = (await indexedDB.databases()).map((database) => database.name ?? '')
  return names.find((candidate) => candidate.startsWith(prefix)) ?? `${prefix}${newHeader(0).databaseId}`
}

async function create(name: string, file: BlockFile, report: Report): Promise<Journal> {
  const header = newHeader(systemClock())
  await writeHeader(file, header)
  report({ kind: 'created', message: `a new database ${name} was created`, details: { databaseId: header.databaseId } })
  return Journal.open(file, header, report)
}

/** How far the tables are, in the journal. */
async function cursorOf(tables: Tables, state: TablesState, journal: Journal, report: Report): Promise<Cursor> {
  const from = { lsn: state.appliedLsn, at: state.appliedAt }
  const known = state.epoch === journal.header.epoch && state.role === 'mirror' && (await journal.has(from))
  if (!known) {
    const message = 'IndexedDB does not fit the journal; it is being rebuilt from it'
    report({ kind: 'mirror-diverged', message, details: { lsn: from.lsn, journalLsn: journal.end.lsn } })
    await tables.clear()
    return journal.start
  }
  const behind = journal.end.lsn - from.lsn
  if (behind > 0) {
    const message = `IndexedDB lacked the last ${behind} commits of the journal; they are being applied`
    report({ kind: 'mirror-behind', message, details: { commits: behind, lsn: from.lsn, journalLsn: journal.end.lsn } })
  }
  return from
}

const REBUILD_REASONS = {
  missing: 'The journal was missing and was rebuilt from IndexedDB; what was acknowledged in the last moments before may be lost',
  shorter: 'The journal had lost commits that IndexedDB still has, and was rebuilt from it',
  unfinished: 'The journal was rebuilt from IndexedDB, because an earlier rebuilding had been cut short',
  moved: 'The database was in IndexedDB alone; it now has a journal as well',
}

/**
 * Writes the journal anew from the tables. A mark in the tables makes this start over when it is
 * cut short, because until it is done the journal holds a part only.
 */
async function rebuild(
  file: BlockFile,
  tables: Tables,
  state: TablesState,
  why: 'missing' | 'shorter' | 'unfinished',
  report: Report,
): Promise<Reconciled> {
  await tables.setState({ ...state, rebuilding: true })
  const { databaseId, createdAt, nextSlot, appliedLsn, epoch } = state
  const header: JournalHeader = { databaseId, createdAt, nextSlot, baseLsn: appliedLsn, epoch: epoch + 1 }
  await writeHeader(file, header)
  const journal = await Journal.open(file, header, report)
  let episodes = 0
  for (let after = -1; ; ) {
    const page = await tables.episodes(after, REBUILD_BATCH)
    if (page.length === 0) break
    await journal.append(page.map((episode) => ({ op: 'put', ...episode })))
    episodes += page.length
    after = page[page.length - 1].slot
  }
  await tables.setState(stateAfter(journal, journal.end))
  const reason = state.role === 'only' ? 'moved' : why
  report({ kind: 'journal-rebuilt', message: REBUILD_REASONS[reason], details: { reason, episodes, lsn: appliedLsn } })
  return { journal, mirror: { tables, from: journal.end } }
}
