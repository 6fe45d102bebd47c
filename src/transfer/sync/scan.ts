import type { Episode } from '../../api/episode.js'
import type { LearningEvent } from '../../api/learning.js'
import { learningEventKind } from '../../records/kinds/learning-event.js'
import { syncStateKind } from '../../records/kinds/sync-state.js'
import { tombstoneKind } from '../../records/kinds/tombstone.js'
import type { RecordKinds } from '../../records/record-kind.js'
import { deviceOf, timeOf } from './clock.js'
import { hashOf, sharedRecord, type SharedRecord } from './shared.js'
import { dropUndone, keyOf, type Removal, type StateRow, SyncState } from './state.js'

/** Rows that are read at a time. */
const ROWS_PER_BATCH = 256

/** The memory whose changes are noted. */
export interface ScannedMemory {
  readonly databaseId: string
  readonly kinds: RecordKinds
  /** Of everything but receipts, ascending. */
  readonly slots: readonly number[]
  readonly rows: (slots: readonly number[]) => Promise<(Uint8Array | undefined)[]>
  readonly digest: (bytes: Uint8Array) => string
  /** An id for a device, where this one has none yet. */
  readonly newDevice: () => string
  /** Epoch milliseconds. */
  readonly now: number
}

/** A record of the memory that is exchanged, without its row. */
export interface LocalRecord extends Omit<SharedRecord, 'row'> {
  readonly slot: number
  readonly digest: string
}

/** What a memory holds, and the state that accounts for it. */
export interface Scan {
  readonly state: SyncState
  /** By id. */
  readonly records: ReadonlyMap<string, LocalRecord>
  /** Records that can be restored: the slot of each by its id. */
  readonly buried: ReadonlyMap<string, number>
  /** Whether the state accounts for it for the first time. */
  readonly isFirst: boolean
  /** Where the state is stored. */
  readonly stateRows: readonly { readonly slot: number; readonly isSelf: boolean }[]
  /** Records that were restored here although another device unlearned them later. */
  readonly zombies: ReadonlySet<string>
  readonly hash: (id: string) => string
  readonly digest: (bytes: Uint8Array) => string
}

/**
 * Reads what a memory holds and has its state account for it: what is new, what says something else, what is gone. The
 * write path notes nothing, so a memory that is never exchanged pays nothing.
 *
 * @param arriving unlearnings of other devices, by hashed id, which this one has just carried out: they are not its
 * own.
 */
export async function scan(memory: ScannedMemory, arriving: ReadonlyMap<string, Removal> = new Map()): Promise<Scan> {
  const { digest } = memory
  const hashes = new Map<string, string>()
  const hash = (id: string): string => {
    const known = hashes.get(id) ?? hashOf(id, digest)
    hashes.set(id, known)
    return known
  }
  const read = await readMemory(memory)
  const known = SyncState.stored(read.state, memory.databaseId)
  const { records, buried, unlearned } = read
  const lost = known === undefined ? 0 : lostEpisodes(known, read)
  // Missing episodes that were not unlearned were lost by a repair: other devices give them back.
  const state = known === undefined || lost > 0 ? SyncState.fresh(memory.databaseId, memory.newDevice()) : known
  const zombies = new Set<string>()
  noteRecords(state, memory, read, hash, zombies)
  noteRemovals(state, memory, read, hash, arriving)
  noteSupersessions(state, memory, records, hash)
  state.unlearnings = unlearned.length
  return { state, isFirst: state !== known, records, buried, stateRows: read.stateRows, zombies, hash, digest }
}

interface ReadMemory {
  readonly records: Map<string, LocalRecord>
  readonly buried: Map<string, number>
  readonly stateRows: { readonly slot: number; readonly isSelf: boolean }[]
  readonly state: StateRow[]
  /** The unlearnings of this device, in order. */
  readonly unlearned: LearningEvent<'unlearned'>[]
}

async function readMemory(memory: ScannedMemory): Promise<ReadMemory> {
  const { slots, rows } = memory
  const read: ReadMemory = { records: new Map(), buried: new Map(), stateRows: [], state: [], unlearned: [] }
  for (let from = 0; from < slots.length; from += ROWS_PER_BATCH) {
    const some = slots.slice(from, from + ROWS_PER_BATCH)
    for (const [i, row] of (await rows(some)).entries()) if (row !== undefined) readRow(memory, some[i], row, read)
  }
  return read
}

function readRow({ kinds, digest }: ScannedMemory, slot: number, row: Uint8Array, read: ReadMemory): void {
  const kind = kinds.find(row)
  if (kind?.tag === syncStateKind.tag) {
    const state = syncStateKind.decode(row) as StateRow
    read.stateRows.push({ slot, isSelf: 'self' in state })
    read.state.push(state)
  } else if (kind?.tag === tombstoneKind.tag) {
    const record = sharedRecord(tombstoneKind.decode(row).row, kinds)
    if (record !== undefined) read.buried.set(record.id, slot)
  } else {
    const record = sharedRecord(row, kinds)
    if (record !== undefined) {
      const { row: content, ...rest } = record
      read.records.set(record.id, { ...rest, slot, digest: digest(content) })
    } else if (kind?.tag === learningEventKind.tag) {
      const event = learningEventKind.decode(row)
      if (event.kind === 'unlearned') read.unlearned.push(event)
    }
  }
}

/** How many more episodes are gone than were unlearned. */
function lostEpisodes(known: SyncState, { records, buried, unlearned }: ReadMemory): number {
  let gone = 0
  for (const [id, { isBuried, isEpisode }] of known.entries)
    if (isEpisode && isBuried === undefined && !records.has(id) && !buried.has(id)) gone++
  const forgotten = unlearned.slice(known.unlearnings).reduce((sum, { episodesRemoved }) => sum + episodesRemoved, 0)
  return Math.max(0, gone - forgotten)
}

/** Accounts for what is new and for what says something else, in the order in which it happened. */
function noteRecords(
  state: SyncState,
  { now }: ScannedMemory,
  { records, buried }: ReadMemory,
  hash: (id: string) => string,
  zombies: Set<string>,
): void {
  const changes: { readonly time: number; readonly note: () => void }[] = []
  let time = 0
  for (const [id, record] of records) {
    const { digest, isEpisode } = record
    const entry = state.entries.get(id)
    time = Math.max(time, Math.min(record.time, now))
    if (entry === undefined || (entry.isBuried && buried.has(id))) {
      const begun = time
      const removed = state.removals.has(hash(id))
      changes.push({
        time,
        note: () => {
          const place = state.clock.tick(begun)
          // A record that was made again under an unlearned id is later than the unlearning, whatever its clock says.
          const birth = removed ? place : birthOf(record, hash(id), now)
          state.set(id, { place, birth, ...state.next(Math.min(record.changed, now)), digest, isEpisode })
        },
      })
    } else if (entry.isBuried) {
      const removal = state.removals.get(hash(id))
      if (removal !== undefined && deviceOf(removal.stamp) !== state.device) zombies.add(id)
      else
        changes.push({
          time: now,
          note: () => {
            const birth = removal === undefined ? entry.birth : `${removal.stamp}+`
            state.set(id, { place: entry.place, birth, ...state.next(now), digest, isEpisode })
          },
        })
    } else if (entry.digest !== digest)
      changes.push({
        time: Math.min(Math.max(record.changed, timeOf(entry.stamp)), now),
        note: () => state.set(id, { ...entry, ...state.next(Math.min(record.changed, now)), digest }),
      })
  }
  changes.sort((a, b) => a.time - b.time) // stable: what is new stays in its order
  for (const { note } of changes) note()
}

/** When a record came to be, by what it says of itself: the same on every device that has it. */
function birthOf({ time }: LocalRecord, hashed: string, now: number): string {
  return Math.max(0, Math.min(time, now)).toString(16).padStart(12, '0') + '0000' + hashed.slice(0, 16)
}

/** Accounts for what is gone. */
function noteRemovals(
  state: SyncState,
  { now }: ScannedMemory,
  { records, buried }: ReadMemory,
  hash: (id: string) => string,
  arriving: ReadonlyMap<string, Removal>,
): void {
  for (const [id, entry] of [...state.entries]) {
    if (records.has(id)) continue
    const hashed = hash(id)
    const isKnown = (removal: Removal | undefined) => removal !== undefined && removal.stamp >= entry.birth
    if (!entry.isBuried && !isKnown(state.removals.get(hashed)) && !isKnown(arriving.get(hashed)))
      state.remove(hashed, nextAfterBirth(state, now))
    if (!buried.has(id)) state.drop(id)
    else if (!entry.isBuried) state.set(id, { ...entry, isBuried: true })
  }
  // What was forgotten before anything was exchanged: another device may have it from an export.
  for (const id of buried.keys())
    if (!state.entries.has(id) && !records.has(id) && !state.removals.has(hash(id)))
      state.remove(hash(id), nextAfterBirth(state, now))
}

/** A stamp that is later than the birth of anything that came to be by then. */
function nextAfterBirth(state: SyncState, now: number): Removal {
  state.clock.tick(now)
  return state.next(now)
}

/** Accounts for what superseded what. */
function noteSupersessions(
  state: SyncState,
  { now }: ScannedMemory,
  records: ReadonlyMap<string, LocalRecord>,
  hash: (id: string) => string,
): void {
  dropUndone(state, hash)
  const found = [...records.values()].flatMap(({ id, superseded }) => (superseded ? [{ id, superseded }] : []))
  const timed = found.map((one) => ({ ...one, time: Math.min(Date.parse(one.superseded.recordedAt), now) }))
  for (const { id, superseded, time } of timed.sort((a, b) => a.time - b.time)) {
    const known = state.supersessions.get(keyOf({ episode: id, by: superseded.by }))
    if (known === undefined || !isSame(known, superseded))
      state.supersede({ episode: id, ...superseded, ...state.next(time) })
  }
}

function isSame(a: NonNullable<Episode['superseded']>, b: NonNullable<Episode['superseded']>): boolean {
  return a.at === b.at && a.recordedAt === b.recordedAt
}
