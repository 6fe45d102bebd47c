import { AgidbError } from '../base/errors.js'
import type { Agidb } from './agidb.js'
import type { ChangeKind, MemoryChange } from './change.js'
import { checkKeys, checkSignal, checkWhole, invalid } from './check.js'
import type { Episode } from './episode.js'
import type { EpisodesOptions } from './episode-pages.js'
import type { Recall, RecallOptions } from './recall.js'

/** Options of every live query. */
export interface LiveOptions {
  /** Ends the iteration. */
  readonly signal?: AbortSignal
}

/** The newest episodes that pass what is given here; see {@link EpisodesOptions}. */
export interface LiveEpisodes extends Omit<EpisodesOptions, 'after' | 'limit'> {
  /** How many of the newest, 1 to 10,000. Default 1,000. */
  readonly limit?: number
}

/** The answers of a live query, each when it is asked for: see {@link LiveMethods.live}. */
export interface LiveQuery<T> extends AsyncIterable<T> {
  /** The next answer that differs from the last one. Waits until a change makes one. */
  next(): Promise<IteratorResult<T, undefined>>
  /** Ends the iteration; a `next` that waits answers that it is done. */
  return(): Promise<IteratorResult<T, undefined>>
}

/** Questions whose answers are told again when they change. */
export interface LiveMethods {
  /**
   * The answer of a recall, now and each time that a change gives another one.
   *
   * Answers are worked out when they are asked for, one at a time: however many changes there were since the last one,
   * one answer follows, the newest. An answer that equals the last one is left out. The memory does not learn from
   * these recalls. What time alone changes (an episode that expires, a goal whose deadline passes) is seen with the
   * next change.
   *
   * Closing the memory ends the iteration. An answer that fails ends it with its error.
   *
   * ```ts
   * for await (const { matches } of db.live('thai food')) show(matches)
   * ```
   *
   * @throws AgidbError as `recall`, from `next`; `AGIDB_CLOSED`.
   */
  live(cue: string, options?: Omit<RecallOptions, 'signal'> & LiveOptions): LiveQuery<Recall>
  /**
   * The newest episodes that pass a filter, in the order in which they were observed. After new ones only these are
   * read.
   */
  live(which: LiveEpisodes, options?: LiveOptions): LiveQuery<readonly Episode[]>
  /** What a function of the caller's answers, which asks the memory: `db.live(() => db.activeGoals())`. */
  live<T>(ask: () => Promise<T>, options?: LiveOptions): LiveQuery<T>
}

/** Changes that no answer follows from, or that an answer itself brings about. */
const IGNORED: ReadonlySet<ChangeKind> = new Set([
  'sensoryFrameSeen',
  'recallsLearned',
  'attentionTraced',
  'entriesAccessed',
] as const)
const DEFAULT_LIMIT = 1_000
const MOST = 10_000
/** Episodes that are read at once. */
const PAGE = 1_000

/** Works an answer out anew; `changes` are those since the last one, `undefined` for the first. */
type Answering<T> = (changes: readonly MemoryChange[] | undefined) => Promise<T>

/** Makes the live queries of a memory, and ends them when it is closed. */
export class LiveQueries {
  readonly #db: Agidb
  readonly #running = new Set<Running<unknown>>()

  constructor(db: Agidb) {
    this.#db = db
  }

  /** {@link LiveMethods.live} */
  live(what: unknown, options: LiveOptions = {}): LiveQuery<unknown> {
    const { signal, ...rest } = options
    checkSignal(signal)
    const running = new Running(this.#db, this.#answering(what, rest), signal, () => this.#running.delete(running))
    this.#running.add(running)
    return running
  }

  /** Ends all of them. */
  end(): void {
    for (const running of this.#running) void running.return()
  }

  #answering(what: unknown, rest: object): Answering<unknown> {
    if (typeof what === 'string') {
      const asked: RecallOptions = { learn: false, ...rest }
      return () => this.#db.recall(what, asked)
    }
    checkKeys('options', rest, [])
    if (typeof what === 'function') return what as () => Promise<unknown>
    if (typeof what === 'object' && what !== null) return newest(this.#db, what)
    throw invalid('live takes a cue, what episodes to list, such as { session: … }, or a function', { what: 'what' })
  }
}

/** Lists the newest episodes; after episodes that came at the end, it reads these alone. */
function newest(db: Agidb, { limit = DEFAULT_LIMIT, ...which }: LiveEpisodes): Answering<readonly Episode[]> {
  checkWhole('limit', limit, 1, MOST)
  if ('after' in which) throw invalid('live lists the newest episodes, so it takes no after', { option: 'after' })
  let known: readonly Episode[] = []
  let end = -1
  return async (changes) => {
    const isLater = changes?.every(({ kind, slot }) => kind === 'episodeStored' && slot > end)
    const after = isLater === true ? known.at(-1)?.id : undefined
    const found = after === undefined ? [] : [...known]
    for await (const page of db.episodes({ ...which, limit: PAGE, ...(after !== undefined && { after }) })) {
      found.push(...page)
      if (found.length > 2 * MOST) found.splice(0, found.length - limit)
    }
    for (const { slot } of changes ?? []) end = Math.max(end, slot)
    known = found.slice(-limit)
    return known
  }
}

/** One live query. */
class Running<T> implements LiveQuery<T> {
  readonly #answering: Answering<T>
  readonly #ended: () => void
  readonly #unsubscribe: () => void
  readonly #signal: AbortSignal | undefined
  #isEnded = false
  /** Changes since the last answer; `undefined` before the first. */
  #changes: MemoryChange[] | undefined
  /** What the last answer says. */
  #last: string | undefined
  #wake = (): void => {}
  /** Calls of `next` answer in their order. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(db: Agidb, answering: Answering<T>, signal: AbortSignal | undefined, ended: () => void) {
    this.#answering = answering
    this.#ended = ended
    this.#signal = signal
    this.#unsubscribe = db.subscribe((change) => {
      if (IGNORED.has(change.kind)) return
      this.#changes?.push(change)
      this.#wake()
    })
    signal?.addEventListener('abort', this.#end, { once: true })
    if (signal?.aborted === true) this.#end()
  }

  next(): Promise<IteratorResult<T, undefined>> {
    const next = this.#turn.then(() => this.#next())
    this.#turn = next.catch(() => {})
    return next
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.#end()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async #next(): Promise<IteratorResult<T, undefined>> {
    for (;;) {
      await this.#changed()
      if (this.#isEnded) return { done: true, value: undefined }
      const changes = this.#changes
      this.#changes = []
      let value: T
      try {
        value = await this.#answering(changes)
      } catch (error) {
        const isClosed = this.#isEnded || (error instanceof AgidbError && error.code === 'AGIDB_CLOSED')
        this.#end()
        if (isClosed && this.#last !== undefined) return { done: true, value: undefined }
        throw error
      }
      if (this.#isEnded) return { done: true, value: undefined }
      const said = JSON.stringify(value, withoutCircumstances) ?? ''
      if (said === this.#last) continue
      this.#last = said
      return { done: false, value }
    }
  }

  /** Resolves when there is something to work out, or the iteration has ended. */
  async #changed(): Promise<void> {
    while (!this.#isEnded && this.#changes?.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve))
  }

  readonly #end = (): void => {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#unsubscribe()
    this.#signal?.removeEventListener('abort', this.#end)
    this.#ended()
    this.#wake()
  }
}

/** Of an answer what two recalls of the same say alike: not when it was given, nor how long it took. */
function withoutCircumstances(this: unknown, key: string, value: unknown): unknown {
  if (key === 'elapsedMs') return undefined
  return key === 'id' && typeof value === 'string' && value.startsWith('rc_') ? undefined : value
}
