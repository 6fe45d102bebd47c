import type { Caller } from '../api/caller.js'
import { invalid } from '../api/check.js'
import type { Episode } from '../api/episode.js'
import type { OpenedStorage, StoredEpisode } from '../api/storage.js'
import type { ApplyReport, Changes } from '../api/sync.js'
import { refusedToWrite } from '../api/registry.js'
import { ENCODER_VERSION } from '../encoding/encoder.js'
import { decodeEpisode, episodeKind } from '../records/kinds/episode.js'
import { tombstoneKind } from '../records/kinds/tombstone.js'
import type { ChangedEpisode } from '../memory/projection.js'
import { countThrough } from '../transfer/export.js'
import { expectApplicable, isOther, merge, type Merged, type MergedItem } from '../transfer/sync/merge.js'
import type { Scan } from '../transfer/sync/scan.js'
import { withSupersession } from '../transfer/sync/shared.js'
import { type ArrivedRecord, decodeChanges } from '../transfer/sync/wire.js'
import type { EngineBuilder } from './builder.js'
import type { Engine } from './engine.js'
import type { Restorer } from './restore.js'
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
  const { context, floors } = before.inside
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
  const arriving = new Map(scanned.state.removals)
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
  const { context } = before.inside
  const slots = await context.writer.slots()
  const stored = await readAll(storage, slots)
  const restorer = builder.restorer()
  let engine: Engine | undefined
  const changed: ChangedEpisode[] = []
  try {
    await storage.rows.replace(async (add) => {
      const rows = [...rowsOf(stored, scanned, merged, restorer, builder, changed)]
      for (const { id, row } of stateRowsOf(scanned.state)) rows.push({ slot: rows.length, id, row, signatures: {} })
      rows.push(...before.idempotencyLog.rowsForReplacement(rows.length, { caller: by }))
      for (let from = 0; from < rows.length; from += ROWS_PER_BATCH) {
        const batch = rows.slice(from, from + ROWS_PER_BATCH)
        await add(batch)
        for (const row of batch) restorer.visit(row)
      }
      engine = builder.build(restorer, storage, rows.length)
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

/**
 * The rows of the memory as they are to be. What is not exchanged stays behind what it stood behind.
 *
 * @param changed gets the episodes that came, or say something else.
 */
function* rowsOf(
  stored: ReadonlyMap<number, StoredEpisode>,
  { records, buried, stateRows }: Scan,
  { items, superseded, removed }: Merged,
  restorer: Restorer,
  { recordKinds }: EngineBuilder,
  changed: ChangedEpisode[],
): Generator<StoredEpisode> {
  const placed = new Set(items.flatMap(({ slot }) => slot ?? []))
  const left = new Set([...removed.map(({ slot }) => slot), ...stateRows.map(({ slot }) => slot)])
  // What came back from another device needs no tombstone.
  for (const { id, slot } of items) if (slot === undefined && buried.has(id)) left.add(buried.get(id)!)
  const behind = new Map<number, number[]>()
  let last = -1
  for (const slot of [...stored.keys()].sort((a, b) => a - b)) {
    if (placed.has(slot)) last = slot
    else if (!left.has(slot)) behind.set(last, [...(behind.get(last) ?? []), slot])
  }
  const order: (MergedItem | number)[] = [...(behind.get(-1) ?? [])]
  for (const item of items) order.push(item, ...(behind.get(item.slot ?? NaN) ?? []))
  const slotOf = slotsAfter(order)
  for (const [slot, one] of order.entries()) {
    const old = typeof one === 'number' ? one : one.slot
    const before = old === undefined ? undefined : stored.get(old)!
    if (typeof one !== 'number' && one.arrived !== undefined) {
      const then = superseded.get(one.id)
      const { arrived } = one
      yield signed(
        slot,
        arrived,
        arrived.record.isEpisode ? withSupersession(arrived.row, then) : arrived.row,
        restorer,
      )
      if (arrived.record.isEpisode) changed.push(changeOf(one.id, slot, before))
      continue
    }
    const row = before!.row
    const record = typeof one === 'number' ? undefined : records.get(one.id)
    if (record !== undefined && record.slot === old && isOther(record, superseded)) {
      yield fresh({ ...before!, slot, row: withSupersession(row, superseded.get(record.id)) }, restorer)
      changed.push({ id: record.id, slot, live: true, updated: true })
    } else if (recordKinds.find(row) === tombstoneKind) yield { ...before!, slot, row: movedTombstone(row, slotOf) }
    else {
      const kind = recordKinds.find(row)
      const moved = { ...before!, slot, row: kind?.moved?.(row, (at) => slotOf(at) ?? -1) ?? row }
      yield kind === episodeKind ? fresh(moved, restorer) : moved
    }
  }
}

/** The new slot of an old one or, where that is gone, of the last before it; `undefined` for none. */
function slotsAfter(order: readonly (MergedItem | number)[]): (slot: number) => number | undefined {
  const pairs = order.flatMap((one, slot): [number, number][] => {
    const old = typeof one === 'number' ? one : one.slot
    return old === undefined ? [] : [[old, slot]]
  })
  pairs.sort(([a], [b]) => a - b)
  const olds = pairs.map(([old]) => old)
  return (slot) => pairs[countThrough(olds, slot) - 1]?.[1]
}

function movedTombstone(row: Uint8Array, slotOf: (slot: number) => number | undefined): Uint8Array {
  const tombstone = tombstoneKind.decode(row)
  const supersedes = tombstone.supersedes.flatMap((one) => {
    const slot = slotOf(one.slot)
    return slot === undefined ? [] : [{ ...one, slot }]
  })
  return tombstoneKind.encode({ ...tombstone, supersedes })
}

/** A record that came, with signatures. */
function signed(
  slot: number,
  { id, perceived, record }: ArrivedRecord,
  row: Uint8Array,
  restorer: Restorer,
): StoredEpisode {
  const arrived = { slot, id, row, signatures: perceived }
  return record.isEpisode ? fresh(arrived, restorer) : arrived
}

/** An episode with the signatures of this version. */
function fresh(stored: StoredEpisode, { indexes }: Restorer): StoredEpisode {
  if (stored.encoder === ENCODER_VERSION) return stored
  const { signatures, encoder } = indexes.encode(decodeEpisode(stored.row))
  return { ...stored, encoder, signatures: { ...stored.signatures, ...signatures } }
}

function changeOf(id: string, slot: number, before: StoredEpisode | undefined): ChangedEpisode {
  if (before === undefined) return { id, slot, live: true }
  return { id, slot, live: true, updated: true, before: decodeEpisode(before.row) satisfies Episode }
}

/** Has the floors work out what follows from the episodes that came. */
async function rederive(engine: Engine, caller: Caller, changed: readonly ChangedEpisode[]): Promise<void> {
  if (changed.length === 0) return
  const { context, floors } = engine.inside
  await context.writer.rewrite(async () => {
    const { records, done } = await floors.rederive(changed)
    return { changes: [], records, done, undo: () => {}, receipt: { caller } }
  })
}
