import type { OpenedStorage } from '../api/storage.js'
import { unref } from '../base/unref.js'

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
      // A program that is done need not wait for it.
      await new Promise<void>((resolve) => unref(setTimeout(() => resolve(), pause)))
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

/** Methods of an engine that go on when it refuses all others: they read nothing of the memory. */
const GOING_ON: ReadonlySet<PropertyKey> = new Set(['close', Symbol.asyncDispose, 'received', 'forget', 'constructor'])

/** An engine of which every call is refused, except that it can be closed. */
function refusing<E extends Followed>(engine: E, error: unknown): E {
  const refuse = (): Promise<never> => Promise.reject(error)
  const subscribe = (): never => {
    throw error
  }
  const own = { subscribe, episodes: () => ({ next: refuse }) }
  return new Proxy(engine, {
    get(_, name) {
      if (Object.hasOwn(own, name)) return own[name as keyof typeof own]
      const member: unknown = Reflect.get(engine, name, engine)
      if (typeof member === 'function') return GOING_ON.has(name) ? (member.bind(engine) as unknown) : refuse
      // The engine has no objects of its own but those that hold methods, such as `graph`.
      return Object.hasOwn(engine, name) ? refusingAll(member as object, refuse) : member
    },
  })
}

/** A member that holds methods, or members with methods; `refuse` takes the place of each method. */
function refusingAll(member: object, refuse: () => Promise<never>): object {
  return new Proxy(member, {
    get(_, name) {
      const inner: unknown = Reflect.get(member, name)
      return typeof inner === 'object' ? refusingAll(inner as object, refuse) : refuse
    },
  })
}
