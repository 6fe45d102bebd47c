import { wrap, type Endpoint } from 'comlink'
import type { Agidb } from '../../api/agidb.js'
import { AgidbError } from '../../base/errors.js'
import type { Salvaged, SalvageOptions } from '../../api/salvage.js'
import type { MethodTable } from '../../api/methods/method.js'
import { METHODS } from '../../api/registry.js'
import { Client } from './client.js'
import type { WorkerOptions } from '../codec/open-options.js'
import type { EngineHost } from './protocol.js'

/** What the client needs of the thread of the engine. A `Worker` is one. */
export interface EngineThread extends Endpoint {
  terminate(): void
}

/** Milliseconds that a worker has for its first sign of life: loading its script, before any database is opened. */
const START_TIMEOUT_MS = 30_000

/**
 * Opens a database in a thread that runs an engine host.
 *
 * @param methods the methods of the database. Default: the registry.
 * @returns the client; it owns the thread and ends it when it is closed or when opening fails
 * @throws AgidbError `AGIDB_WORKER` when the thread does not start or dies; whatever opening throws
 */
export async function connect(
  thread: EngineThread,
  options: WorkerOptions,
  methods: MethodTable = METHODS,
): Promise<Agidb> {
  const { client, host, signal } = start(thread, methods)
  try {
    await client.open(options)
    watchPage(host, client, options, signal)
    return client
  } catch (error) {
    client.end(new AgidbError('AGIDB_CLOSED', 'the database could not be opened'))
    throw error
  }
}

/**
 * Brings out what can be read of a database, in a thread that runs an engine host. The thread is ended.
 *
 * @throws AgidbError `AGIDB_WORKER` when the thread does not start or dies; whatever reading throws
 */
export async function salvage(thread: EngineThread, options: SalvageOptions): Promise<Salvaged> {
  const { client } = start(thread)
  try {
    return await client.salvage(options)
  } finally {
    client.end(new AgidbError('AGIDB_CLOSED', 'what could be read is brought out'))
  }
}

/** A client of a thread, which it ends when it ends itself. */
function start(
  thread: EngineThread,
  methods: MethodTable = METHODS,
): {
  readonly client: Client
  readonly host: EngineHost
  readonly signal: AbortSignal
} {
  const host = wrap<EngineHost>(thread) as unknown as EngineHost
  const watch = new AbortController()
  const client = new Client(
    host,
    () => {
      watch.abort()
      thread.terminate()
    },
    methods,
  )
  watchThread(thread, host, watch.signal, (reason) => client.end(new AgidbError('AGIDB_WORKER', reason)))
  return { client, host, signal: watch.signal }
}

/**
 * Reports the death of a thread. A worker that is terminated, by whomever, fires no event. But it holds
 * a Web Lock from its start to its end, so the page waits for that lock. Where there are no Web
 * Locks, only errors are noticed; so it is in a page whose site data was cleared: Chromium gives it locks that its new
 * workers hold.
 */
function watchThread(
  thread: EngineThread,
  host: EngineHost,
  signal: AbortSignal,
  died: (reason: string) => void,
): void {
  thread.addEventListener('error', (event) => died(`the engine worker failed: ${describe(event as Event)}`))
  thread.addEventListener('messageerror', () => died('an answer of the engine worker could not be read'))

  const silent = `the engine worker gave no sign of life in ${START_TIMEOUT_MS / 1000} s; is it the worker of agidb?`
  const timer = setTimeout(() => died(silent), START_TIMEOUT_MS)
  signal.addEventListener('abort', () => clearTimeout(timer))

  const lock = `agidb/worker/${crypto.getRandomValues(new Uint32Array(4)).join('-')}`
  host
    .holdLock(lock)
    .then(async (held) => {
      const isApart = held && (await navigator.locks.request(lock, { ifAvailable: true }, Boolean))
      if (isApart) await host.holdLock('') // unless the worker died just now, it answers
      clearTimeout(timer)
      if (!held || isApart || signal.aborted) return
      return navigator.locks.request(lock, { signal }, () =>
        died('the engine worker was terminated; open the database again'),
      )
    })
    .catch((error: unknown) => {
      if (!signal.aborted) died(`the engine worker cannot be watched: ${String(error)}`)
    })
}

/**
 * Tells the thread when the page is frozen and when it goes on, where pages are; and flushes what may wait when it is
 * hidden, which may be its end.
 */
function watchPage(host: EngineHost, db: Agidb, { durability }: WorkerOptions, signal: AbortSignal): void {
  if (typeof document === 'undefined') return
  const flush = (): void => {
    if (document.visibilityState === 'hidden') void db.flush().catch(() => {})
  }
  if (durability === 'relaxed') document.addEventListener('visibilitychange', flush, { signal })
  document.addEventListener('freeze', () => void host.freeze(true), { signal })
  document.addEventListener('resume', () => void host.freeze(false), { signal })
}

/** What can keep a script from loading; the event does not say which it was. */
const NOT_LOADED =
  'its script could not be loaded: a page without a bundler (which imports agidb/standalone instead), a wrong URL, ' +
  'a bundler that left the worker out (then pass open({ worker }), which runs agidb/worker), ' +
  'a Content-Security-Policy without worker-src, ' +
  "or the development server of Vite 7 or older without optimizeDeps: { exclude: ['agidb'] }"

function describe(event: Event): string {
  const message = 'message' in event ? String(event.message) : ''
  return message === '' ? NOT_LOADED : message
}
