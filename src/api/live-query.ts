import { AgidbError } from '../base/errors.js'
import { SerialQueue } from '../base/serial-queue.js'
import type { Agidb } from './agidb.js'
import type { ChangeKind, MemoryChange } from './change.js'
import { checkKeys, checkSignal, checkWhole, invalid } from './check.js'
import type { Episode } from './episode.js'
import type { LiveEpisodes, LiveOptions, LiveQuery } from './live.js'
import type { RecallOptions } from './recall.js'

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

/** The changes since the last answer, of which there may be any number. */
interface Changes {
  /** The least slot of an episode that was stored; -1 where anything else changed, `Infinity` where nothing did. */
  readonly first: number
  /** The greatest slot. */
  readonly last: number
}
const NONE: Changes = { first: Infinity, last: -1 }

/** Works an answer out anew; `changes` are those since the last one, `undefined` for the first. */
type Answering<T> = (changes: Changes | undefined) => Promise<T>

/**
 * Begins a live query.
 *
 * @param ended called when it is over.
 * @throws AgidbError what `LiveMethods.live` rejects with.
 */
export function begin(db: Agidb, what: unknown, options: LiveOptions, ended: () => void): LiveQuery<unknown> {
  checkKeys('options', options, Object.keys(options ?? {})) // which options there are depends on the question
  const { signal, ...rest } = options
  checkSignal(signal)
  return new Running(db, answering(db, what, rest), signal, ended)
}

function answering(db: Agidb, what: unknown, rest: object): Answering<unknown> {
  if (typeof what === 'string') {
    const asked: RecallOptions = { learn: false, ...rest }
    return () => db.recall(what, asked)
  }
  checkKeys('options', rest, [])
  if (typeof what === 'function') return what as () => Promise<unknown>
  if (typeof what === 'object' && what !== null) return newest(db, what)
  throw invalid('live takes a cue, what episodes to list, such as { session: … }, or a function', { what: 'what' })
}

/** Lists the newest episodes; after episodes that came at the end, it reads these alone. */
function newest(db: Agidb, { limit = DEFAULT_LIMIT, ...which }: LiveEpisodes): Answering<readonly Episode[]> {
  checkWhole('limit', limit, 1, MOST)
  for (const option of ['after', 'order'])
    if (option in which) throw invalid(`live lists the newest episodes, so it takes no ${option}`, { option })
  const last = async (): Promise<Episode[]> => {
    const found: Episode[] = []
    for await (const page of db.episodes({ ...which, order: 'newest', limit: Math.min(limit, PAGE) })) {
      found.push(...page)
      if (found.length >= limit) break
    }
    return found.slice(0, limit).reverse()
  }
  const andLater = async (start: readonly Episode[]): Promise<Episode[]> => {
    const found = [...start]
    for await (const page of db.episodes({ ...which, limit: PAGE, after: start.at(-1)!.id })) {
      found.push(...page)
      if (found.length > 2 * MOST) found.splice(0, found.length - limit)
    }
    return found.slice(-limit)
  }
  let known: readonly Episode[] = []
  let end = -1
  return async (changes) => {
    const isLater = changes !== undefined && changes.first > end
    const listed = isLater && known.length > 0 ? andLater(known) : last()
    // The last known episode may be gone, or an import have replaced all while they were listed: they are listed anew.
    const found = await listed.catch(last)
    end = Math.max(end, changes?.last ?? -1)
    known = found
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
  #changes: Changes | undefined
  /** What the last answer says; see {@link saying}. */
  #last: string | undefined
  #wake = (): void => {}
  /** Calls of `next` answer in their order. */
  readonly #turns = new SerialQueue()

  constructor(db: Agidb, answering: Answering<T>, signal: AbortSignal | undefined, ended: () => void) {
    this.#answering = answering
    this.#ended = ended
    this.#signal = signal
    this.#unsubscribe = db.subscribe((change) => {
      if (IGNORED.has(change.kind)) return
      this.#changes &&= joined(this.#changes, change)
      this.#wake()
    })
    signal?.addEventListener('abort', this.#end, { once: true })
    if (signal?.aborted === true) this.#end()
  }

  next(): Promise<IteratorResult<T, undefined>> {
    return this.#turns.run(() => this.#next())
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
      this.#changes = NONE
      let value: T
      try {
        value = await this.#answering(changes)
      } catch (error) {
        const isClosed = error instanceof AgidbError && error.code === 'AGIDB_CLOSED' && changes !== undefined
        if (this.#isEnded || isClosed) return this.return()
        this.#end()
        throw error
      }
      if (this.#isEnded) return { done: true, value: undefined }
      const said = saying(value)
      if (said !== undefined && said === this.#last) continue
      this.#last = said
      return { done: false, value }
    }
  }

  /** Resolves when there is something to work out, or the iteration has ended. */
  async #changed(): Promise<void> {
    while (!this.#isEnded && this.#changes === NONE) await new Promise<void>((resolve) => (this.#wake = resolve))
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

function joined({ first, last }: Changes, { kind, slot }: MemoryChange): Changes {
  return { first: Math.min(first, kind === 'episodeStored' ? slot : -1), last: Math.max(last, slot) }
}

/** What an answer says, as a text; `undefined` where that cannot be told, and so counts as changed. */
function saying(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, sayable) ?? ''
  } catch {
    return undefined
  }
}

/**
 * A part of an answer as JSON can say it, without what two recalls of the same say differently: when it was given, and
 * how long it took. Throws for an object that may hide what it has, as those of most classes.
 */
function sayable(key: string, value: unknown): unknown {
  if (key === 'elapsedMs' || (key === 'id' && typeof value === 'string' && value.startsWith('rc_'))) return undefined
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))) return [String(value)]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if (value instanceof Map || value instanceof Set) return [...value]
  if (ArrayBuffer.isView(value)) return [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)]
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw new TypeError('an object of a class')
  return value
}
