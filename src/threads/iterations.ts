import type { Agidb, EpisodesOptions } from '../core/agidb.js'
import type { Episode } from '../core/episode.js'
import { AgidbError } from '../core/errors.js'

type Pages = AsyncIterator<Episode[], void>

/** Iterations that may be under way at once; a loop that runs to its end or is left takes none. */
const MOST = 128

/**
 * The iterations over episodes that pages have under way, each by the number of the page's choice. An iteration stays
 * the engine's own: it goes on by place, whatever is removed meanwhile.
 */
export class Iterations {
  /** The one that was left alone longest comes first. */
  readonly #underway = new Map<number, Pages>()

  /** The first page, or `undefined` when there is none. Over {@link MOST} the iteration that was left alone longest ends. */
  begin(cursor: number, engine: Agidb, options?: EpisodesOptions): Promise<Episode[] | undefined> {
    const [oldest] = this.#underway.keys()
    if (this.#underway.size >= MOST) this.end(oldest)
    return this.#advance(cursor, engine.episodes(options)[Symbol.asyncIterator]() as Pages)
  }

  /**
   * The next page, or `undefined` at the end.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND` when the iteration has ended
   */
  async next(cursor: number): Promise<Episode[] | undefined> {
    const pages = this.#underway.get(cursor)
    if (pages !== undefined) return this.#advance(cursor, pages)
    const message = `this iteration over episodes was ended, since ${MOST} others went on after it; begin it again after the last episode that it gave`
    throw new AgidbError('AGIDB_NOT_FOUND', message, { most: MOST })
  }

  end(cursor: number): void {
    void this.#underway.get(cursor)?.return?.()
    this.#underway.delete(cursor)
  }

  endAll(): void {
    for (const cursor of [...this.#underway.keys()]) this.end(cursor)
  }

  async #advance(cursor: number, pages: Pages): Promise<Episode[] | undefined> {
    this.#underway.delete(cursor)
    this.#underway.set(cursor, pages)
    try {
      const { done, value } = await pages.next()
      if (!done) return value as Episode[]
    } catch (error) {
      this.end(cursor)
      throw error
    }
    this.end(cursor)
    return undefined
  }
}
