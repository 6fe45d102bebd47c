import type { LiveQuery } from '../../api/live.js'
import { AgidbError } from '../../base/errors.js'
import { unref } from '../../base/unref.js'

/** What is known of an answer. It is never changed: another answer is another object. */
export interface Snapshot<T> {
  /** `pending` before the first answer; `failed` after an error, which ends it. */
  readonly status: 'pending' | 'ready' | 'failed'
  /** The last answer. */
  readonly value?: T
  /** Why it failed: an `AgidbError`, or what a function of the caller's threw. */
  readonly error?: unknown
}

/**
 * An answer that stays up to date while somebody listens. `subscribe` has the contract of stores of Svelte: the
 * listener is called at once, and then with each change; `getSnapshot` and `subscribe` are what `useSyncExternalStore`
 * takes.
 */
export interface LiveValue<T> {
  getSnapshot(this: void): Snapshot<T>
  /** @returns what ends it */
  subscribe(this: void, listener: (snapshot: Snapshot<T>) => void): () => void
  /** Resolves when there is an answer or an error. Asks for one if nobody listens. */
  ready(this: void): Promise<void>
}

/** Milliseconds for which a query goes on that nobody listens to: a component that is shown again needs no new one. */
const LINGER = 5_000

export const PENDING: Snapshot<never> = Object.freeze({ status: 'pending' })

/**
 * Reads a live query while somebody listens, at most one answer a frame.
 *
 * @param ask begins the query.
 * @param use told when somebody begins to listen, and when nobody has listened for a while, since it was made or since
 *   the last one left.
 */
export function liveValue<T>(
  ask: () => Promise<LiveQuery<T>>,
  use: { readonly begins: () => void; readonly idles: () => void },
): LiveValue<T> {
  const listeners = new Set<{ readonly listener: (snapshot: Snapshot<T>) => void }>()
  let snapshot: Snapshot<T> = PENDING
  let reading: { query?: LiveQuery<T>; isStopped: boolean } | undefined
  let lingering: ReturnType<typeof setTimeout> | undefined
  let first: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined

  const publish = (next: Snapshot<T>) => {
    snapshot = next
    first?.resolve()
    first = undefined
    for (const { listener } of [...listeners]) tell(listener, snapshot)
  }

  const read = async (own: NonNullable<typeof reading>) => {
    try {
      own.query = await ask()
      if (own.isStopped) return void own.query.return()
      for await (const value of own.query) {
        if (own.isStopped) return
        publish({ status: 'ready', value })
        await nextFrame()
      }
      // A query ends by itself where its memory is closed.
      if (!own.isStopped && snapshot.status === 'pending')
        throw new AgidbError('AGIDB_CLOSED', 'the memory was closed before there was an answer')
    } catch (error) {
      if (own.isStopped) return
      reading = undefined
      publish({ status: 'failed', error, ...('value' in snapshot && { value: snapshot.value }) })
    }
  }

  const start = () => {
    clearTimeout(lingering)
    use.begins()
    if (reading !== undefined) return
    reading = { isStopped: false }
    void read(reading)
  }

  const stop = () => {
    // Who waits for the first answer has not listened yet.
    if (listeners.size > 0 || first !== undefined) return
    if (reading !== undefined) {
      reading.isStopped = true
      void reading.query?.return()
      reading = undefined
    }
    use.idles()
  }

  const linger = () => {
    clearTimeout(lingering)
    lingering = setTimeout(stop, LINGER)
    // Node would wait for it.
    unref(lingering)
  }

  // On a server, and where a component is drawn but never shown, nobody ever listens.
  linger()
  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      const entry = { listener }
      listeners.add(entry)
      start()
      listener(snapshot)
      return () => {
        if (listeners.delete(entry) && listeners.size === 0) linger()
      }
    },
    ready() {
      if (snapshot.status !== 'pending') return Promise.resolve()
      if (first === undefined) {
        let resolve!: () => void
        first = { promise: new Promise((resolved) => (resolve = resolved)), resolve }
        start()
        void first.promise.then(linger)
      }
      return first.promise
    },
  }
}

/** What a listener throws becomes an unhandled rejection: neither the query nor other listeners are to end by it. */
function tell<T>(listener: (snapshot: Snapshot<T>) => void, snapshot: Snapshot<T>): void {
  try {
    listener(snapshot)
  } catch (error) {
    void Promise.reject(error)
  }
}

/** Resolves with the next frame of a page that is seen; elsewhere at once, after what else is waiting. */
function nextFrame(): Promise<unknown> {
  const isSeen = typeof document === 'object' && document.visibilityState === 'visible'
  return new Promise((resolve) => (isSeen ? requestAnimationFrame(resolve) : setTimeout(resolve)))
}
