import type { ChangeListener, MemoryChange } from './change.js'
import { invalid } from './check.js'

/** The last change that is told. */
export const ENDED: MemoryChange = { kind: 'engineEnded', ids: [], slot: -1, writer: '', from: '', own: false }

/** Those that are told of changes. */
export class Listeners {
  readonly #listeners = new Set<{ readonly listener: ChangeListener }>()

  get size(): number {
    return this.#listeners.size
  }

  /** @throws AgidbError `AGIDB_INVALID_ARGUMENT` when it is no function. */
  add(listener: ChangeListener): () => void {
    if (typeof listener !== 'function')
      throw invalid('listener must be a function that takes a change: { kind, ids, slot, writer, from, own }', {
        what: 'listener',
      })
    const entry = { listener } // of its own, so that the same function can listen twice
    this.#listeners.add(entry)
    return () => void this.#listeners.delete(entry)
  }

  /**
   * Calls each listener in a microtask of its own, because it may call other methods. What it throws becomes an
   * unhandled rejection.
   */
  tell(change: MemoryChange): void {
    for (const entry of this.#listeners) {
      void Promise.resolve().then(() => {
        if (this.#listeners.has(entry)) entry.listener(change)
      })
    }
  }

  clear(): void {
    this.#listeners.clear()
  }
}
