import type { Agidb } from '../../api/agidb.js'
import type { EpisodesOptions, Episode } from '../../api/episode.js'
import { AgidbError } from '../../base/errors.js'

/** Episodes that cross at a time: a page that is long would stop the thread that takes it. */
const EPISODES_PER_MESSAGE = 256

/** A page of episodes, or a part of one. */
export interface PagePart {
  readonly episodes: Episode[]
  /** Whether the page goes on with the next part. */
  readonly goesOn: boolean
}

interface Iteration {
  readonly pages: AsyncIterator<Episode[], void>
  /** What of the last page has not crossed yet. */
  rest: Episode[]
}

/** Iterations that may be under way at once; a loop that runs to its end or is left takes none. */
const MAX_ITERATIONS = 128

/**
 * The iterations over episodes that pages have under way, each by the number of the page's choice. An iteration stays
 * the engine's own: it goes on by place, whatever is removed meanwhile.
 */
export class Iterations {
  /** The one that was left alone longest comes first. */
  readonly #underway = new Map<number, Iteration>()

  /**
   * The first part, or `undefined` when there is none. Over {@link MAX_ITERATIONS} the iteration that was left alone
   * longest ends.
   */
  begin(cursor: number, engine: Agidb, options?: EpisodesOptions): Promise<PagePart | undefined> {
    const [oldest] = this.#underway.keys()
    if (this.#underway.size >= MAX_ITERATIONS) this.end(oldest)
    return this.#advance(cursor, {
      pages: engine.episodes(options)[Symbol.asyncIterator]() as Iteration['pages'],
      rest: [],
    })
  }

  /**
   * The next part, or `undefined` at the end.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND` when the iteration has ended
   */
  async next(cursor: number): Promise<PagePart | undefined> {
    const iteration = this.#underway.get(cursor)
    if (iteration !== undefined) return this.#advance(cursor, iteration)
    const message = `this iteration over episodes was ended, since ${MAX_ITERATIONS} others went on after it; begin it again after the last episode that it gave`
    throw new AgidbError('AGIDB_NOT_FOUND', message, { most: MAX_ITERATIONS })
  }

  end(cursor: number): void {
    void this.#underway.get(cursor)?.pages.return?.()
    this.#underway.delete(cursor)
  }

  endAll(): void {
    for (const cursor of [...this.#underway.keys()]) this.end(cursor)
  }

  async #advance(cursor: number, iteration: Iteration): Promise<PagePart | undefined> {
    this.#underway.delete(cursor)
    this.#underway.set(cursor, iteration)
    if (iteration.rest.length === 0) {
      try {
        const { done, value } = await iteration.pages.next()
        if (!done) iteration.rest = value as Episode[]
      } catch (error) {
        this.end(cursor)
        throw error
      }
    }
    const episodes = iteration.rest.splice(0, EPISODES_PER_MESSAGE)
    if (episodes.length === 0) {
      this.end(cursor)
      return undefined
    }
    return { episodes, goesOn: iteration.rest.length > 0 }
  }
}
