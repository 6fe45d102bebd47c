import { AgidbError } from '../../base/errors.js'

/** Items of a page that cross in one message: a long page would block the thread that receives it. */
const ITEMS_PER_MESSAGE = 256

/** A page, or a part of one. */
export interface PagePart {
  readonly items: unknown[]
  /** Whether the page goes on with the next part. */
  readonly goesOn: boolean
}

interface Cursor {
  readonly pages: AsyncIterator<unknown[], void>
  /** The items of the last page that have not crossed yet. */
  left: unknown[]
}

/** Iterations that may be under way at once; a loop that runs to its end or is left takes none. */
const MAX_CURSORS = 128

/**
 * The iterations over pages that a client has under way, each by a number that the client chose. An iteration stays the
 * engine's own: it goes on from its place, whatever is removed meanwhile.
 */
export class PageCursors {
  /** The one that was left alone longest comes first. */
  readonly #underway = new Map<number, Cursor>()

  /**
   * The first part, or `undefined` when there is none. Over {@link MAX_CURSORS} the iteration that was left alone
   * longest ends.
   */
  open(cursor: number, pages: AsyncIterable<unknown[]>): Promise<PagePart | undefined> {
    const [oldest] = this.#underway.keys()
    if (this.#underway.size >= MAX_CURSORS) this.close(oldest)
    return this.#advance(cursor, { pages: pages[Symbol.asyncIterator]() as Cursor['pages'], left: [] })
  }

  /**
   * The next part, or `undefined` at the end.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND` when the iteration has ended
   */
  async next(cursor: number): Promise<PagePart | undefined> {
    const open = this.#underway.get(cursor)
    if (open !== undefined) return this.#advance(cursor, open)
    const message =
      `this iteration over episodes was ended, since ${MAX_CURSORS} others went on after it; ` +
      'begin it again after the last episode that it gave'
    throw new AgidbError('AGIDB_NOT_FOUND', message, { most: MAX_CURSORS })
  }

  /** Ends an iteration. Does nothing when it has ended. */
  close(cursor: number): void {
    void this.#underway.get(cursor)?.pages.return?.()
    this.#underway.delete(cursor)
  }

  closeAll(): void {
    for (const cursor of [...this.#underway.keys()]) this.close(cursor)
  }

  async #advance(cursor: number, open: Cursor): Promise<PagePart | undefined> {
    this.#underway.delete(cursor)
    this.#underway.set(cursor, open)
    if (open.left.length === 0) {
      try {
        const { done, value } = await open.pages.next()
        if (!done) open.left = value as unknown[]
      } catch (error) {
        this.close(cursor)
        throw error
      }
    }
    const items = open.left.splice(0, ITEMS_PER_MESSAGE)
    if (items.length === 0) {
      this.close(cursor)
      return undefined
    }
    return { items, goesOn: open.left.length > 0 }
  }
}
