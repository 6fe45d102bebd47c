import type { Caller } from '../api/caller.js'
import type { Limits } from '../api/open-options.js'
import type { OpenedStorage } from '../api/storage.js'
import type { Clock } from '../base/clock.js'
import { randomHex } from '../base/hex.js'
import type { Indexes } from '../indexes/indexes.js'
import type { Floors } from '../memory/memory.js'
import { syncStateKind } from '../records/kinds/sync-state.js'
import type { RecordKinds } from '../records/record-kind.js'
import { DEVICE_DIGITS } from '../transfer/sync/clock.js'
import { scan, type Scan } from '../transfer/sync/scan.js'
import type { Removal, SyncState } from '../transfer/sync/state.js'
import type { RecordChange } from '../write/record-change.js'
import type { Transaction, Writer } from '../write/writer.js'

/** Rows of the state: with more of them it is written anew. */
const MAX_STATE_ROWS = 32
const ID = 'sync_state'

/** What an exchange needs of an engine. */
export interface SyncContext {
  readonly indexes: Indexes
  readonly writer: Writer
  readonly storage: OpenedStorage
  readonly config: {
    readonly databaseId: string
    readonly clock: Clock
    readonly limits: Limits
    readonly recordKinds: RecordKinds
  }
}

/** Reads what the memory holds, and has its state account for it. Nothing may be written meanwhile. */
export async function scanOf(
  { writer, storage, config, indexes }: SyncContext,
  arriving?: ReadonlyMap<string, Removal>,
): Promise<Scan> {
  return scan(
    {
      databaseId: config.databaseId,
      kinds: config.recordKinds,
      slots: await writer.slots(),
      rows: (slots) => storage.rows.get(slots),
      digest: (bytes) => indexes.kernel.digest(bytes),
      newDevice: () => randomHex(DEVICE_DIGITS / 2),
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
