import { invalid } from '../../api/check.js'
import { fromWire, type WireError } from '../../base/errors.js'

/** Bytes on their way from a client to a call that reads them, one piece after the other. */
class ByteFeed {
  #piece:
    | { readonly bytes: Uint8Array | undefined; readonly error?: WireError; readonly taken: (wanted: boolean) => void }
    | undefined
  #wake: (() => void) | undefined
  #ended = false

  /** Resolves when the piece was taken: to false when no more are wanted. */
  send(bytes: Uint8Array | undefined, error?: WireError): Promise<boolean> {
    if (this.#ended || this.#piece !== undefined) return Promise.resolve(false)
    return new Promise((taken) => {
      this.#piece = { bytes, error, taken }
      this.#wake?.()
    })
  }

  async *pieces(): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (this.#piece === undefined) await new Promise<void>((resolve) => (this.#wake = resolve))
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
    this.#wake?.()
  }
}

/** The bytes that calls under way read, each feed by a number that the client chose. */
export class ByteFeeds {
  readonly #underway = new Map<unknown, ByteFeed>()

  /** @throws AgidbError `AGIDB_INVALID_ARGUMENT` for what is no number, or one that is taken. */
  open(feed: unknown): AsyncIterable<Uint8Array> {
    if (typeof feed !== 'number' || this.#underway.has(feed))
      throw invalid('an import names its feed by a number of its own', { what: 'feed' })
    const opened = new ByteFeed()
    this.#underway.set(feed, opened)
    return opened.pieces()
  }

  /** Whether the bytes were taken and more are wanted. */
  async send(feed: number, bytes: Uint8Array | undefined, error?: WireError): Promise<boolean> {
    if (bytes !== undefined && !(bytes instanceof Uint8Array)) throw invalid('a feed takes bytes', { what: 'bytes' })
    return this.#underway.get(feed)?.send(bytes, error) ?? false
  }

  /** The call that reads the feed has ended. */
  end(feed: unknown): void {
    this.#underway.get(feed)?.end()
    this.#underway.delete(feed)
  }
}
