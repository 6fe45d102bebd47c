import type { Caller } from '../api/caller.js'
import { invalid } from '../api/check.js'
import type { OpenedStorage, StoredEpisode } from '../api/storage.js'
import type { ApplyReport, Changes } from '../api/sync.js'
import { refusedToWrite } from '../api/registry.js'
import type { ChangedEpisode } from '../memory/projection.js'
import { expectApplicable, merge, type Merged } from '../transfer/sync/merge.js'
import type { Scan } from '../transfer/sync/scan.js'
import { decodeChanges } from '../transfer/sync/wire.js'
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
  // Where no row is another one it is noted what was received, and that is all.
  const { scanned, merged } = await context.writer.transact(async () => {
    const found = await merging()
    if (found.merged.isChanged) return { records: [], receipt: { caller: by }, done: () => found }
    return storing(found.scanned, floors, by, () => found)
  })
  if (!merged.isChanged) return { engine: before, report: reportOf(merged, scanned) }
  const forgotten = merged.removed.flatMap(({ id, isEpisode }) => (isEpisode ? [id] : []))
  for (let from = 0; from < forgotten.length; from += EPISODES_AT_ONCE) {
    const episode = forgotten.slice(from, from + EPISODES_AT_ONCE)
    await floors.forgetting.unlearn({ episode }, REASON, undefined, by)
  }
  const arriving = new Map(changes.removals.map(({ hash, ...removal }) => [hash, removal]))
  return before.still(async () => {
    const last = await merging(arriving)
    const rebuilt = await rebuild({ ...applying, by }, last)
    before.release()
    rebuilt.engine.start()
    builder.tell('changesApplied', by)
    await rederive(rebuilt.engine, by, rebuilt.changed)
    const { vector } = last.scanned.state
    return { engine: rebuilt.engine, report: { ...reportOf(merged, scanned), vector } }
  })
}

interface Merging {
  readonly scanned: Scan
  readonly merged: Merged
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
