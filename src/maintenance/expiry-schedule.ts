import type { StorageEvent } from '../api/stats.js'
import { toWire } from '../base/errors.js'

/** Erases what was forgotten longer ago than its window: when a memory is opened, and while it is written to. */
export class ExpirySchedule {
  readonly #isDue: () => boolean
  readonly #expire: () => Promise<unknown>
  #isBusy = false
  #isStopped = false
  #failure: unknown

  /**
   * @param isDue whether something is to be erased now; asked after each commit.
   * @param expire erases it.
   */
  constructor(isDue: () => boolean, expire: () => Promise<unknown>) {
    this.#isDue = isDue
    this.#expire = expire
  }

  /** That it failed, and why. It is tried again when the memory is opened again. */
  get events(): StorageEvent[] {
    if (this.#failure === undefined) return []
    const { code, message } = toWire(this.#failure)
    const told = `what was forgotten longer ago than its window could not be erased: ${message}`
    return [{ kind: 'expiry-failed', message: told, details: { code } }]
  }

  /** Erases what is due, if anything is. */
  look(): void {
    if (this.#isBusy || this.#isStopped || this.#failure !== undefined || !this.#isDue()) return
    this.#isBusy = true
    this.#expire()
      .catch((error: unknown) => {
        if (!this.#isStopped) this.#failure = error
      })
      .finally(() => (this.#isBusy = false))
  }

  stop(): void {
    this.#isStopped = true
  }
}
