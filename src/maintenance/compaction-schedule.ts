import type { Compaction, StorageEvent } from '../api/stats.js'
import { toWire } from '../base/errors.js'
import type { OpenedStorage } from '../api/storage.js'
import type { Checkpoints } from './checkpoints.js'
import type { SignatureLoader } from './load-signatures.js'
import { unref } from '../base/unref.js'

/**
 * Garbage that is worth a compaction. Each byte that is written anew then stands for at least one that is freed, so
 * that however much is removed, no more than twice is written.
 */
const SHARE = 1 / 2
/** Bytes of garbage, at least: below, what is freed is not worth the flushes. */
const LEAST_BYTES = 4 * 2 ** 20
/** Changes after which the garbage is measured again, which takes about a millisecond for 100,000 episodes. */
const CHANGES = 512
/** How long nothing is written in a pause. */
const PAUSE_MS = 1000

/** Compacts the storage when it is asked to, and in a pause when there is much garbage. */
export class CompactionSchedule {
  readonly #storage: OpenedStorage
  readonly #checkpoints: Checkpoints
  readonly #signatureLoader: SignatureLoader
  #changes = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #failure: unknown
  #closed = false

  constructor(storage: OpenedStorage, checkpoints: Checkpoints, signatureLoader: SignatureLoader) {
    this.#storage = storage
    this.#checkpoints = checkpoints
    this.#signatureLoader = signatureLoader
  }

  /**
   * That the last one that nobody asked for failed, and why. Everything is as it was before it; what it copies was
   * damaged, or there was no room.
   */
  get events(): StorageEvent[] {
    if (this.#failure === undefined) return []
    const { code, message } = toWire(this.#failure)
    const told = `the memory could not be compacted, and is as it was: ${message}`
    return [{ kind: 'compaction-failed', message: told, details: { code } }]
  }

  /** Says that changes were committed. */
  committed(changes: number): void {
    if (this.#storage.maintenance === undefined || this.#closed) return
    this.#changes += changes
    clearTimeout(this.#timer)
    if (this.#changes < CHANGES) return
    this.#timer = setTimeout(() => void this.#compactGarbage(), PAUSE_MS)
    // A program that is done need not wait for it.
    unref(this.#timer)
  }

  /** Lets go of all that was replaced or removed. The checkpoint, which goes too, is kept anew. */
  async compact(): Promise<Compaction> {
    await this.#signatureLoader.finish() // the checkpoint goes
    const before = (await this.#storage.stats()).bytes
    const { maintenance } = this.#storage
    await this.#storage.erasure?.erase()
    if (maintenance !== undefined) {
      await maintenance.compact()
      if (!this.#closed) await this.#checkpoints.keep()
    }
    return { before, after: (await this.#storage.stats()).bytes }
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  async #compactGarbage(): Promise<void> {
    this.#changes = -Infinity // no other begins before this one is over
    try {
      const garbage = this.#storage.maintenance?.garbage()
      if (garbage !== undefined && garbage.bytes >= LEAST_BYTES && garbage.bytes >= SHARE * garbage.of) {
        await this.compact()
        this.#failure = undefined
      }
    } catch (error) {
      this.#failure = error
    }
    this.#changes = 0
  }
}
