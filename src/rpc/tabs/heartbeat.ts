/** After how many times without a sign of life an owner is deposed. */
export const SILENT_PINGS = 10

/** What a heartbeat asks of its tab. */
export interface HeartbeatOptions {
  /** Milliseconds from one time to the next. */
  readonly everyMs: number
  /** Whether anything waits for another tab. */
  waits(): boolean
  /** Asks for a sign of life. */
  ask(): void
  /** There was none for too long. */
  silent(): void
}

/** Asks for signs of life for as long as anything waits for another tab, and tells when there are none. */
export class Heartbeat {
  readonly #watched: HeartbeatOptions
  #ticking: ReturnType<typeof setInterval> | undefined
  #silent = 0

  constructor(watched: HeartbeatOptions) {
    this.#watched = watched
  }

  /** Begins or ends, as there is something that waits or not. */
  tick(): void {
    if (!this.#watched.waits()) return this.end()
    if (this.#ticking !== undefined) return
    this.#silent = 0
    // Counted and not timed: a tab that was asleep itself has heard nothing, either.
    this.#ticking = setInterval(() => this.#ask(), this.#watched.everyMs)
  }

  /** There was a sign of life. */
  heard(): void {
    this.#silent = 0
  }

  end(): void {
    clearInterval(this.#ticking)
    this.#ticking = undefined
  }

  #ask(): void {
    this.tick()
    if (this.#ticking === undefined) return
    if (++this.#silent <= SILENT_PINGS) return this.#watched.ask()
    this.#silent = 0
    this.#watched.silent()
  }
}
