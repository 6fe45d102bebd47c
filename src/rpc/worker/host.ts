import { releaseProxy, transfer, type Remote } from 'comlink'
import type { Agidb } from '../../api/agidb.js'
import type { ChangeListener } from '../../api/change.js'
import { invalid } from '../../api/check.js'
import { methodAt } from '../../api/method-path.js'
import type { MethodSpec, MethodTable } from '../../api/methods/method.js'
import { METHODS } from '../../api/registry.js'
import type { Salvaged, SalvageOptions } from '../../api/salvage.js'
import { AgidbError, type WireError } from '../../base/errors.js'
import { outcome, type Outcome } from '../../base/outcome.js'
import type { Progress } from '../../base/progress.js'
import { AnswerParts } from '../codec/answer-parts.js'
import { ByteFeeds } from '../codec/byte-feeds.js'
import { ByteReaders } from '../codec/byte-readers.js'
import { ArrivingItems } from '../codec/item-parts.js'
import { addLocalOptions, type ProgressCallback } from '../codec/local-options.js'
import { PageCursors, type PagePart } from '../codec/page-cursors.js'
import { RunningCalls } from '../codec/running-calls.js'
import { checkInvocation, checkItems, checkNumberOf, checkProgress, isLockName } from './boundary.js'
import type { WorkerOptions } from '../codec/open-options.js'
import type { EngineHost, Pausable } from './protocol.js'

/** What may be on its way from the page: each call brings its own items, and takes them away. */
const ARRIVAL_LIMITS = { calls: 128, items: 1 << 20 }

/** What a host needs beside the means to open an engine. */
export interface HostOptions {
  /** Brings out what can be read of a database. Default: refused, since this worker keeps nothing. */
  readonly salvage?: (options: SalvageOptions) => Promise<Salvaged>
  /** The methods that the page may call. Default: the registry. */
  readonly methods?: MethodTable
}

/**
 * The engine's side of the wire.
 *
 * @param openEngine opens the engine with the storage and kernel of the place where the host runs
 */
export function engineHost(
  openEngine: (options: WorkerOptions) => Promise<Agidb>,
  { salvage = unsupported, methods = METHODS }: HostOptions = {},
): EngineHost {
  return new Host(openEngine, salvage, methods)
}

async function unsupported(_: SalvageOptions): Promise<Salvaged> {
  throw new AgidbError('AGIDB_UNSUPPORTED', 'this worker keeps nothing that could be salvaged')
}

/** Methods of an engine by name, as a table of methods describes them. */
type Callable = Readonly<Record<string, (...args: unknown[]) => unknown>>

class Host implements EngineHost {
  readonly #running = new RunningCalls()
  readonly #pages = new PageCursors()
  readonly #items = new ArrivingItems(ARRIVAL_LIMITS)
  readonly #answers = new AnswerParts()
  readonly #readers = new ByteReaders()
  readonly #feeds = new ByteFeeds()
  #engine: (Agidb & Partial<Pausable>) | undefined

  constructor(
    private readonly openEngine: (options: WorkerOptions) => Promise<Agidb & Partial<Pausable>>,
    private readonly readDamaged: (options: SalvageOptions) => Promise<Salvaged>,
    private readonly methods: MethodTable,
  ) {}

  async holdLock(lock: string): Promise<boolean> {
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
      this.#expectNone()
      this.#engine = await this.openEngine(options)
      return undefined
    })
  }

  salvage(options: SalvageOptions): Promise<Outcome<Salvaged>> {
    return outcome(() => {
      this.#expectNone()
      return this.readDamaged(options)
    })
  }

  invoke(
    call: number,
    method: string,
    args: readonly unknown[],
    onProgress?: ProgressCallback,
  ): Promise<Outcome<unknown>> {
    return outcome(async () => {
      const engine = this.#opened()
      checkNumberOf('a call', call)
      const spec = checkInvocation(this.methods, method, args)
      checkProgress(method, onProgress)
      const run = (given: readonly unknown[]): Promise<unknown> =>
        this.#run(call, spec, given, onProgress, async (all) => methodAt(engine, method)(...all))
      if (spec.input === 'bytes') return this.#withFeed(args, run)
      if (spec.input === 'items') return this.#withItems(call, args, run)
      if (method === 'close') this.#pages.closeAll()
      return run(args)
    })
  }

  /** Runs a call with the signal and the progress callback that its method can have. */
  async #run<T>(
    call: number,
    spec: MethodSpec,
    args: readonly unknown[],
    onProgress: ProgressCallback | undefined,
    make: (args: readonly unknown[]) => Promise<T>,
  ): Promise<T> {
    if (spec.interruption === undefined) return make(args)
    const signal = this.#running.begin(call)
    const reports = new Reports(onProgress as Remote<ProgressCallback> | undefined)
    try {
      return await make(addLocalOptions(spec, args, { signal, ...reports.option }))
    } finally {
      this.#running.end(call)
      await reports.delivered()
    }
  }

  /** Runs a call whose items came before it; its answer then goes in parts, too. */
  async #withItems<T>(
    call: number,
    [first, ...rest]: readonly unknown[],
    run: (args: readonly unknown[]) => Promise<T>,
  ): Promise<T | unknown[]> {
    if (typeof first !== 'number') return run([first, ...rest])
    const answer = await run([this.#items.take(first) ?? first, ...rest])
    return Array.isArray(answer) ? this.#answers.first(call, answer as unknown[]) : answer
  }

  /** Runs a call that reads bytes while they arrive. */
  async #withFeed<T>([feed, ...rest]: readonly unknown[], run: (args: readonly unknown[]) => Promise<T>): Promise<T> {
    const source = this.#feeds.open(feed)
    try {
      return await run([source, ...rest])
    } finally {
      this.#feeds.end(feed)
    }
  }

  async abort(call: number): Promise<void> {
    this.#running.abort(call)
  }

  sendItems(call: number, items: readonly unknown[] | undefined): Promise<Outcome<undefined>> {
    return outcome(async () => {
      checkItems(call, items)
      if (items === undefined) this.#items.take(call)
      else this.#items.add(call, items)
      return undefined
    })
  }

  nextAnswerPart(call: number): Promise<Outcome<unknown[]>> {
    return outcome(async () => {
      checkNumberOf('a call', call)
      return this.#answers.next(call)
    })
  }

  openPages(cursor: number, method: string, args: readonly unknown[]): Promise<Outcome<PagePart | undefined>> {
    return outcome(async () => {
      const engine = this.#opened()
      checkNumberOf('an iteration', cursor)
      checkInvocation(this.methods, method, args, 'pages')
      return this.#pages.open(cursor, methodAt(engine, method)(...args) as AsyncIterable<unknown[]>)
    })
  }

  nextPage(cursor: number): Promise<Outcome<PagePart | undefined>> {
    return outcome(() => this.#pages.next(cursor))
  }

  async closePages(cursor: number): Promise<void> {
    this.#pages.close(cursor)
  }

  openBytes(cursor: number, method: string, args: readonly unknown[]): Promise<Outcome<undefined>> {
    return outcome(async () => {
      const engine = this.#opened()
      checkNumberOf('an export', cursor)
      checkInvocation(this.methods, method, args, 'bytes')
      this.#readers.open(cursor, (await methodAt(engine, method)(...args)) as ReadableStream<Uint8Array>)
      return undefined
    })
  }

  async nextBytes(cursor: number): Promise<Outcome<Uint8Array | undefined>> {
    const answer = await outcome(() => this.#readers.next(cursor))
    return answer.ok && answer.value ? transfer(answer, [answer.value.buffer]) : answer
  }

  async closeBytes(cursor: number): Promise<void> {
    await this.#readers.close(cursor)
  }

  sendBytes(feed: number, bytes: Uint8Array | undefined, error?: WireError): Promise<Outcome<boolean>> {
    return outcome(() => this.#feeds.send(feed, bytes, error))
  }

  listen(listener: ChangeListener): Promise<Outcome<undefined>> {
    return outcome(async () => {
      if (typeof listener !== 'function') throw invalid('listen takes a function', { what: 'listener' })
      this.#opened()
      this.#engine!.subscribe(listener)
      return undefined
    })
  }

  async freeze(isFrozen: boolean): Promise<void> {
    if (isFrozen) await this.#engine?.pause?.()
    else this.#engine?.resume?.()
  }

  #opened(): Callable {
    if (this.#engine === undefined)
      throw new AgidbError('AGIDB_CLOSED', 'this worker has no database open; call open first')
    return this.#engine as unknown as Callable
  }

  #expectNone(): void {
    if (this.#engine !== undefined)
      throw new AgidbError('AGIDB_WORKER', 'this worker has a database open already; start another worker')
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
