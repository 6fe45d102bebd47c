import type { StorageEvent } from '../../api/stats.js'
import { AgidbError, toWire } from '../../base/errors.js'
import type { BlockFile } from '../block/block-file.js'
import { newHeader, type JournalHeader } from '../journal/frame.js'
import type { CheckpointFile } from '../checkpoint/checkpoint-file.js'
import { Tables, type TablesState } from './indexeddb.js'
import { Journal } from '../journal/journal.js'
import { createJournal } from '../journal/create-journal.js'
import { currentOf, type JournalPair } from '../journal/journal-pair.js'
import { stateAfter } from './mirror.js'
import { extend, hasTail, rebuild } from './rebuild.js'
import type { Cursor } from '../journal/scan.js'
import { readSentinel, writeSentinel } from './sentinel.js'
import { tablesName } from './tables-name.js'
import type { KeepDamagedTail } from '../journal/tail.js'

type Report = (event: StorageEvent) => void

/** What is compared, and what to do with what is found. */
export interface Copies {
  /** Of the database. */
  readonly name: string
  readonly journals: JournalPair
  /** Perhaps of the journal. */
  readonly checkpoint: CheckpointFile
  readonly sentinel: BlockFile
  readonly keep: KeepDamagedTail
  readonly report: Report
}

/** A journal that is ready, and what mirrors it. */
export interface Reconciled {
  readonly journal: Journal
  /** The file that it is not in. */
  readonly other: BlockFile
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
export async function reconcile(copies: Copies): Promise<Reconciled> {
  const { name, journals: pair, report } = copies
  let found: Found
  try {
    found = await findTables(name, pair.header, report)
  } catch (cause) {
    if (cause instanceof AgidbError && cause.code === 'AGIDB_NEWER_FORMAT') throw cause
    const alone = await openAlone(copies, cause)
    const message = 'IndexedDB does not work here now, so there is no second copy'
    report({ kind: 'mirror-unavailable', message, details: { reason: String(cause) } })
    return alone
  }
  try {
    const reconciled = await compare(copies, found)
    if (reconciled.mirror) await writeSentinel(copies.sentinel, reconciled.mirror.from.lsn)
    return reconciled
  } catch (error) {
    await found.tables.close()
    throw error
  }
}

/** The journal without IndexedDB, which may have the only copy of a database whose journal is not there. */
async function openAlone(
  { name, journals: pair, checkpoint, keep, report }: Copies,
  cause: unknown,
): Promise<Omit<Reconciled, 'mirror'>> {
  const { file, header, damage, other } = currentOf(pair)
  if (damage) throw damage
  if (header) return { journal: await Journal.open(file, header, keep, report, checkpoint), other }
  const message =
    `the database ${name} has no journal, and IndexedDB, where its copy would be, cannot be read ` +
    `(${toWire(cause).message}): close other tabs of this site and open it again; nothing was changed`
  throw new AgidbError('AGIDB_STORAGE', message, { database: name }, { cause })
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a table of states of two copies
async function compare(copies: Copies, { tables, state, replacing }: Found): Promise<Reconciled> {
  const { name, journals: pair, sentinel, checkpoint, keep, report } = copies
  const current = currentOf(pair, state)
  const { file, header } = current
  if (!state) {
    if (current.damage) throw current.damage
    const journal = header
      ? await Journal.open(file, header, keep, report, checkpoint)
      : await createJournal(file, `a new database ${name} was created`, keep, report)
    const had = header && !replacing ? await readSentinel(sentinel) : 0
    const shown = await journal.reportLost(checkpoint, report)
    if (had > journal.end.lsn && !shown) {
      const message = 'IndexedDB was wiped, and the journal had lost commits that it once had: they are lost'
      report({ kind: 'commits-lost', message, details: { lsn: had, journalLsn: journal.end.lsn } })
    } else if (had > 0 && !shown) {
      const message = 'IndexedDB was wiped; it is being rebuilt from the journal, and nothing is lost'
      report({ kind: 'mirror-wiped', message, details: { lsn: had } })
    }
    return { journal, other: current.other, mirror: { tables, from: journal.start } }
  }
  const rebuilt = async (
    into: BlockFile,
    why: keyof typeof REBUILT,
    more: object,
    tail?: BlockFile,
  ): Promise<Reconciled> => {
    const epoch = Math.max(pair.epoch, state.epoch) + 1
    const { journal, from, episodes } = await rebuild(into, tables, state, epoch, tail)
    const details = { reason: why, episodes, lsn: state.appliedLsn, file: into.name, ...more }
    report({ kind: 'journal-rebuilt', message: REBUILT[why], details })
    return { journal, other: into === file ? current.other : file, mirror: { tables, from } }
  }
  if (!header && !current.damage) return rebuilt(file, state.role === 'only' ? 'moved' : 'missing', {})

  let journal: Journal
  try {
    if (current.damage) throw current.damage
    journal = await Journal.open(file, header!, keep, report, checkpoint)
  } catch (damage) {
    if (!(damage instanceof AgidbError && damage.code === 'AGIDB_CORRUPT')) throw damage
    // What the tables lack must be readable; else neither copy has everything, and both stay as they are.
    const complete = state.rebuilding || (state.role === 'mirror' && (await hasTail(file, state)))
    if (!complete) throw damage
    const { offset } = damage.details
    return rebuilt(current.other, 'damaged', { damaged: file.name, offset }, state.rebuilding ? undefined : file)
  }
  if (!state.rebuilding && state.appliedLsn <= journal.end.lsn) {
    await journal.reportLost(checkpoint, report)
    return { journal, other: current.other, mirror: { tables, from: await cursorOf(tables, state, journal, report) } }
  }
  // A checkpoint of the lost commits goes before others stand in their place: these would not match it.
  if (checkpoint.base !== undefined && (await journal.lacksPartOf(checkpoint.base))) await checkpoint.clear()
  const extended = await extend(journal, tables, state)
  if (!extended) return rebuilt(current.other, 'diverged', { diverged: file.name })
  const message = 'The journal had lost commits that IndexedDB still has; they were appended to it'
  report({ kind: 'journal-extended', message, details: { changes: extended.changes, lsn: state.appliedLsn } })
  return { journal, other: current.other, mirror: { tables, from: extended.from } }
}

const REBUILT = {
  missing:
    'The journal was missing and was rebuilt from IndexedDB; what was acknowledged in the last moments before ' +
    'may be lost',
  damaged:
    'The journal was damaged and was rebuilt in another file from IndexedDB, which had everything; ' +
    'the damaged file is kept until the next time',
  diverged:
    'The journal had lost commits that IndexedDB still has, and others came after; ' +
    'it was rebuilt in another file from IndexedDB, and is kept until the next time',
  moved: 'The database was in IndexedDB alone; it now has a journal as well',
}

/** The tables that belong to the journal, and their state when they have one. */
async function findTables(name: string, header: JournalHeader | undefined, report: Report): Promise<Found> {
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

/** Where the tables are when the usual name is quarantined. Without a journal, whichever there is. */
async function ownTablesName(name: string, header: JournalHeader | undefined): Promise<string> {
  const prefix = `${tablesName(name)}#`
  if (header) return prefix + header.databaseId
  const found = (await indexedDB.databases()).find((database) => database.name?.startsWith(prefix))
  return found?.name ?? `${prefix}${newHeader(0).databaseId}`
}

/** How far the tables are, in the journal. */
async function cursorOf(tables: Tables, state: TablesState, journal: Journal, report: Report): Promise<Cursor> {
  const { seal, compacted, epoch } = journal.header
  // It was compacted out of the journal that the tables follow, when they had all of it.
  const moved = compacted && seal !== undefined && state.epoch === epoch - 1 && state.appliedLsn === seal.of
  if (moved && state.role === 'mirror') {
    await tables.setState(stateAfter(journal, seal))
    return seal
  }
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
