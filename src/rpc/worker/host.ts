import { releaseProxy, transfer, type Remote } from 'comlink'
import type { Agidb } from '../../api/agidb.js'
import type { EpisodesOptions, EpisodeId, Observation } from '../../api/episode.js'
import type { ChangeListener } from '../../api/change.js'
import type { Progress } from '../../base/progress.js'
import { invalid } from '../../api/check.js'
import { AgidbError, type WireError } from '../../base/errors.js'
import type { Method, Result } from '../../api/registry.js'
import { outcome, type Outcome } from '../../base/outcome.js'
import type { ExportOptions, ImportOptions, ImportReport } from '../../api/portable.js'
import type { Salvaged, SalvageOptions } from '../../api/salvage.js'
import { checkInvocation, checkNumberOf, checkPart, isLockName } from './boundary.js'
import { Exports } from './exports.js'
import { Feeds } from './feeds.js'
import { Iterations, type PagePart } from './iterations.js'
import { Parcels } from './parcels.js'
import type { EngineHost, WorkerOptions, ProgressCallback, Pausable } from './protocol.js'

/**
 * The engine's side of the wire.
 *
 * @param openEngine - opens the engine with the storage and kernel of the place where the host runs
 * @param salvage - brings out what can be read of a database there
 */
export function engineHost(openEngine: (options: WorkerOptions) => Promise<Agidb>, salvage = unsupported): EngineHost {
  return new Host(openEngine, salvage)
}

async function unsupported(_: SalvageOptions): Promise<Salvaged> {
  throw new AgidbError('AGIDB_UNSUPPORTED', 'this worker keeps nothing that could be salvaged')
}

/**
 * Methods whose options, the last argument, have a signal and may have a progress callback; the client sends them even
 * when they are undefined.
 */
const INTERRUPTIBLE: ReadonlySet<Method> = new Set<Method>(['observeMany', 'recall', 'consolidate', 'import'])

class Host implements EngineHost {
  readonly #openEngine: (options: WorkerOptions) => Promise<Agidb & Partial<Pausable>>
  readonly #running = new Map<number, AbortController>()
  readonly #iterations = new Iterations()
  readonly #parcels = new Parcels()
  readonly #exports = new Exports()
  readonly #feeds = new Feeds()
  #engine: (Agidb & Partial<Pausable>) | undefined

  readonly #salvage: (options: SalvageOptions) => Promise<Salvaged>

  constructor(
    openEngine: (options: WorkerOptions) => Promise<Agidb>,
    salvage: (options: SalvageOptions) => Promise<Salvaged>,
  ) {
    this.#openEngine = openEngine
    this.#salvage = salvage
  }

  async hold(lock: string): Promise<boolean> {
    const locks = globalThis.navigator?.locks
    if (locks === undefined || !isLockName(lock)) return false
    return new Promise((resolve) => {
      const forever = new Promise<never>(() => {})
      locks.request(lock, () => (resolve(true), forever)).catch(() => resolve(false)) // refused in opaque origins
    })
  }

  open(options: WorkerOptions): Promise<Outcome<undefined>> {
    return outcome(async () => {
      if (typeof options !== 'object' || options === null) throw invalid('open takes options', { what: 'options' })
      if (this.#engine !== undefined)
        throw new AgidbError('AGIDB_WORKER', 'this worker has a database open already; start another worker')
      this.#engine = await this.#openEngine(options)
      return undefined
    })
  }

  salvage(options: SalvageOptions): Promise<Outcome<Salvaged>> {
    return outcome(() => {
      if (this.#engine !== undefined)
        throw new AgidbError('AGIDB_WORKER', 'this worker has a database open already; start another worker')
      return this.#salvage(options)
    })
  }

  invoke<M extends Method>(
    call: number,
    method: M,
    args: readonly unknown[],
    onProgress?: ProgressCallback,
  ): Promise<Outcome<Result<M>>> {
    return outcome(async () => {
      const engine = this.#opened()
      checkInvocation(call, method, args, onProgress)
      if (method === 'import') return (await this.#import(call, args, onProgress)) as Result<M>
      const run = (args: readonly unknown[]) =>
        (engine[method] as (...args: unknown[]) => Promise<Result<M>>).apply(engine, [...args])
      if (method === 'observeMany' && typeof args[0] === 'number') {
        const opened = [this.#parcels.open(args[0]), ...args.slice(1)]
        const ids = await this.#interruptible(call, (added) => run(withOptions(opened, added)), onProgress)
        return this.#parcels.answer(call, ids as EpisodeId[]) as Result<M>
      }
      if (method === 'close') this.#iterations.endAll()
      return INTERRUPTIBLE.has(method)
        ? this.#interruptible(call, (added) => run(withOptions(args, added)), onProgress)
        : run(args)
    })
  }

  async #interruptible<T>(call: number, run: (added: object) => Promise<T>, onProgress?: ProgressCallback): Promise<T> {
    const controller = new AbortController()
    this.#running.set(call, controller)
    const reports = new Reports(onProgress as Remote<ProgressCallback> | undefined)
    try {
      return await run({ signal: controller.signal, ...reports.option })
    } finally {
      this.#running.delete(call)
      await reports.delivered()
    }
  }

  async #import(call: number, args: readonly unknown[], onProgress?: ProgressCallback): Promise<ImportReport> {
    const engine = this.#opened()
    const [feed, options] = args
    const source = this.#feeds.open(feed)
    try {
      const run = (added: object) => engine.import(source, (withOptions([options], added) as [ImportOptions])[0])
      return await this.#interruptible(call, run, onProgress)
    } finally {
      this.#feeds.end(feed)
    }
  }

  hand(parcel: number, items: readonly Observation[] | undefined): Promise<Outcome<undefined>> {
    return outcome(async () => {
      checkPart(parcel, items)
      this.#parcels.hand(parcel, items)
      return undefined
    })
  }

  moreIds(call: number): Promise<Outcome<EpisodeId[]>> {
    return outcome(async () => {
      checkNumberOf('a call', call)
      return this.#parcels.more(call)
    })
  }

  firstPage(cursor: number, options?: EpisodesOptions): Promise<Outcome<PagePart | undefined>> {
    return outcome(async () => {
      checkNumberOf('an iteration', cursor)
      return this.#iterations.begin(cursor, this.#opened(), options)
    })
  }

  nextPage(cursor: number): Promise<Outcome<PagePart | undefined>> {
    return outcome(() => this.#iterations.next(cursor))
  }

  async endPages(cursor: number): Promise<void> {
    this.#iterations.end(cursor)
  }

  beginExport(cursor: number, options?: ExportOptions): Promise<Outcome<undefined>> {
    return outcome(async () => {
      checkNumberOf('an export', cursor)
      this.#exports.begin(cursor, await this.#opened().export(options))
      return undefined
    })
  }

  async nextBytes(cursor: number): Promise<Outcome<Uint8Array | undefined>> {
    const answer = await outcome(() => this.#exports.next(cursor))
    return answer.ok && answer.value ? transfer(answer, [answer.value.buffer]) : answer
  }

  async endExport(cursor: number): Promise<void> {
    await this.#exports.end(cursor)
  }

  feed(feed: number, bytes: Uint8Array | undefined, error?: WireError): Promise<Outcome<boolean>> {
    return outcome(() => this.#feeds.hand(feed, bytes, error))
  }

  listen(listener: ChangeListener): Promise<Outcome<undefined>> {
    return outcome(async () => {
      if (typeof listener !== 'function') throw invalid('listen takes a function', { what: 'listener' })
      this.#opened().subscribe(listener)
      return undefined
    })
  }

  async freeze(isFrozen: boolean): Promise<void> {
    if (isFrozen) await this.#engine?.rest?.()
    else this.#engine?.wake?.()
  }

  async abort(call: number): Promise<void> {
    this.#running.get(call)?.abort()
  }

  #opened(): Agidb {
    if (this.#engine === undefined)
      throw new AgidbError('AGIDB_CLOSED', 'this worker has no database open; call open first')
    return this.#engine
  }
}

/** The progress of one call on its way to the page. */
class Reports {
  readonly option: { onProgress?: ProgressCallback } = {}
  readonly #callback: Remote<ProgressCallback> | undefined
  #last: Promise<void> = Promise.resolve()

  constructor(callback: Remote<ProgressCallback> | undefined) {
    this.#callback = callback
    if (callback === undefined) return
    this.option.onProgress = (progress: Progress) => {
      this.#last = callback(progress)
    }
  }

  /** Waits for the last report, so that none comes after the answer: the two go through different ports. */
  async delivered(): Promise<void> {
    if (this.#callback === undefined) return
    await this.#last
    this.#callback[releaseProxy]()
  }
}

/**
 * Adds what cannot cross by itself to the options, which are the last argument. What is no object is left for the
 * engine to refuse.
 */
function withOptions(args: readonly unknown[], added: object): readonly unknown[] {
  const options = args.at(-1)
  const isNone = options === null || (options !== undefined && typeof options !== 'object')
  return isNone ? args : [...args.slice(0, -1), { ...(options as object), ...added }]
}
