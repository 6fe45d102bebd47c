import { AgidbError } from '../core/errors.js'
import { notThere } from './changes.js'
import type { Change, Storage } from './port.js'

/**
 * A store in main memory: nothing outlives `close`. Keeps the rows only; the signatures are the arena's.
 */
export function memoryStorage(): Storage {
  const rows = new Map<number, Uint8Array>()
  let bytes = 0
  let state: 'new' | 'open' | 'closed' = 'new'

  const expectOpen = (): void => {
    if (state !== 'open') throw new AgidbError('AGIDB_CLOSED', 'the storage is not open')
  }
  const replace = (slot: number, row: Uint8Array | undefined): void => {
    bytes += (row?.length ?? 0) - (rows.get(slot)?.length ?? 0)
    if (row) rows.set(slot, row.slice())
    else rows.delete(slot)
  }

  return {
    async open() {
      if (state === 'open') throw new AgidbError('AGIDB_IN_USE', 'this storage is open already')
      state = 'open'
      const id = crypto.getRandomValues(new Uint8Array(16))
      const databaseId = Array.from(id, (byte) => byte.toString(16).padStart(2, '0')).join('')
      return { databaseId, nextSlot: 0 }
    },
    async commit(changes) {
      expectOpen()
      refuseStraySigns(changes, (slot) => rows.has(slot))
      for (const change of changes) {
        if (change.op !== 'sign') replace(change.slot, change.op === 'remove' ? undefined : change.row)
      }
    },
    async rows(slots) {
      expectOpen()
      return slots.map((slot) => rows.get(slot))
    },
    async flush() {
      expectOpen()
    },
    async stats() {
      expectOpen()
      const durabilityReason = 'nothing is kept after close, because storage: memory was asked for'
      return { name: 'memory', bytes, durability: 'memory', durabilityReason, opening: [] }
    },
    async close() {
      state = 'closed'
      rows.clear()
      bytes = 0
    },
  }
}

/** A `sign` is of an episode that is there, or comes before it in the same commit. */
function refuseStraySigns(changes: readonly Change[], isThere: (slot: number) => boolean): void {
  const now = new Map<number, boolean>()
  for (const { op, slot } of changes) {
    if (op !== 'sign') now.set(slot, op !== 'remove')
    else if (!(now.get(slot) ?? isThere(slot))) throw notThere(slot)
  }
}
