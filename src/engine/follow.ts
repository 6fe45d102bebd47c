import type { OpenedStorage } from '../api/storage.js'

/** What is followed: an engine, as far as it matters here. */
export interface Followed {
  /** Runs work during which nothing is written. Rejects once it is closed. */
  still<T>(work: () => Promise<T>): Promise<T>
  /** Frees everything but the storage. */
  release(): void
}

/** Replaces the engine in use, while no other call runs: what `replaceable` gives. */
export type Renew<E> = (next: (before: E) => Promise<E>) => Promise<void>

/**
 * A memory is opened again at most so often that this takes one part of so many of the time: its calls wait meanwhile.
 */
const SHARE = 5

/**
 * Opens a memory that is only read again after commits of its writer. What was read before is let go first, because a
 * large memory has no room for both. Where it cannot be opened again, every call is refused with what opening failed
 * with.
 *
 * @param tell tells subscribers that they read anew.
 * @param reopen opens the storage and builds the engine.
 */
export function follow<E extends Followed>(
  renew: Renew<E>,
  opened: OpenedStorage,
  tell: () => void,
  reopen: () => Promise<{ readonly engine: E; readonly storage: OpenedStorage }>,
): void {
  let storage = opened
  /** Whether something was committed since the memory was last opened. */
  let isBehind = false
  let isRunning = false
  const told = (): void => {
    isBehind = true
    if (!isRunning) void run()
  }
  const run = async (): Promise<void> => {
    isRunning = true
    while (isBehind) {
      isBehind = false
      const from = performance.now()
      try {
        await renew((before) => before.still(() => renewed(before)))
      } catch {
        return // It was closed.
      }
      tell()
      const pause = (SHARE - 1) * (performance.now() - from)
      await new Promise<void>((resolve) => setTimeout(() => resolve(), pause))
    }
    isRunning = false
  }
  const renewed = async (before: E): Promise<E> => {
    await storage.close().catch(() => undefined) // Where its connection is gone, opening fails.
    before.release()
    try {
      const next = await reopen()
      storage = next.storage
      storage.onCommit?.(told)
      return next.engine
    } catch (error) {
      return refusing(before, error)
    }
  }
  storage.onCommit?.(told)
}

/** Methods of an engine that go on when it refuses all others. */
const CLOSING: ReadonlySet<PropertyKey> = new Set(['close', 'subscribe'])

/** An engine of which every call rejects, except that it can be closed. */
function refusing<E extends Followed>(engine: E, error: unknown): E {
  return new Proxy(engine, {
    get(_, name) {
      const member: unknown = Reflect.get(engine, name, engine)
      if (typeof member !== 'function') return member
      if (CLOSING.has(name)) return member.bind(engine) as unknown
      return () => Promise.reject(error)
    },
  })
}
