import { AgidbError } from '../../base/errors.js'

type Reader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>

/**
 * The streams of bytes that a client is reading, each by a number that the client chose. Bytes cross when they are
 * asked for. How many there may be is for the engine to say.
 */
export class ByteReaders {
  readonly #underway = new Map<number, Reader>()

  open(cursor: number, stream: ReadableStream<Uint8Array>): void {
    this.#underway.set(cursor, stream.getReader())
  }

  /**
   * The next bytes, or `undefined` at the end.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND` when there is no such export, or it has ended
   */
  async next(cursor: number): Promise<Uint8Array | undefined> {
    const reader = this.#underway.get(cursor)
    if (reader === undefined) throw new AgidbError('AGIDB_NOT_FOUND', 'this export is not under way; begin another')
    try {
      const { done, value } = await reader.read()
      if (!done) return value
    } catch (error) {
      this.#underway.delete(cursor)
      throw error
    }
    this.#underway.delete(cursor)
    return undefined
  }

  /** Ends a stream that is not wanted to its end. Does nothing when it has ended. */
  async close(cursor: number): Promise<void> {
    const reader = this.#underway.get(cursor)
    this.#underway.delete(cursor)
    await reader?.cancel().catch(() => {})
  }
}
