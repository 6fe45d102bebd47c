import { proxy, transfer } from 'comlink'
import type { Agidb } from '../../api/agidb.js'
import type { ChangeListener, MemoryChange } from '../../api/change.js'
import { ENDED, Listeners } from '../../api/listeners.js'
import { putMethod } from '../../api/method-path.js'
import type { MethodSpec, MethodTable } from '../../api/methods/method.js'
import type { ExportSource } from '../../api/portable.js'
import { METHODS } from '../../api/registry.js'
import type { Salvaged, SalvageOptions } from '../../api/salvage.js'
import { AgidbError, toWire, type WireError } from '../../base/errors.js'
import { valueOf, type Outcome } from '../../base/outcome.js'
import { pieces } from '../../transfer/bytes.js'
import { Interruption } from '../codec/interruption.js'
import { ITEMS_PER_MESSAGE, partsOf } from '../codec/item-parts.js'
import { takeLocalOptions, type LocalOptions } from '../codec/local-options.js'
import { LoadLimit } from './load-limit.js'
import { portsOf, type WorkerOptions } from '../codec/open-options.js'
import type { EngineHost } from './protocol.js'

/**
 * Items that may be with the engine before they are durable; calls that bring more wait here, with what their caller
 * holds anyway.
 */
const MAX_UNACKNOWLEDGED = 8192

/** Bytes of a source that cross in one message. */
const BYTES_PER_MESSAGE = 1 << 18

type Call = (...args: unknown[]) => unknown

/** The methods of the registry: the constructor of {@link Client} makes each as its registration says. */
export interface Client extends Agidb {}

/** A database whose engine runs at the other end of a Comlink endpoint. {@link Client.open} comes before all else. */
export class Client {
  readonly #host: EngineHost
  readonly #release: () => void
  /** How to reject each call that waits for an answer. */
  readonly #waiting = new Set<(error: AgidbError) => void>()
  readonly #listeners = new Listeners()
  #listening = false
  readonly #unacknowledged = new LoadLimit(MAX_UNACKNOWLEDGED)
  #calls = 0
  /** Why calls are refused, once they are. */
  #refusal: AgidbError | undefined
  #closing: Promise<void> | undefined

  /**
   * @param host the engine's side
   * @param release closes the endpoint and ends its worker
   * @param methods the methods of the database. Default: the registry.
   */
  constructor(host: EngineHost, release: () => void, methods: MethodTable = METHODS) {
    this.#host = host
    this.#release = release
    for (const [method, spec] of Object.entries(methods)) {
      if (spec.perHandle || spec.output === 'changes') continue // methods of this class, which do more than call
      const call = this.#callOf(method, spec)
      putMethod(this, method, spec.crossing ? (...args: unknown[]) => call(...spec.crossing!(args)) : call)
    }
  }

  open(options: WorkerOptions): Promise<undefined> {
    return this.#answer('open', () => this.#host.open(transfer(options, portsOf(options))))
  }

  salvage(options: SalvageOptions): Promise<Salvaged> {
    return this.#answer('salvage', () => this.#host.salvage(options))
  }

  /** How a method is called, by what its registration says of its arguments and its answer. */
  #callOf(method: string, spec: MethodSpec): Call {
    if (spec.output === 'pages') return (...args) => this.#pages(method, args)
    if (spec.output === 'bytes') return (...args) => this.#bytes(method, args)
    if (spec.input === 'items') return (...args) => this.#callWithItems(method, spec, args)
    if (spec.input === 'bytes') return (...args) => this.#callWithBytes(method, spec, args)
    if (spec.interruption !== undefined) return async (...args) => this.#interruptible(method, spec, args)
    return (...args) => this.#call(method, args)
  }

  async #callWithItems(method: string, spec: MethodSpec, args: readonly unknown[]): Promise<unknown> {
    const [[given, ...rest], local] = takeLocalOptions(spec, args)
    if (!Array.isArray(given)) return this.#interruptible(method, spec, args)
    const items = [...(given as unknown[])]
    return this.#interrupted(local, async (call, interruption) => {
      const admitted = this.#unacknowledged.acquire(items.length)
      try {
        // else it is sent now, before what is asked for next
        if (admitted !== undefined) await interruption.race(admitted)
        const first =
          items.length <= ITEMS_PER_MESSAGE ? items : await this.#sendItems(method, call, items, interruption)
        const answer = (await interruption.settle(
          this.#invoke(method, call, [first, ...rest], interruption),
        )) as unknown[]
        while (answer.length < items.length)
          for (const id of await this.#answer(method, () => this.#host.nextAnswerPart(call))) answer.push(id)
        return answer
      } finally {
        const release = () => this.#unacknowledged.release(items.length)
        if (admitted === undefined) release()
        else void admitted.then(release) // an abort may have come before its turn
      }
    })
  }

  /** Sends items in parts. Answers the number that stands for them in the call. */
  async #sendItems(
    method: string,
    call: number,
    items: readonly unknown[],
    interruption: Interruption,
  ): Promise<number> {
    try {
      for (const part of partsOf(items))
        await interruption.race(this.#answer(method, () => this.#host.sendItems(call, part)))
      return call
    } catch (error) {
      if (this.#refusal === undefined) void this.#host.sendItems(call, undefined)
      throw error
    }
  }

  async *#pages(method: string, args: readonly unknown[]): AsyncGenerator<unknown[], void, undefined> {
    const cursor = ++this.#calls
    let part = await this.#answer(method, () => this.#host.openPages(cursor, method, args))
    try {
      let page: unknown[] = []
      while (part !== undefined) {
        for (const item of part.items) page.push(item)
        if (!part.goesOn) {
          yield page
          page = []
        }
        part = await this.#answer(method, () => this.#host.nextPage(cursor))
      }
    } finally {
      if (part !== undefined && this.#refusal === undefined) void this.#host.closePages(cursor)
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #bytes(method: string, args: readonly unknown[]): Promise<ReadableStream<Uint8Array>> {
    const cursor = ++this.#calls
    await this.#answer(method, () => this.#host.openBytes(cursor, method, args))
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const bytes = await this.#answer(method, () => this.#host.nextBytes(cursor))
          if (bytes === undefined) controller.close()
          else controller.enqueue(bytes)
        },
        cancel: async () => {
          if (this.#refusal === undefined) await this.#host.closeBytes(cursor)
        },
      },
      { highWaterMark: 0 },
    )
  }

  async #callWithBytes(method: string, spec: MethodSpec, [source, ...rest]: readonly unknown[]): Promise<unknown> {
    const feed = ++this.#calls
    const [, local] = takeLocalOptions(spec, [source, ...rest])
    const answer = this.#interruptible(method, spec, [feed, ...rest])
    answer.catch(() => {}) // it is waited for below
    // An error of the source reaches the call that reads it.
    await this.#sendBytes(method, feed, pieces(source as ExportSource, local.signal)).catch(() => {})
    return answer
  }

  /** Sends bytes as they are taken, until there are no more or no more are wanted. */
  async #sendBytes(method: string, feed: number, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const send = (piece: Uint8Array | undefined, error?: WireError): Promise<boolean> =>
      this.#answer(method, () => this.#host.sendBytes(feed, piece && transfer(piece, [piece.buffer]), error))
    try {
      for await (const piece of bytes) {
        // Copies, since what is sent is no longer here.
        for (let at = 0; at < piece.length; at += BYTES_PER_MESSAGE)
          if (!(await send(piece.slice(at, at + BYTES_PER_MESSAGE)))) return
      }
      await send(undefined)
    } catch (error) {
      if (this.#refusal === undefined) await send(undefined, toWire(error))
    }
  }

  subscribe(listener: ChangeListener): () => void {
    if (this.#refusal !== undefined) throw this.#refusal
    const end = this.#listeners.add(listener)
    // One way across for all of them. It goes before any call that comes after this one.
    if (!this.#listening)
      this.#answer('subscribe', () =>
        this.#host.listen(proxy((change: MemoryChange) => this.#listeners.tell(change))),
      ).catch(() => {})
    this.#listening = true
    return end
  }

  /** Flushes, closes the storage and ends the worker. Safe to call twice, and after the worker died. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** Refuses every call from now on, those that wait included, and releases the endpoint. The first reason stays. */
  end(reason: AgidbError): void {
    if (this.#refusal === undefined) this.#listeners.tell(ENDED)
    else this.#listeners.clear()
    this.#refusal ??= reason
    for (const reject of this.#waiting) reject(reason)
    this.#waiting.clear()
    this.#release()
  }

  async #close(): Promise<void> {
    if (this.#refusal !== undefined) return // the worker died: it holds nothing, and what was acknowledged is stored
    const closed = this.#call('close', [])
    const refusal = new AgidbError('AGIDB_CLOSED', 'the database is closed; open it again to use it')
    this.#refusal = refusal
    try {
      await closed
    } finally {
      this.end(refusal)
    }
  }

  #call(method: string, args: readonly unknown[]): Promise<unknown> {
    return this.#answer(method, () => this.#host.invoke(++this.#calls, method, args))
  }

  async #interruptible(method: string, spec: MethodSpec, args: readonly unknown[]): Promise<unknown> {
    const [sent, local] = takeLocalOptions(spec, args)
    return this.#interrupted(local, (call, interruption) => {
      const answer = this.#invoke(method, call, sent, interruption)
      return spec.interruption?.rejects === 'at-once' ? interruption.race(answer) : interruption.settle(answer)
    })
  }

  #invoke(method: string, call: number, args: readonly unknown[], { onProgress }: Interruption): Promise<unknown> {
    return this.#answer(method, () => this.#host.invoke(call, method, args, onProgress && proxy(onProgress)))
  }

  /** Makes a call that can be interrupted. */
  async #interrupted<T>(
    local: LocalOptions,
    make: (call: number, interruption: Interruption) => Promise<T>,
  ): Promise<T> {
    const call = ++this.#calls
    const interruption = new Interruption(local, () => void this.#host.abort(call))
    try {
      return await make(call, interruption)
    } finally {
      interruption.dispose()
    }
  }

  /** Sends a question and waits for its outcome, or for the end of the client. */
  #answer<T>(method: string, send: () => Promise<Outcome<T>>): Promise<T> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal)
    return new Promise<T>((resolve, reject) => {
      this.#waiting.add(reject)
      send()
        .catch((error: unknown) => {
          throw crossingError(method, error)
        })
        .then(valueOf)
        .then(resolve, reject)
        .finally(() => this.#waiting.delete(reject))
    })
  }
}

/** What Comlink itself throws: an argument or an answer that cannot be cloned. */
function crossingError(method: string, error: unknown): AgidbError {
  const reason = error instanceof Error ? error.message : String(error)
  if (error instanceof Error && error.name === 'DataCloneError') {
    const message = `an argument of ${method} cannot be sent to the engine worker (${reason}); pass plain data`
    return new AgidbError('AGIDB_INVALID_ARGUMENT', message, { method }, { cause: error })
  }
  return new AgidbError(
    'AGIDB_INTERNAL',
    `the answer of ${method} did not cross: ${reason}`,
    { method },
    { cause: error },
  )
}
