import type { BlockFile } from '../block/block-file.js'
import { entryChange, readEntries } from '../journal/changes.js'
import { FRAME_HEADER_BYTES, SEALED_VERSION } from '../journal/frame.js'
import type { Tables, TablesState } from './indexeddb.js'
import { Journal } from '../journal/journal.js'
import { stateAfter } from './mirror.js'
import type { StorageChange, SignatureKind, EncodedSignatures, StoredEpisode } from '../../api/storage.js'
import { scan, type Cursor } from '../journal/scan.js'
import { sameBytes } from '../../base/same-bytes.js'

/** Episodes in one frame of a journal that is rebuilt. */
const ROWS_PER_BATCH = 256

/** A journal that has all that the tables have, and perhaps more. */
export interface Rebuilt {
  readonly journal: Journal
  /** The place in it that the tables are at. */
  readonly from: Cursor
  readonly episodes: number
}

/** What a journal got from the tables. */
export interface Extended {
  /** The place in the journal that the tables are at. */
  readonly from: Cursor
  readonly changes: number
}

/**
 * Writes a journal anew from the tables, into a file whose content is not needed. Until it is done the file says that
 * it is not, and whatever was the journal before is still there.
 *
 * @param epoch over that of every journal before it
 * @param tail a journal whose commits after those in the tables are taken over; its file must be readable from there on
 */
export async function rebuild(
  file: BlockFile,
  tables: Tables,
  state: TablesState,
  epoch: number,
  tail?: BlockFile,
): Promise<Rebuilt> {
  const { databaseId, createdAt, nextSlot, appliedLsn: baseLsn } = state
  const start = { nextSlot, baseLsn, epoch }
  const journal = await Journal.begin(file, { version: SEALED_VERSION, databaseId, createdAt, ...start, checked: true })
  let episodes = 0
  for await (const page of pages(tables)) {
    await journal.build(page.map((episode) => ({ op: 'put', ...episode })))
    episodes += page.length
  }
  const from = journal.end
  if (tail) {
    const append = ({ bytes }: { bytes: Uint8Array }): Promise<void> =>
      journal.build(readEntries(bytes, FRAME_HEADER_BYTES).map((entry) => entryChange(bytes, entry)))
    await scan(tail, headerOf(state), append, cursorOf(state))
  }
  await journal.finish(state.appliedLsn)
  await tables.setState(stateAfter(journal, from))
  return { journal, from, episodes }
}

/** Whether a journal, damaged or not, can be read to its end from the commit on that the tables have come to. */
export async function hasTail(file: BlockFile, state: TablesState): Promise<boolean> {
  try {
    const { end, size } = await scan(file, headerOf(state), () => undefined, cursorOf(state))
    return end >= size
  } catch {
    return false
  }
}

/**
 * Appends to a journal what the tables have and it lacks: nothing of it is cut off or written over. `undefined` when it
 * cannot be what the tables were made from, so that appending would not make them equal.
 */
export async function extend(journal: Journal, tables: Tables, state: TablesState): Promise<Extended | undefined> {
  // Until the end the journal may have the right number of commits and not yet the right ones.
  await tables.setState({ ...state, rebuilding: true })
  if (journal.nextSlot > state.nextSlot) return undefined
  let count = 0
  let next = 0
  for await (const page of pages(tables)) {
    const changes = await missing(journal, page)
    const end = page[page.length - 1].slot + 1
    if (!changes) return undefined
    const kept = new Set(page.map(({ slot }) => slot))
    for (const removal of await removals(journal, next, end, kept)) changes.push(removal)
    await journal.append(changes)
    count += changes.length
    next = end
  }
  const rest = await removals(journal, next, journal.nextSlot, new Set())
  await journal.append(rest)
  if (journal.nextSlot < state.nextSlot) await journal.append(usedUp(state.nextSlot - 1))
  await tables.setState(stateAfter(journal, journal.end))
  return { from: journal.end, changes: count + rest.length }
}

/** The changes that give a journal these episodes, or `undefined` when it has another in the slot of one. */
async function missing(journal: Journal, page: readonly StoredEpisode[]): Promise<StorageChange[] | undefined> {
  const found = new Map<number, StoredEpisode>()
  await journal.visit(
    (episode) => found.set(episode.slot, episode),
    page.map(({ slot }) => slot),
  )
  const changes: StorageChange[] = []
  for (const episode of page) {
    const { slot, id, row, signatures, encoder } = episode
    const there = found.get(slot)
    if (!there) {
      if (journal.isRemoved(slot)) return undefined
      changes.push({ op: 'put', ...episode })
      continue
    }
    // A signature is never taken away: one that the tables do not have, they never had.
    const isStrange = Object.keys(there.signatures).some((kind) => !(kind in signatures))
    if (there.id !== id || isStrange) return undefined
    if (!sameBytes(there.row, row)) changes.push({ op: 'update', slot, id, row })
    if (!isSigned(there, episode)) changes.push({ op: 'setSignatures', slot, id, signatures, encoder })
  }
  return changes
}

/** Whether an episode has all these signatures, of this encoder. */
function isSigned(there: EncodedSignatures, { signatures, encoder = 0 }: EncodedSignatures): boolean {
  const kinds = Object.keys(signatures) as SignatureKind[]
  return (there.encoder ?? 0) === encoder && kinds.every((kind) => sameBytes(there.signatures[kind], signatures[kind]))
}

async function removals(
  journal: Journal,
  from: number,
  end: number,
  kept: ReadonlySet<number>,
): Promise<StorageChange[]> {
  const slots = journal.liveSlots(from, end).filter((slot) => !kept.has(slot))
  const latest = await journal.latest(slots)
  return slots.map((slot, index) => ({ op: 'remove', slot, id: latest[index]!.id }))
}

/** Makes a slot one that is not used again. */
function usedUp(slot: number): StorageChange[] {
  return [
    { op: 'put', slot, id: '', row: new Uint8Array(0), signatures: {} },
    { op: 'remove', slot, id: '' },
  ]
}

/** All episodes that are in the tables. */
export async function* pages(tables: Tables): AsyncGenerator<StoredEpisode[]> {
  for (let after = -1; ; ) {
    const page = await tables.episodes(after, ROWS_PER_BATCH)
    if (page.length === 0) return
    yield page
    after = page[page.length - 1].slot
  }
}

function headerOf({ databaseId, createdAt, epoch }: TablesState): Parameters<typeof scan>[1] {
  return { version: SEALED_VERSION, databaseId, createdAt, epoch, baseLsn: 0, nextSlot: 0 }
}

function cursorOf({ appliedLsn, appliedAt }: TablesState): Cursor {
  return { lsn: appliedLsn, at: appliedAt }
}
