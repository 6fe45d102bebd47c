import { loadOnce } from '../base/load-once.js'
import type { Agidb } from './agidb.js'
import type { LiveOptions, LiveQuery } from './live.js'

/** Loaded with the first query: few pages have any. */
const module = loadOnce(() => import('./live-query.js'))

/** Makes the live queries of a memory, and ends them when it is closed. */
export class LiveQueries {
  readonly #db: Agidb
  readonly #running = new Set<LateQuery>()

  constructor(db: Agidb) {
    this.#db = db
  }

  /** {@link LiveMethods.live} */
  live(what: unknown, options: LiveOptions = {}): LiveQuery<unknown> {
    const query: LateQuery = new LateQuery(async () => {
      this.#running.add(query)
      const ended = (): void => void this.#running.delete(query)
      try {
        return (await module()).begin(this.#db, what, options, ended)
      } catch (error) {
        ended()
        throw error
      }
    })
    return query
  }

  /** Ends all of them. */
  end(): void {
    for (const query of this.#running) void query.return()
    this.#running.clear()
  }
}

/** A live query that begins when it is first asked. */
class LateQuery implements LiveQuery<unknown> {
  readonly #begin: () => Promise<LiveQuery<unknown>>
  #begun: Promise<LiveQuery<unknown>> | undefined
  #isEnded = false

  constructor(begin: () => Promise<LiveQuery<unknown>>) {
    this.#begin = begin
  }

  async next(): Promise<IteratorResult<unknown, undefined>> {
    if (this.#isEnded) return OVER
    let query: LiveQuery<unknown>
    try {
      query = await (this.#begun ??= this.#begin())
    } catch (error) {
      if (this.#isEnded) return OVER // as when the memory was closed before the query began
      this.#isEnded = true
      throw error
    }
    if (this.#isEnded) await query.return()
    return query.next()
  }

  async return(): Promise<IteratorResult<unknown, undefined>> {
    this.#isEnded = true
    await (await this.#begun?.catch(() => undefined))?.return()
    return OVER
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

const OVER: IteratorResult<never, undefined> = { done: true, value: undefined }
