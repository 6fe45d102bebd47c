import { stopwatch } from '../base/clock.js'
import type { Indexes } from '../indexes/indexes.js'
import type { CheckpointStore } from '../api/storage.js'
import type { Writer } from '../write/writer.js'
import { unref } from '../base/unref.js'

/**
 * Changes after which a checkpoint is worth writing, by default: opening replays so many in about a tenth of a second.
 */
const MIN_CHANGES = 1024
/** Shares of the memory that have changed when a checkpoint is kept: in a pause, and in the midst of much writing. */
const IN_A_PAUSE = 1 / 20
const WHILE_BUSY = 1 / 4
/** Changes after which one is kept while busy, at least. */
const LEAST_BUSY = 32_768
/**
 * A checkpoint is written sooner if that takes no more than this share of the time. A new owner then replays less.
 */
const TIME_SHARE = 1 / 20
/** How long nothing is written in a pause. */
const PAUSE_MS = 1000

/**
 * Keeps a checkpoint of the indexes from time to time, so that opening need not make them again. What comes after a
 * checkpoint is followed from the journal. While one is still being loaded, or a codebook is on its way, it stays as it
 * is. Nothing depends on it: that a checkpoint could not be kept costs time at the next opening, and nothing else.
 */
export class Checkpoints {
  readonly #store: CheckpointStore | undefined
  readonly #indexes: Indexes
  readonly #writer: Writer
  readonly #least: number
  #changes: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #busy = false
  /** When the last checkpoint was kept, and how long that took, in milliseconds. */
  #last = { at: -Infinity, took: 0 }
  #stopped = false
  #failure: unknown

  /**
   * @param store absent where the storage has no place for checkpoints; then none is written.
   * @param changes that the stored checkpoint lacks.
   * @param least changes after which one is written.
   */
  constructor(
    store: CheckpointStore | undefined,
    indexes: Indexes,
    writer: Writer,
    changes: number,
    least = MIN_CHANGES,
  ) {
    this.#store = store
    this.#indexes = indexes
    this.#writer = writer
    this.#changes = changes
    this.#least = least
  }

  /** Changes that the stored checkpoint lacks. */
  get changes(): number {
    return this.#changes
  }

  /** Why the last checkpoint could not be kept. */
  get failure(): unknown {
    return this.#failure
  }

  /** Says that changes were committed; 0 to consider again what waited. */
  committed(changes: number): void {
    if (this.#store === undefined) return
    this.#changes += changes
    const { size } = this.#indexes.catalog
    clearTimeout(this.#timer)
    if (!this.#isReady) return
    if (this.#changes >= Math.max(this.#least, this.#rested() ? 0 : LEAST_BUSY, WHILE_BUSY * size)) void this.keep()
    else if (this.#changes >= Math.max(this.#least, IN_A_PAUSE * size)) {
      this.#timer = setTimeout(() => void this.keep(), PAUSE_MS)
      // A program that is done need not wait for it.
      unref(this.#timer)
    }
  }

  /** Keeps a checkpoint of what is committed. Nothing is written meanwhile. */
  async keep(): Promise<void> {
    if (this.#busy || this.#stopped || !this.#isReady) return
    this.#busy = true
    try {
      // Before the writer is still: they may come from a network.
      await this.#indexes.graphs.prepare()
      await this.#writer.still(async () => this.#stopped || this.#write())
    } catch (error) {
      // An import ended the writer meanwhile: the checkpoint would be of what was there before.
      if (!this.#stopped) throw error
    } finally {
      this.#busy = false
    }
  }

  /** Keeps no more checkpoints: the storage holds something else now, or is being closed. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#stopped = true
  }

  /** The last checkpoint before the storage is closed, when the writer is idle. */
  async close(): Promise<void> {
    this.stop()
    if (this.#store !== undefined && this.#changes >= this.#least && this.#isReady) await this.#write()
  }

  /** Whether all is there that a checkpoint is to have. */
  get #isReady(): boolean {
    return this.#indexes.arenas.isWhole && !this.#indexes.awaitsCodebook
  }

  /** Whether keeping one now leaves images their share of the time. */
  #rested(): boolean {
    const { at, took } = this.#last
    return stopwatch() - at >= took / TIME_SHARE
  }

  async #write(): Promise<void> {
    const changes = this.#changes
    const began = stopwatch()
    try {
      await this.#indexes.graphs.get()
      await this.#store?.write(this.#indexes.checkpointParts())
      this.#failure = undefined
    } catch (error) {
      this.#failure = error
    }
    const now = stopwatch()
    this.#last = { at: now, took: now - began }
    // After a failure too: to try again at once would fail again.
    this.#changes -= changes
  }
}
