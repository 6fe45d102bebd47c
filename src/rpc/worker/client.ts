import { proxy, transfer } from 'comlink'
import type { Agidb } from '../../api/agidb.js'
import type { EpisodesOptions, ObserveManyOptions, Episode, EpisodeId, Observation } from '../../api/episode.js'
import type { ConsolidateOptions, ConsolidationReport } from '../../api/atom.js'
import type { ChangeListener, MemoryChange } from '../../api/change.js'
import { AgidbError, toWire, type WireError } from '../../base/errors.js'
import { Listeners } from '../../api/listeners.js'
import type { Method, Result } from '../../api/registry.js'
import { valueOf, type Outcome } from '../../base/outcome.js'
import type { ExportOptions, ExportSource, ImportOptions, ImportReport } from '../../api/portable.js'
import type { Recall, RecallOptions, RecallWithPrompt } from '../../api/recall.js'
import type { Salvaged, SalvageOptions } from '../../api/salvage.js'
import { pieces } from '../../transfer/bytes.js'
import { Gate } from './gate.js'
import { Interruption, split, type Local } from './interruption.js'
import type { EngineHost, WorkerOptions } from './protocol.js'

/** Observations that cross at a time: cloning one takes a few microseconds. */
const ITEMS_PER_MESSAGE = 256
/**
 * Observations that may be with the engine before they are durable; calls that bring more wait here, with what their
 * caller holds anyway.
 */
const MAX_UNACKNOWLEDGED = 8192

/** Bytes of an import that cross at a time. */
const BYTES_PER_MESSAGE = 1 << 18

/** The methods whose arguments and answers cross as they are. */
const FORWARDED = [
  'observe',
  'getEpisode',
  'supersede',
  'attentionTrace',
  'stats',
  'flush',
  'compact',
  'verify',
  'observeSensory',
  'workingState',
  'surpriseScore',
  'surpriseScoreBrainCalibrated',
  'workingMemory',
  'semanticAtoms',
  'learnProcedure',
  'proceduresFor',
  'recordExecution',
  'getProcedure',
  'procedures',
  'reviseProcedure',
  'retireProcedure',
  'setGoal',
  'reviseGoal',
  'pauseGoal',
  'resumeGoal',
  'completeGoal',
  'abandonGoal',
  'goals',
  'activeGoals',
  'goalTree',
  'getGoal',
  'assertBelief',
  'reviseBelief',
  'reviseBeliefs',
  'whatDoIBelieve',
  'beliefHistory',
  'withdrawBelief',
  'getBelief',
  'whatDidILearn',
  'selfVector',
  'selfVectorAt',
  'selfSimilarity',
  'introspect',
] as const satisfies readonly Method[]

export interface Client extends Pick<Agidb, (typeof FORWARDED)[number]> {}

/** A database whose engine runs at the other end of a Comlink endpoint. {@link Client.open} comes before all else. */
export class Client implements Agidb {
  readonly #host: EngineHost
  readonly #release: () => void
  /** How to reject each call that waits for an answer. */
  readonly #waiting = new Set<(error: AgidbError) => void>()
  readonly #listeners = new Listeners()
  #listening = false
  readonly #gate = new Gate(MAX_UNACKNOWLEDGED)
  #calls = 0
  /** Why calls are refused, once they are. */
  #refusal: AgidbError | undefined
  #closing: Promise<void> | undefined

  static {
    for (const method of FORWARDED) {
      const forward = function (this: Client, ...args: unknown[]): Promise<unknown> {
        return this.#call(method, args)
      }
      Object.defineProperty(Client.prototype, method, { value: forward, writable: true, configurable: true })
    }
  }

  /**
   * @param host - the engine's side
   * @param release - lets go of the endpoint and ends its worker
   */
  constructor(host: EngineHost, release: () => void) {
    this.#host = host
    this.#release = release
  }

  open(options: WorkerOptions): Promise<undefined> {
    const ports = [options.encoder?.port, options.decideRevision].filter((port) => port !== undefined)
    return this.#answer('open', () => this.#host.open(transfer(options, ports)))
  }

  salvage(options: SalvageOptions): Promise<Salvaged> {
    return this.#answer('salvage', () => this.#host.salvage(options))
  }

  async observeMany(items: readonly Observation[], options?: ObserveManyOptions): Promise<EpisodeId[]> {
    const [crossing, local] = split(options)
    if (!Array.isArray(items)) return this.#interruptible('observeMany', [items, crossing], local)
    const all = [...items]
    return this.#interrupted(local, async (call, interruption) => {
      const entered = this.#gate.enter(all.length)
      try {
        // else it is sent now, before what is asked for next
        if (entered !== undefined) await interruption.cutting(entered)
        const sent = all.length <= ITEMS_PER_MESSAGE ? all : await this.#hand(call, all, interruption)
        const ids = await interruption.toldBy(
          this.#answer('observeMany', () =>
            this.#host.invoke(call, 'observeMany', [sent, crossing], interruption.onProgress),
          ),
        )
        while (ids.length < all.length)
          for (const id of await this.#answer('observeMany', () => this.#host.moreIds(call))) ids.push(id)
        return ids
      } finally {
        const leave = () => this.#gate.leave(all.length)
        if (entered === undefined) leave()
        else void entered.then(leave) // an abort may have come before its turn
      }
    })
  }

  /**
   * Hands items over in parts, since to clone them all at once would stop the page; answers the parcel that they are
   * now.
   */
  async #hand(parcel: number, items: readonly Observation[], interruption: Interruption): Promise<number> {
    try {
      for (let at = 0; at < items.length; at += ITEMS_PER_MESSAGE) {
        await interruption.cutting(
          this.#answer('observeMany', () => this.#host.hand(parcel, items.slice(at, at + ITEMS_PER_MESSAGE))),
        )
      }
      return parcel
    } catch (error) {
      if (this.#refusal === undefined) void this.#host.hand(parcel, undefined)
      throw error
    }
  }

  async *episodes(options?: EpisodesOptions): AsyncGenerator<Episode[], void, undefined> {
    const cursor = ++this.#calls
    let part = await this.#answer('episodes', () => this.#host.firstPage(cursor, options))
    try {
      let page: Episode[] = []
      while (part !== undefined) {
        for (const episode of part.episodes) page.push(episode)
        if (!part.goesOn) {
          yield page
          page = []
        }
        part = await this.#answer('episodes', () => this.#host.nextPage(cursor))
      }
    } finally {
      if (part !== undefined && this.#refusal === undefined) void this.#host.endPages(cursor)
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  recall(cue: string | undefined, options: RecallOptions & { readonly budgetTokens: number }): Promise<RecallWithPrompt>
  recall(cue: string | undefined, options?: RecallOptions): Promise<Recall>
  recall(cue: string | undefined, options?: RecallOptions): Promise<Recall> {
    const [crossing, local] = split(options)
    return this.#interruptible('recall', [cue, crossing], local)
  }

  consolidate(options?: ConsolidateOptions): Promise<ConsolidationReport> {
    const [crossing, local] = split(options)
    return this.#interruptible('consolidate', [crossing], local)
  }

  async export(options?: ExportOptions): Promise<ReadableStream<Uint8Array>> {
    const cursor = ++this.#calls
    await this.#answer('export', () => this.#host.beginExport(cursor, options))
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const bytes = await this.#answer('export', () => this.#host.nextBytes(cursor))
          if (bytes === undefined) controller.close()
          else controller.enqueue(bytes)
        },
        cancel: async () => {
          if (this.#refusal === undefined) await this.#host.endExport(cursor)
        },
      },
      { highWaterMark: 0 },
    )
  }

  async import(source: ExportSource, options?: ImportOptions): Promise<ImportReport> {
    const [crossing, local] = split(options)
    const feed = ++this.#calls
    const report = this.#interruptible('import', [feed, crossing], local)
    report.catch(() => {}) // it is waited for below
    // what goes wrong with the source, the import says
    await this.#feed(feed, pieces(source, local.signal)).catch(() => {})
    return report
  }

  /** Sends bytes as they are taken, until there are no more or no more are wanted. */
  async #feed(feed: number, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const hand = (piece: Uint8Array | undefined, error?: WireError): Promise<boolean> =>
      this.#answer('import', () => this.#host.feed(feed, piece && transfer(piece, [piece.buffer]), error))
    try {
      for await (const piece of bytes) {
        // Copies, since what is sent is no longer here.
        for (let at = 0; at < piece.length; at += BYTES_PER_MESSAGE)
          if (!(await hand(piece.slice(at, at + BYTES_PER_MESSAGE)))) return
      }
      await hand(undefined)
    } catch (error) {
      if (this.#refusal === undefined) await hand(undefined, toWire(error))
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

  /** Flushes, lets go of the storage and ends the worker. Safe to call twice, and after the worker died. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** Refuses every call from now on, those that wait included, and releases the endpoint. The first reason stays. */
  end(reason: AgidbError): void {
    this.#refusal ??= reason
    for (const reject of this.#waiting) reject(reason)
    this.#waiting.clear()
    this.#listeners.clear()
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

  #call<M extends Method>(method: M, args: readonly unknown[]): Promise<Result<M>> {
    return this.#answer(method, () => this.#host.invoke(++this.#calls, method, args))
  }

  #interruptible<M extends Method>(method: M, args: readonly unknown[], local: Local): Promise<Result<M>> {
    return this.#interrupted(local, (call, interruption) => {
      const answer = this.#answer(method, () => this.#host.invoke(call, method, args, interruption.onProgress))
      // A batch that is being written lands first, so that the rejection can say how much is durable.
      return method === 'recall' ? interruption.cutting(answer) : interruption.toldBy(answer)
    })
  }

  /** Makes a call that can be interrupted. */
  async #interrupted<T>(local: Local, make: (call: number, interruption: Interruption) => Promise<T>): Promise<T> {
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
