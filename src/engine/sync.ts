import type { Caller } from '../api/caller.js'
import { checkKeys, invalid } from '../api/check.js'
import type { Changes, ChangesOptions, VersionVector } from '../api/sync.js'
import type { Floors } from '../memory/memory.js'
import { syncStateKind } from '../records/kinds/sync-state.js'
import { collect } from '../transfer/sync/collect.js'
import { type StateRow, SyncState } from '../transfer/sync/state.js'
import { isVector, MAX_CHANGES_BYTES } from '../transfer/sync/wire.js'
import { applyChanges } from './apply-changes.js'
import { scanOf, storing, type SyncContext } from './sync-state.js'

/** Exchanges changes with other devices. It is loaded when that is first asked for. */
export interface Sync {
  readonly versionVector: typeof versionVector
  readonly changesSince: typeof changesSince
  readonly applyChanges: typeof applyChanges
}

export { applyChanges }

/** Bytes of changes that one call answers, unless the caller says otherwise. */
const DEFAULT_BYTES = 2 ** 23
/** The least that `maxBytes` may be. */
const LEAST_BYTES = 1024

/** See `SyncMethods.versionVector`. */
export async function versionVector({ storage, config }: SyncContext, floors: Floors): Promise<VersionVector> {
  const slots = [...floors.exchanged.slots].sort((a, b) => a - b)
  const rows = await storage.rows.get(slots)
  const state = rows.flatMap((row) => (row === undefined ? [] : [syncStateKind.decode(row) as StateRow]))
  return SyncState.stored(state, config.databaseId)?.vector ?? {}
}

/** See `SyncMethods.changes`. */
export async function changesSince(
  context: SyncContext,
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
