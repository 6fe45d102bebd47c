import type { Caller } from '../api/caller.js'
import { checkKeys, invalid } from '../api/check.js'
import type { Changes, ChangesOptions, VersionVector } from '../api/sync.js'
import { syncStateKind } from '../records/kinds/sync-state.js'
import type { Floors } from '../memory/memory.js'
import { DEVICE_DIGITS } from '../transfer/sync/clock.js'
import { collect } from '../transfer/sync/collect.js'
import { scan, type Scan } from '../transfer/sync/scan.js'
import { type Removal, type StateRow, SyncState } from '../transfer/sync/state.js'
import { isVector, MAX_CHANGES_BYTES } from '../transfer/sync/wire.js'
import type { RecordChange } from '../write/record-change.js'
import type { Transaction } from '../write/writer.js'
import type { EngineContext } from './context.js'
import { applyChanges } from './apply-changes.js'

/** Exchanges changes with other devices. It is loaded when that is first asked for. */
export interface Sync {
  readonly versionVector: typeof versionVector
  readonly changesSince: typeof changesSince
  readonly applyChanges: typeof applyChanges
}

export { applyChanges }

const DEFAULT_BYTES = 2 ** 23
const LEAST_BYTES = 1024
/** Rows of the state: with more of them it is written anew. */
const MAX_STATE_ROWS = 32
const ID = 'sync_state'

/** See `SyncMethods.versionVector`. */
export async function versionVector({ storage, config }: EngineContext, floors: Floors): Promise<VersionVector> {
  const slots = [...floors.exchanged.slots].sort((a, b) => a - b)
  const rows = await storage.rows.get(slots)
  const state = rows.flatMap((row) => (row === undefined ? [] : [syncStateKind.decode(row) as StateRow]))
  return SyncState.stored(state, config.databaseId)?.vector ?? {}
}

/** See `SyncMethods.changes`. */
export async function changesSince(
  context: EngineContext,
  floors: Floors,
  since: VersionVector = {},
  options: ChangesOptions = {},
  caller: Caller,
): Promise<Changes> {
  if (!isVector(since))
    throw invalid('since must be a version vector, as versionVector() and changes() answer it', { what: 'since' })
  checkKeys('changes', options, ['maxBytes'])
  const { maxBytes = DEFAULT_BYTES } = options
  if (!Number.isSafeInteger(maxBytes) || maxBytes < LEAST_BYTES || maxBytes > MAX_CHANGES_BYTES)
    throw invalid(`maxBytes must be a whole number from ${LEAST_BYTES} to ${MAX_CHANGES_BYTES}`, { option: 'maxBytes' })
  return context.writer.transact(async () => {
    const scanned = await scanOf(context)
    const { config, storage } = context
    const changes = await collect(scanned, since, maxBytes, config.recordKinds, (slots) => storage.rows.read(slots))
    return storing(scanned, floors, caller, () => changes)
  })
}

/** Reads what the memory holds, and has its state account for it. Nothing may be written meanwhile. */
export async function scanOf(
  { writer, storage, config, indexes }: EngineContext,
  arriving?: ReadonlyMap<string, Removal>,
): Promise<Scan> {
  return scan(
    {
      databaseId: config.databaseId,
      kinds: config.recordKinds,
      slots: await writer.slots(),
      rows: (slots) => storage.rows.get(slots),
      digest: (bytes) => indexes.kernel.digest(bytes),
      newDevice,
      now: Math.max(0, config.clock()),
    },
    arriving,
  )
}

/** The commit that stores what the state has come to know. */
export function storing<T>(scanned: Scan, floors: Floors, caller: Caller, done: () => T): Transaction<T> {
  const { state, stateRows, isFirst } = scanned
  const delta = state.changes()
  const { exchanged } = floors
  const isNew = isFirst || stateRows.length + delta.length > MAX_STATE_ROWS
  const old = isNew ? stateRows : stateRows.filter(({ isSelf }) => isSelf)
  const rows = [...(isNew ? state.all() : delta), state.self]
  const isSame = !isNew && delta.length === 0 && !state.isOtherwise
  const records: RecordChange[] = isSame
    ? []
    : [
        ...old.map(({ slot }): RecordChange => ({ op: 'remove', slot, id: ID })),
        ...rows.map((row): RecordChange => ({ op: 'put', id: ID, row: syncStateKind.encode(row) })),
      ]
  return {
    records,
    receipt: { caller },
    done: (slots) => {
      if (!isSame) for (const { slot } of old) exchanged.slots.delete(slot)
      for (const slot of slots.slice(old.length)) exchanged.slots.add(slot)
      return done()
    },
  }
}

/** The rows of the whole state, for a memory that is built anew. */
export function stateRowsOf(state: SyncState): { readonly id: string; readonly row: Uint8Array }[] {
  return [...state.all(), state.self].map((row) => ({ id: ID, row: syncStateKind.encode(row) }))
}

function newDevice(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(DEVICE_DIGITS / 2))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
