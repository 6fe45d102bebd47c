import type { StorageEvent } from '../api/stats.js'
import { toWire } from '../base/errors.js'
import { unref } from '../base/unref.js'

/** How long nothing must have been written before a memory is consolidated, milliseconds. */
const IDLE_MS = 30_000

/** What a schedule looks at and does. */
export interface Consolidating {
  /** Whether enough came since the last consolidation. */
  readonly isDue: () => boolean
  /** Consolidates; ends early when the memory is closed. */
  readonly consolidate: () => Promise<unknown>
  /** Default 30,000. */
  readonly idleMs?: number
}

/** Consolidates a memory while it is idle: some time after the last write, if enough is new. */
export class ConsolidationSchedule {
  readonly #options: Consolidating
  #isBusy = false
  #isStopped = false
  #failure: unknown
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: Consolidating) {
    this.#options = options
  }

  /** That it failed, and why. It is tried again when the memory is opened again. */
  get events(): StorageEvent[] {
    if (this.#failure === undefined) return []
    const { code, message } = toWire(this.#failure)
    const told = `the memory could not be consolidated while it was idle: ${message}`
    return [{ kind: 'consolidation-failed', message: told, details: { code } }]
  }

  /** Waits anew: something was written. What a consolidation itself writes does not count. */
  committed(): void {
    if (this.#isBusy || this.#failure !== undefined || this.#isStopped) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#run(), this.#options.idleMs ?? IDLE_MS)
    // It must not keep a process alive.
    unref(this.#timer)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#isStopped = true
  }

  async #run(): Promise<void> {
    const { isDue, consolidate } = this.#options
    this.#isBusy = true
    try {
      if (!isDue()) return
      await consolidate()
      this.#isBusy = false
      this.committed() // others may have written meanwhile
    } catch (error) {
      if (!this.#isStopped) this.#failure = error
    } finally {
      this.#isBusy = false
    }
  }
}
