import { SerialQueue } from '../../base/serial-queue.js'
import type { Episode } from '../../api/episode.js'
import type { Database } from '../../api/scope.js'
import { filterOf, isOfKind, type MemoryQuery, type Row, rowOf } from './query.js'

/** Episodes that are read at once: few enough to be taken over from the worker well within a frame. */
const PAGE = 100

/** The memories that a query lets pass, newest first, read as far as they are needed. */
export class Pages {
  readonly #db: Pick<Database, 'episodes' | 'count'>
  readonly #query: MemoryQuery
  readonly #rows: Row[] = []
  #reading: AsyncIterator<Episode[]>
  #counted: number | undefined
  #isDone = false
  readonly #turns = new SerialQueue()

  constructor(db: Pick<Database, 'episodes' | 'count'>, query: MemoryQuery) {
    this.#db = db
    this.#query = query
    this.#reading = db.episodes({ order: 'newest', limit: PAGE, filter: filterOf(query) })[Symbol.asyncIterator]()
  }

  /** Those that were read. */
  get rows(): readonly Row[] {
    return this.#rows
  }

  /** Whether all were read. */
  get isDone(): boolean {
    return this.#isDone
  }

  /** How many there are; of a kind, which is only known of those that were read, `undefined` until all were. */
  get total(): number | undefined {
    return this.#isDone ? this.#rows.length : this.#counted
  }

  /** Reads until there are so many, or all. */
  async more(many: number): Promise<void> {
    return this.#turns.run(() => this.#more(many))
  }

  async #more(many: number): Promise<void> {
    const { kind } = this.#query
    if (kind === '' && this.#counted === undefined) this.#counted = await this.#db.count(filterOf(this.#query))
    while (!this.#isDone && this.#rows.length < many) {
      const { done, value } = await this.#reading.next()
      if (done === true) this.#isDone = true
      else this.#rows.push(...value.filter((episode) => isOfKind(episode, kind)).map(rowOf))
    }
    if (this.#counted !== undefined && this.#rows.length >= this.#counted) this.#isDone = true
  }

  /**
   * Reads those that came since, and puts them before the others.
   *
   * @returns how many; `undefined` where more changed than that, so that all is to be read again
   */
  async latest(): Promise<number | undefined> {
    await this.#turns.run(() => {})
    if (this.#counted === undefined) return undefined
    const filter = filterOf(this.#query)
    const known = this.#rows[0]?.id
    const came: Row[] = []
    reading: for await (const page of this.#db.episodes({ order: 'newest', limit: PAGE, filter }))
      for (const episode of page) {
        if (episode.id === known) break reading
        came.push(rowOf(episode))
      }
    const counted = await this.#db.count(filter)
    if (counted !== this.#counted + came.length) return undefined // some came back in the midst
    this.#rows.unshift(...came)
    this.#counted = counted
    return came.length
  }

  /** Ends the reading. */
  async close(): Promise<void> {
    this.#isDone = true
    await this.#reading.return?.()
  }
}
