import { AgidbError } from '../../base/errors.js'
import { HEAP, heapBytes } from '../../base/heap-size.js'
import { randomHex } from '../../base/hex.js'
import { admit } from '../journal/admission.js'
import type { EncodedSignatures, OpenedStorage, StorageAdapter, StorageChange } from '../../api/storage.js'
import { perceivedOf } from '../journal/changes.js'
import { ownSignatures } from '../mirror/own-copy.js'

/** An episode in main memory. */
interface MemoryEpisode extends EncodedSignatures {
  readonly id: string
  readonly row: Uint8Array
}

/**
 * A storage in main memory: nothing outlives `close`. It holds the rows and those signatures that the encoder cannot
 * make again; the indexes hold the others.
 */
export function memoryStorage(): StorageAdapter {
  let isOpen = false
  return {
    scope: () => memoryStorage(),
    async open() {
      if (isOpen) throw new AgidbError('AGIDB_IN_USE', 'this storage is open already')
      isOpen = true
      return openedStorage(() => (isOpen = false))
    },
  }
}

function openedStorage(closed: () => void): OpenedStorage {
  const content = new MemoryRows()
  let databaseId: string | undefined
  let isOpen = true
  const expectOpen = (): void => {
    if (!isOpen) throw new AgidbError('AGIDB_CLOSED', 'the storage is not open')
  }
  return {
    // Drawn when it is first needed: an edge worker that opens a memory while it starts may not draw random numbers
    // yet.
    get databaseId() {
      return (databaseId ??= randomHex(16))
    },
    nextSlot: 0,
    rows: {
      async commit(changes) {
        expectOpen()
        content.apply(changes)
      },
      async slots() {
        expectOpen()
        return content.slots()
      },
      async get(slots) {
        expectOpen()
        return slots.map((slot) => content.get(slot)?.row)
      },
      async read(slots) {
        expectOpen()
        return slots.flatMap((slot) => {
          const found = content.get(slot)
          return found ? [{ slot, ...found }] : []
        })
      },
      async replace(fill) {
        expectOpen()
        const others = new Map<number, MemoryEpisode>()
        await fill(async (episodes) => {
          for (const episode of episodes) others.set(episode.slot, copyOf(episode))
        })
        expectOpen()
        content.replace(others)
      },
    },
    async flush() {
      expectOpen()
    },
    async stats() {
      expectOpen()
      return {
        name: 'memory',
        bytes: content.bytes,
        memory: content.memory,
        durability: 'memory',
        durabilityReason: 'nothing is kept after close, because storage: memory was asked for',
        opening: [],
      }
    },
    async close() {
      if (!isOpen) return
      isOpen = false
      content.clear()
      closed()
    },
  }
}

/** The live episodes by slot, which slots were used, and how many bytes all of it takes. */
class MemoryRows {
  #episodes = new Map<number, MemoryEpisode>()
  #removed = new Set<number>()
  #nextSlot = 0
  #bytes = 0
  #memory = 0

  /** Bytes of the rows. */
  get bytes(): number {
    return this.#bytes
  }

  /** Bytes of main memory. */
  get memory(): number {
    return this.#memory + this.#removed.size * HEAP.entry
  }

  get(slot: number): MemoryEpisode | undefined {
    return this.#episodes.get(slot)
  }

  slots(): number[] {
    return [...this.#episodes.keys()].sort((a, b) => a - b)
  }

  /** @throws AgidbError `AGIDB_INTERNAL` when a change does not fit; then none was applied. */
  apply(changes: readonly StorageChange[]): void {
    admit(changes, {
      nextSlot: this.#nextSlot,
      isLive: (slot) => this.#episodes.has(slot),
      isFree: (slot) => !this.#episodes.has(slot) && !this.#removed.has(slot),
    })
    for (const change of changes) {
      const { op, slot } = change
      this.#nextSlot = Math.max(this.#nextSlot, slot + 1)
      if (op === 'remove') {
        this.#removed.add(slot)
        this.#set(slot, undefined)
      } else if (op === 'put') this.#set(slot, copyOf(change))
      else if (op === 'update') this.#set(slot, { ...this.#episodes.get(slot)!, row: change.row.slice() })
    }
  }

  replace(episodes: Map<number, MemoryEpisode>): void {
    this.clear()
    this.#removed = new Set()
    this.#nextSlot = 0
    for (const [slot, episode] of episodes) {
      this.#set(slot, episode)
      this.#nextSlot = Math.max(this.#nextSlot, slot + 1)
    }
  }

  clear(): void {
    this.#episodes.clear()
    ;[this.#bytes, this.#memory] = [0, 0]
  }

  #set(slot: number, episode: MemoryEpisode | undefined): void {
    const before = this.#episodes.get(slot)
    this.#bytes += (episode?.row.length ?? 0) - (before?.row.length ?? 0)
    this.#memory += (episode ? bytesOf(episode) : 0) - (before ? bytesOf(before) : 0)
    if (episode) this.#episodes.set(slot, episode)
    else this.#episodes.delete(slot)
  }
}

/** Bytes of main memory that an episode takes, with its entry in the map. */
function bytesOf(episode: MemoryEpisode): number {
  return HEAP.entry + heapBytes(episode)
}

/** A copy that leaves out the signatures that can be made of the row again: of what was put with an encoder, all but
 * those of pictures and sounds. */
function copyOf({ id, row, signatures, encoder }: MemoryEpisode): MemoryEpisode {
  return {
    id,
    row: row.slice(),
    signatures: ownSignatures(encoder === undefined ? signatures : perceivedOf(signatures)),
  }
}
