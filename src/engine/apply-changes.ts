import type { Caller } from '../api/caller.js'
import { invalid } from '../api/check.js'
import type { AddEpisodes, OpenedStorage, StoredEpisode } from '../api/storage.js'
import type { ApplyReport, Changes, VersionVector } from '../api/sync.js'
import { decodeEpisode } from '../records/kinds/episode.js'
import type { RecordKinds } from '../records/record-kind.js'
import type { Floors } from '../memory/memory.js'
import type { ChangedEpisode } from '../memory/projection.js'
import { expectApplicable, isOther, merge, type Merged } from '../transfer/sync/merge.js'
import type { Scan } from '../transfer/sync/scan.js'
import { withSupersession } from '../transfer/sync/shared.js'
import { type ArrivedRecord, decodeChanges } from '../transfer/sync/wire.js'
import type { Transaction } from '../write/writer.js'
import { MergedRows, orderOf } from './merged-rows.js'
import type { Restorer } from './restore.js'
import { type SyncContext, scanOf, stateRowsOf, storing } from './sync-state.js'

/** Why an episode was forgotten, as `unlearnHistory` tells it. */
const REASON = 'unlearned on another device'
/** Episodes that are forgotten in one commit. */
const EPISODES_AT_ONCE = 1_000
/** Rows that are read or written at a time. */
const ROWS_PER_BATCH = 256

/** A memory, as what changes are applied to. */
export interface ChangedMemory {
  readonly context: SyncContext
  readonly floors: Floors
}

/** The changes to apply, and the memory that they are applied to. */
export interface Applying extends ChangedMemory {
  readonly by: Caller
  readonly given: Changes | Uint8Array
  /**
   * Replaces all rows at once. Nothing is written between `prepare` and the replacement.
   *
   * @returns the memory of these rows.
   */
  readonly replace: (prepare: () => Promise<Fill>) => Promise<ChangedMemory>
}

/** Adds the rows of a memory and passes them to a restorer. Returns the number of rows. It reads no rows. */
export type Fill = (restorer: Restorer, add: AddEpisodes) => Promise<number>

/** See `SyncMethods.apply`. No other call runs meanwhile. */
export async function applyChanges(applying: Applying): Promise<ApplyReport> {
  const { context, floors, by, given, replace } = applying
  const bytes = given instanceof Uint8Array ? given : (given as Changes | null | undefined)?.bytes
  if (!(bytes instanceof Uint8Array))
    throw invalid('apply takes what changes() of another memory answers, or its bytes', { what: 'changes' })
  const { limits, recordKinds, clock } = context.config
  const changes = decodeChanges(bytes, limits, recordKinds)
  const merging = async (arriving?: Parameters<typeof scanOf>[1]): Promise<Merging> => {
    const scanned = await scanOf(context, arriving)
    const now = clock()
    expectApplicable(changes, scanned, now)
    return { scanned, merged: merge(changes, scanned, now) }
  }
  const arriving = new Map(changes.removals.map(({ hash, ...removal }) => [hash, removal]))
  // Where no stored row must change its place or its content, new rows are appended and nothing else is done.
  const store = (found: Merging): Transaction<Merging> => {
    const { scanned, merged } = found
    const appended = merged.isChanged ? appendedBy(scanned, merged) : []
    if (appended === undefined) return { records: [], receipt: { caller: by }, done: () => found }
    return {
      ...storing(scanned, floors, by, () => ({ ...found, isStored: true as const })),
      ...appending(appended, merged),
    }
  }
  const first = await context.writer.transact(async () => store(await merging()))
  const report = reportOf(first.merged, first.scanned)
  let last = first
  if (!first.isStored && (await forget(floors, first.merged, by)))
    last = await context.writer.transact(async () => store(await merging(arriving)))
  if (last.isStored) return { ...report, vector: last.scanned.state.vector }
  const changed: ChangedEpisode[] = []
  let vector: VersionVector = {}
  const memory = await replace(async () => {
    const found = await merging(arriving)
    vector = found.scanned.state.vector
    const stored = await readAll(context.storage, await context.writer.slots())
    return (restorer, add) => fill(found, { stored, floors, recordKinds }, changed, restorer, add)
  })
  await rederive(memory, by, changed)
  return { ...report, vector }
}

/** Forgets episodes that were unlearned on another device, with all that follows from it. Answers whether any were. */
async function forget(floors: Floors, { removed }: Merged, by: Caller): Promise<boolean> {
  const forgotten = removed.flatMap(({ id, isEpisode }) => (isEpisode ? [id] : []))
  for (let from = 0; from < forgotten.length; from += EPISODES_AT_ONCE) {
    const episode = forgotten.slice(from, from + EPISODES_AT_ONCE)
    await floors.forgetting.unlearn({ episode }, REASON, undefined, by)
  }
  return forgotten.length > 0
}

/** What came, where it is nothing but episodes that stand after all that is here; `undefined` for something else. */
function appendedBy({ records, buried }: Scan, { items, superseded, removed }: Merged): ArrivedRecord[] | undefined {
  const arrived = items.flatMap((item) => item.arrived ?? [])
  const last = items.slice(items.length - arrived.length)
  const isAppended =
    arrived.length <= EPISODES_AT_ONCE &&
    removed.length === 0 &&
    last.every(({ id, slot, arrived: one }) => slot === undefined && one?.record.isEpisode && !buried.has(id)) &&
    items.every(({ slot }, i) => slot === undefined || i === 0 || slot > items[i - 1].slot!) &&
    ![...records.values()].some((record) => isOther(record, superseded))
  return isAppended ? arrived : undefined
}

/** The episodes of a commit that stores what came as if it had been observed. */
function appending(arrived: readonly ArrivedRecord[], { superseded }: Merged) {
  const episodes = arrived.map(({ id, row }) => decodeEpisode(withSupersession(row, superseded.get(id))))
  return { episodes, perceived: new Map(arrived.map(({ id, perceived }) => [id, perceived])) }
}

interface Merging {
  readonly scanned: Scan
  readonly merged: Merged
  /** Whether it is stored. */
  readonly isStored?: true
}

function reportOf({ added, updated, removed }: Merged, { state }: Scan): ApplyReport {
  return { added, updated, removed: removed.length, vector: state.vector }
}

/** What was stored before, and what was known of it. */
interface Refilled extends Pick<ChangedMemory, 'floors'> {
  /** By slot. */
  readonly stored: ReadonlyMap<number, StoredEpisode>
  readonly recordKinds: RecordKinds
}

/** Writes the memory anew with its records in the order on which all devices agree. */
async function fill(
  { scanned, merged }: Merging,
  { stored, floors: { media }, recordKinds }: Refilled,
  changed: ChangedEpisode[],
  restorer: Restorer,
  add: AddEpisodes,
): Promise<number> {
  const order = orderOf([...stored.keys()], (slot) => media.owner(slot), scanned, merged)
  const rows = [...new MergedRows(order, stored, scanned, merged, restorer.indexes, recordKinds).all(changed)]
  for (const { id, row } of stateRowsOf(scanned.state)) rows.push({ slot: rows.length, id, row, signatures: {} })
  for (let from = 0; from < rows.length; from += ROWS_PER_BATCH) {
    const batch = rows.slice(from, from + ROWS_PER_BATCH)
    await add(batch)
    for (const row of batch) restorer.visit(row)
  }
  return rows.length
}

async function readAll({ rows }: OpenedStorage, slots: readonly number[]): Promise<Map<number, StoredEpisode>> {
  const all = new Map<number, StoredEpisode>()
  for (let from = 0; from < slots.length; from += ROWS_PER_BATCH)
    for (const row of await rows.read(slots.slice(from, from + ROWS_PER_BATCH))) all.set(row.slot, row)
  return all
}

/** Has the floors work out what follows from the episodes that came. */
async function rederive(
  { context: { writer }, floors }: ChangedMemory,
  caller: Caller,
  changed: readonly ChangedEpisode[],
): Promise<void> {
  if (changed.length === 0) return
  await writer.rewrite(async () => {
    const { records, done } = await floors.rederive(changed)
    return { changes: [], records, done, undo: () => {}, receipt: { caller } }
  })
}
