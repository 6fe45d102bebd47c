// Signatures that are searched where they are stored: a bounded part of them in main memory.
import { AgidbError } from '../base/errors.js'
import type {
  EncodedSignatures,
  OpenedStorage,
  PackedSignatures,
  SignatureKind,
  SignatureStore,
  Signatures,
  StorageAdapter,
  StorageChange,
} from '../api/storage.js'
import { KINDS } from './journal/changes.js'
import { PackedView, packSignatures } from './packed-signatures.js'

/** Signatures of one slot. */
interface Kept {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly encoder: number | undefined
}

/** Bytes of main memory that one of them takes beside its own, about. */
const EACH = 200

/**
 * The signatures that were stored and read last, as they are stored: the least recently used make room for others.
 * Those of a slot that a commit changes go with it; what was read meanwhile is not kept.
 */
export class CachedSignatures {
  readonly #most: number
  /** By slot, the least recently used first. */
  readonly #kept = new Map<number, Kept>()
  #bytes = 0
  /** Slots that are being read and have not changed since. */
  readonly #reading = new Set<Set<number>>()
  readonly #view = new PackedView(KINDS)
  #stored: SignatureStore | undefined

  /** @param most bytes of main memory. What was asked for in one call stays together, even where it takes more. */
  constructor(most: number) {
    this.#most = most
  }

  /** Bytes of main memory. */
  get bytes(): number {
    return this.#bytes
  }

  /** How many slots are here. */
  get size(): number {
    return this.#kept.size
  }

  /** The storage whose signatures these are: one, as long as it is open. */
  around(adapter: StorageAdapter): StorageAdapter {
    return {
      open: async (...args) => {
        const opened = await adapter.open(...args)
        try {
          return this.#around(opened)
        } catch (error) {
          await opened.close().catch(() => {}) // The first error is the one to report.
          throw error
        }
      },
    }
  }

  /** A signature as it is stored, if it is here: a view of the bytes that are kept. */
  find(slot: number, kind: SignatureKind): Uint8Array | undefined {
    const kept = this.#kept.get(slot)
    if (kept === undefined) return undefined
    this.#view.take(kept.bytes, kept.encoder)
    const start = this.#view.start(kind)
    return start < 0 ? undefined : kept.bytes.subarray(start, start + this.#view.length(kind))
  }

  /** Has {@link find} know those of some slots. */
  async bring(slots: ArrayLike<number>): Promise<void> {
    await this.#read(slots)
  }

  #around(opened: OpenedStorage): OpenedStorage {
    const { rows, signatures, checkpoint, maintenance, databaseId, nextSlot, onCommit } = opened
    if (signatures?.nearest === undefined)
      throw new AgidbError('AGIDB_STORAGE', 'the adapter says that it searches, and opened a storage without nearest')
    this.#clear() // Of what was open before.
    this.#stored = signatures
    const { nearest } = signatures
    return {
      databaseId,
      nextSlot,
      ...(checkpoint && { checkpoint }),
      ...(maintenance && { maintenance }),
      ...(onCommit && { onCommit: onCommit.bind(opened) }),
      rows: {
        get: (slots) => rows.get(slots),
        slots: () => rows.slots(),
        read: (slots) => rows.read(slots),
        commit: async (changes) => {
          let isStored = false
          try {
            await rows.commit(changes)
            isStored = true
          } finally {
            this.#committed(changes, isStored)
          }
        },
        replace: async (fill) => {
          try {
            await rows.replace(fill)
          } finally {
            this.#clear()
          }
        },
      },
      signatures: {
        visitEpisodes: (slots, visit) => signatures.visitEpisodes(slots, visit),
        visitPacked: (slots, visit) => this.#visit(slots, visit),
        nearest: (...args) => nearest.apply(signatures, args),
      },
      flush: () => opened.flush(),
      stats: async () => {
        const stats = await opened.stats()
        return { ...stats, memory: (stats.memory ?? 0) + this.#bytes }
      },
      close: async () => {
        this.#clear()
        await opened.close()
      },
    }
  }

  async #visit(slots: ArrayLike<number>, visit: (slot: number, signatures: PackedSignatures) => void): Promise<void> {
    const view = new PackedView(KINDS)
    const found = await this.#read(slots)
    for (const slot of [...found.keys()].sort((a, b) => a - b)) {
      const { bytes, encoder } = found.get(slot)!
      view.take(bytes, encoder)
      visit(slot, view)
    }
  }

  async #read(slots: ArrayLike<number>): Promise<ReadonlyMap<number, Kept>> {
    const found = new Map<number, Kept>()
    const fresh = new Set(Array.from(slots))
    const missing: number[] = []
    for (const slot of fresh) {
      const kept = this.#kept.get(slot)
      if (kept === undefined) missing.push(slot)
      else found.set(slot, kept)
    }
    this.#reading.add(fresh)
    try {
      if (missing.length > 0)
        await this.#stored!.visitPacked(missing, (slot, packed) => void found.set(slot, copyOf(packed)))
      // What was here may have made room for others meanwhile.
      for (const [slot, one] of found) if (fresh.has(slot)) this.#keep(slot, one)
      this.#makeRoom(found)
    } finally {
      this.#reading.delete(fresh)
    }
    return found
  }

  #committed(changes: readonly StorageChange[], isStored: boolean): void {
    const puts = new Map<number, EncodedSignatures>()
    for (const change of changes) {
      this.#forget(change.slot)
      // What is changed again in the same commit is read again.
      if (change.op === 'put' && isStored) puts.set(change.slot, change)
      else puts.delete(change.slot)
    }
    for (const [slot, put] of puts) if (Object.keys(put.signatures).length > 0) this.#keep(slot, packed(put))
    this.#makeRoom()
  }

  /** Keeps signatures as the most recently used. */
  #keep(slot: number, one: Kept): void {
    this.#drop(slot)
    this.#kept.set(slot, one)
    this.#bytes += one.bytes.length + EACH
  }

  #forget(slot: number): void {
    this.#drop(slot)
    for (const fresh of this.#reading) fresh.delete(slot)
  }

  #drop(slot: number): void {
    const kept = this.#kept.get(slot)
    if (kept === undefined) return
    this.#kept.delete(slot)
    this.#bytes -= kept.bytes.length + EACH
  }

  #clear(): void {
    this.#kept.clear()
    this.#bytes = 0
    for (const fresh of this.#reading) fresh.clear()
  }

  /** Lets go of the least recently used, but for some. */
  #makeRoom(except?: ReadonlyMap<number, unknown>): void {
    for (const slot of this.#kept.keys()) {
      if (this.#bytes <= this.#most || except?.has(slot)) return
      this.#drop(slot)
    }
  }
}

function copyOf(read: PackedSignatures): Kept {
  const there = KINDS.filter((kind) => read.start(kind) >= 0)
  const views = there.map((kind) => [kind, read.bytes.subarray(read.start(kind), read.start(kind) + read.length(kind))])
  return packed({ signatures: Object.fromEntries(views) as Signatures, encoder: read.encoder })
}

function packed({ signatures, encoder }: EncodedSignatures): Kept {
  return { bytes: packSignatures(signatures, (kind) => KINDS.indexOf(kind)), encoder }
}
