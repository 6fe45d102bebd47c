import { AgidbError } from '../core/errors.js'
import { admit } from './admission.js'
import type { Storage } from './port.js'

/**
 * A store in main memory: nothing outlives `close`. Keeps the rows only; the signatures are the arena's.
 */
export function memoryStorage(): Storage {
  const rows = new Map<number, Uint8Array>()
  const removed = new Set<number>()
  let nextSlot = 0
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
      admit(changes, { nextSlot, isLive: (slot) => rows.has(slot), isFree: (slot) => !rows.has(slot) && !removed.has(slot) })
      for (const change of changes) {
        const { op, slot } = change
        nextSlot = Math.max(nextSlot, slot + 1)
        if (op === 'remove') removed.add(slot)
        if (op !== 'sign') replace(slot, op === 'remove' ? undefined : change.row)
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
