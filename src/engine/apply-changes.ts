import type { Caller } from '../api/caller.js'
import { invalid } from '../api/check.js'
import type { OpenedStorage, StoredEpisode } from '../api/storage.js'
import type { ApplyReport, Changes } from '../api/sync.js'
import { refusedToWrite } from '../api/registry.js'
import { decodeEpisode } from '../records/kinds/episode.js'
import type { ChangedEpisode } from '../memory/projection.js'
import { expectApplicable, isOther, merge, type Merged } from '../transfer/sync/merge.js'
import type { Scan } from '../transfer/sync/scan.js'
import { withSupersession } from '../transfer/sync/shared.js'
import { type ArrivedRecord, decodeChanges } from '../transfer/sync/wire.js'
import type { Transaction } from '../write/writer.js'
import type { EngineBuilder } from './builder.js'
import type { Engine } from './engine.js'
import { MergedRows, orderOf } from './merged-rows.js'
import { scanOf, stateRowsOf, storing } from './sync.js'

/** Why an episode was forgotten, as `unlearnHistory` tells it. */
const REASON = 'unlearned on another device'
/** Episodes that are forgotten in one commit. */
const EPISODES_AT_ONCE = 1_000
/** Rows that are read or written at a time. */
const ROWS_PER_BATCH = 256

/** Into what changes are applied. */
export interface Applying {
  readonly storage: OpenedStorage
  readonly builder: EngineBuilder
  readonly before: Engine
  readonly by: Caller
  readonly given: Changes | Uint8Array
}

/** The engine after changes were applied, which may be the one before. */
export interface Applied {
  readonly engine: Engine
  readonly report: ApplyReport
}

/** See `SyncMethods.apply`; nothing else is asked meanwhile. */
export async function applyChanges(applying: Applying): Promise<Applied> {
  const { builder, before, given } = applying
  if (applying.by.readOnly || builder.caller.readOnly) throw refusedToWrite('apply')
  // Applied twice they change nothing, so nothing is noted of the call.
  const { call: _, ...by } = applying.by
  const bytes = given instanceof Uint8Array ? given : (given as Changes | null | undefined)?.bytes
  if (!(bytes instanceof Uint8Array))
    throw invalid('apply takes what changes() of another memory answers, or its bytes', { what: 'changes' })
  const changes = decodeChanges(bytes, builder.limits, builder.recordKinds)
  const { context, floors } = await before.inside()
  const merging = async (arriving?: Parameters<typeof scanOf>[1]): Promise<Merging> => {
    const scanned = await scanOf(context, arriving)
    const now = builder.clock()
    expectApplicable(changes, scanned, now)
    return { scanned, merged: merge(changes, scanned, now) }
  }
  const arriving = new Map(changes.removals.map(({ hash, ...removal }) => [hash, removal]))
  // Where nothing is to be moved or changed in its place what came is stored, and that is all.
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
  if (!first.isStored && (await forget(before, first.merged, by)))
    last = await context.writer.transact(async () => store(await merging(arriving)))
  const { vector } = last.scanned.state
  if (last.isStored) {
    before.noticed()
    return { engine: before, report: { ...report, vector } }
  }
  return before.still(async () => {
    const merged = await merging(arriving)
    const rebuilt = await rebuild({ ...applying, by }, merged)
    before.release()
    rebuilt.engine.start()
    builder.tell('changesApplied', by)
    await rederive(rebuilt.engine, by, rebuilt.changed)
    return { engine: rebuilt.engine, report: { ...report, vector: merged.scanned.state.vector } }
  })
}

/** Forgets episodes that were unlearned on another device, with all that follows from it. Answers whether any were. */
async function forget(engine: Engine, { removed }: Merged, by: Caller): Promise<boolean> {
  const { floors } = await engine.inside()
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

/** Writes the memory anew with its records in the order on which all devices agree, and builds the engine of it. */
async function rebuild({ storage, builder, before, by }: Applying, { scanned, merged }: Merging) {
  const { context, floors } = await before.inside()
  const slots = await context.writer.slots()
  const stored = await readAll(storage, slots)
  const restorer = builder.restorer()
  let engine: Engine | undefined
  const changed: ChangedEpisode[] = []
  try {
    await storage.rows.replace(async (add) => {
      const order = orderOf([...stored.keys()], (slot) => floors.media.owner(slot), scanned, merged)
      const made = new MergedRows(order, stored, scanned, merged, restorer.indexes, builder.recordKinds)
      const rows = [...made.all(changed)]
      for (const { id, row } of stateRowsOf(scanned.state)) rows.push({ slot: rows.length, id, row, signatures: {} })
      rows.push(...before.idempotencyLog.rowsForReplacement(rows.length, { caller: by }))
      for (let from = 0; from < rows.length; from += ROWS_PER_BATCH) {
        const batch = rows.slice(from, from + ROWS_PER_BATCH)
        await add(batch)
        for (const row of batch) restorer.visit(row)
      }
      engine = await builder.build(restorer, storage, rows.length)
    })
    builder.adopt(restorer)
  } catch (error) {
    builder.discard(restorer)
    throw error
  }
  return { engine: engine!, changed }
}

async function readAll({ rows }: OpenedStorage, slots: readonly number[]): Promise<Map<number, StoredEpisode>> {
  const all = new Map<number, StoredEpisode>()
  for (let from = 0; from < slots.length; from += ROWS_PER_BATCH)
    for (const row of await rows.read(slots.slice(from, from + ROWS_PER_BATCH))) all.set(row.slot, row)
  return all
}

/** Has the floors work out what follows from the episodes that came. */
async function rederive(engine: Engine, caller: Caller, changed: readonly ChangedEpisode[]): Promise<void> {
  if (changed.length === 0) return
  const { context, floors } = await engine.inside()
  await context.writer.rewrite(async () => {
    const { records, done } = await floors.rederive(changed)
    return { changes: [], records, done, undo: () => {}, receipt: { caller } }
  })
}
