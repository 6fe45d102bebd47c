import { stopwatch } from '../base/clock.js'
import { turn } from '../base/event-loop-turn.js'
import type { Indexes } from '../indexes/indexes.js'

/** How long work that can wait keeps the thread at a time. */
const SLICE_MS = 2

/**
 * Makes the rows of the arenas, which are a second form of their columns, between other work. Recall is correct without
 * them, and slower.
 */
export class Rows {
  readonly #indexes: Indexes
  #stopped = false

  constructor(indexes: Indexes) {
    this.#indexes = indexes
  }

  /** Makes them all. */
  async make(): Promise<void> {
    do await turn()
    while (this.makeSome())
  }

  /** Makes rows for a moment; false when there is nothing more to make. */
  makeSome(): boolean {
    const until = stopwatch() + SLICE_MS
    do if (this.#stopped || !this.#indexes.arenas.makeRows()) return false
    while (stopwatch() < until)
    return true
  }

  stop(): void {
    this.#stopped = true
  }
}
