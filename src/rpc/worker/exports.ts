import { AgidbError } from '../../base/errors.js'

type Reader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>

/**
 * The exports that a page is reading, each by the number of the page's choice. How many there can be is for the engine
 * to say.
 */
export class Exports {
  readonly #underway = new Map<number, Reader>()

  begin(cursor: number, stream: ReadableStream<Uint8Array>): void {
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

  async end(cursor: number): Promise<void> {
    const reader = this.#underway.get(cursor)
    this.#underway.delete(cursor)
    await reader?.cancel().catch(() => {})
  }
}
