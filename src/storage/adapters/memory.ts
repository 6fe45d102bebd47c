import { AgidbError } from '../../base/errors.js'
import { HEAP, heapBytes } from '../../base/heap-size.js'
import { admit } from '../journal/admission.js'
import type { Signed, Storage } from '../port.js'

/** What is kept of an episode. */
interface Kept extends Signed {
  readonly id: string
  readonly row: Uint8Array
}

/**
 * A store in main memory: nothing outlives `close`. Keeps the rows, and of the signatures only those that the encoder
 * cannot make again; the others are the arena's.
 */
export function memoryStorage(): Storage {
  let rows = new Map<number, Kept>()
  let removed = new Set<number>()
  let nextSlot = 0
  let bytes = 0
  let memory = 0
  let state: 'new' | 'open' | 'closed' = 'new'

  const expectOpen = (): void => {
    if (state !== 'open') throw new AgidbError('AGIDB_CLOSED', 'the storage is not open')
  }
  const set = (slot: number, kept: Kept | undefined): void => {
    const before = rows.get(slot)
    bytes += (kept?.row.length ?? 0) - (before?.row.length ?? 0)
    memory += (kept ? bytesOf(kept) : 0) - (before ? bytesOf(before) : 0)
    if (kept) rows.set(slot, kept)
    else rows.delete(slot)
  }

  return {
    async open() {
      if (state === 'open') throw new AgidbError('AGIDB_IN_USE', 'this storage is open already')
      state = 'open'
      let databaseId: string | undefined
      return {
        // Drawn when it is first needed: an edge worker that opens a memory while it starts may not draw random numbers
        // yet.
        get databaseId() {
          return (databaseId ??= newDatabaseId())
        },
        nextSlot: 0,
      }
    },
    async commit(changes) {
      expectOpen()
      admit(changes, {
        nextSlot,
        isLive: (slot) => rows.has(slot),
        isFree: (slot) => !rows.has(slot) && !removed.has(slot),
      })
      for (const change of changes) {
        const { op, slot } = change
        nextSlot = Math.max(nextSlot, slot + 1)
        if (op === 'remove') {
          removed.add(slot)
          set(slot, undefined)
        } else if (op === 'put') set(slot, kept(change))
        else if (op === 'update') set(slot, { ...rows.get(slot)!, row: change.row.slice() })
      }
    },
    async slots() {
      expectOpen()
      return [...rows.keys()].sort((a, b) => a - b)
    },
    async read(slots) {
      expectOpen()
      return slots.flatMap((slot) => {
        const found = rows.get(slot)
        return found ? [{ slot, ...found }] : []
      })
    },
    async replace(fill) {
      expectOpen()
      const others = new Map<number, Kept>()
      await fill(async (episodes) => {
        for (const episode of episodes) others.set(episode.slot, kept(episode))
      })
      expectOpen()
      rows = others
      removed = new Set()
      ;[bytes, memory] = [0, 0]
      for (const kept of rows.values()) {
        bytes += kept.row.length
        memory += bytesOf(kept)
      }
      nextSlot = [...rows.keys()].reduce((next, slot) => Math.max(next, slot + 1), 0)
    },
    async rows(slots) {
      expectOpen()
      return slots.map((slot) => rows.get(slot)?.row)
    },
    async flush() {
      expectOpen()
    },
    async stats() {
      expectOpen()
      const durabilityReason = 'nothing is kept after close, because storage: memory was asked for'
      return {
        name: 'memory',
        bytes,
        memory: memory + removed.size * HEAP.entry,
        durability: 'memory',
        durabilityReason,
        opening: [],
      }
    },
    async close() {
      state = 'closed'
      rows.clear()
      ;[bytes, memory] = [0, 0]
    },
  }
}

/** 128 random bits, as hexadecimal digits. */
function newDatabaseId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Bytes of main memory that an episode takes here, with its place. */
function bytesOf(kept: Kept): number {
  return HEAP.entry + heapBytes(kept)
}

function kept({ id, row, signatures, encoder }: Kept): Kept {
  const others =
    encoder === undefined
      ? Object.fromEntries(Object.entries(signatures).map(([kind, bytes]) => [kind, bytes.slice()]))
      : {}
  return { id, row: row.slice(), signatures: others }
}
