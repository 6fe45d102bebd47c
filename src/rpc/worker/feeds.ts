import { invalid } from '../../api/check.js'
import { fromWire, type WireError } from '../../base/errors.js'

/** Bytes on their way from a page to an import, each piece handed over when the one before it was taken. */
class Feed {
  #piece:
    | { readonly bytes: Uint8Array | undefined; readonly error?: WireError; readonly taken: (wanted: boolean) => void }
    | undefined
  #wanting: (() => void) | undefined
  #ended = false

  hand(bytes: Uint8Array | undefined, error?: WireError): Promise<boolean> {
    if (this.#ended || this.#piece !== undefined) return Promise.resolve(false)
    return new Promise((taken) => {
      this.#piece = { bytes, error, taken }
      this.#wanting?.()
    })
  }

  async *pieces(): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (this.#piece === undefined) await new Promise<void>((resolve) => (this.#wanting = resolve))
      const piece = this.#piece
      if (piece === undefined) return
      this.#piece = undefined
      piece.taken(true)
      if (piece.error !== undefined) throw fromWire(piece.error)
      if (piece.bytes === undefined) return
      yield piece.bytes
    }
  }

  /** No more are wanted. */
  end(): void {
    this.#ended = true
    this.#piece?.taken(false)
    this.#piece = undefined
    this.#wanting?.()
  }
}

/** The feeds of imports that are under way, each by the number of the page's choice. */
export class Feeds {
  readonly #underway = new Map<unknown, Feed>()

  /** @throws AgidbError `AGIDB_INVALID_ARGUMENT` for what is no number, or one that is taken. */
  open(feed: unknown): AsyncIterable<Uint8Array> {
    if (typeof feed !== 'number' || this.#underway.has(feed))
      throw invalid('an import names its feed by a number of its own', { what: 'feed' })
    const opened = new Feed()
    this.#underway.set(feed, opened)
    return opened.pieces()
  }

  /** Whether the bytes were taken and more are wanted. */
  async hand(feed: number, bytes: Uint8Array | undefined, error?: WireError): Promise<boolean> {
    if (bytes !== undefined && !(bytes instanceof Uint8Array)) throw invalid('a feed takes bytes', { what: 'bytes' })
    return this.#underway.get(feed)?.hand(bytes, error) ?? false
  }

  end(feed: unknown): void {
    this.#underway.get(feed)?.end()
    this.#underway.delete(feed)
  }
}
