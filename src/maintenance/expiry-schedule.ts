import type { StorageEvent } from '../api/stats.js'
import { toWire } from '../base/errors.js'
import { unref } from '../base/unref.js'

/** How often it is looked whether something is due, milliseconds. */
const LOOK_EVERY_MS = 60_000

/**
 * Forgets what is kept no longer, and erases what was forgotten longer ago than its window: when a memory is opened,
 * while it is written to, and where there is a timer, every minute once it was written to.
 */
export class ExpirySchedule {
  readonly #isDue: () => boolean
  readonly #expire: () => Promise<unknown>
  readonly #byAlarm: boolean | undefined
  #isBusy = false
  #isStopped = false
  #failure: unknown
  #timer: ReturnType<typeof setInterval> | undefined

  /**
   * @param isDue whether something is to be erased now; asked after each commit.
   * @param expire erases it.
   * @param byAlarm whether the place does it by alarms, so that no timer looks.
   */
  constructor(isDue: () => boolean, expire: () => Promise<unknown>, byAlarm: boolean | undefined) {
    this.#isDue = isDue
    this.#expire = expire
    this.#byAlarm = byAlarm
  }

  /** That it failed, and why. It is tried again when the memory is opened again. */
  get events(): StorageEvent[] {
    if (this.#failure === undefined) return []
    const { code, message } = toWire(this.#failure)
    const told = `what is kept no longer could not be forgotten or erased: ${message}`
    return [{ kind: 'expiry-failed', message: told, details: { code } }]
  }

  /**
   * Looks after a commit, and from then on from time to time. Not from the opening on: a memory that is only read
   * needs no timer.
   */
  committed(): void {
    this.look()
    if (this.#byAlarm || this.#isStopped || this.#timer !== undefined) return
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS)
    // It must not keep a process alive.
    unref(this.#timer)
  }

  /** Erases what is due, if anything is. Never throws: a clock that fails is a failure like others. */
  look(): void {
    if (this.#isBusy || this.#isStopped || this.#failure !== undefined) return
    try {
      if (!this.#isDue()) return
    } catch (error) {
      this.#failure = error
      return
    }
    this.#isBusy = true
    this.#expire()
      .catch((error: unknown) => {
        if (!this.#isStopped) this.#failure = error
      })
      .finally(() => (this.#isBusy = false))
  }

  stop(): void {
    this.#isStopped = true
    clearInterval(this.#timer)
  }
}
