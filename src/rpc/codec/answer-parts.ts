import { AgidbError } from '../../base/errors.js'

/** Ids that cross in one message: to read a million at once would block the page for a tenth of a second. */
const IDS_PER_MESSAGE = 4096
/** Answers whose last part was not asked for; over that the oldest is dropped, since its caller is gone. */
const MAX_ANSWERS = 128

/** Long answers on their way to a client, part by part, each by the number of its call. */
export class AnswerParts {
  /** Ids that have not crossed yet, the next ones last. */
  readonly #waiting = new Map<number, unknown[]>()

  /** The first part of an answer; the others wait for {@link next}. */
  first<T>(call: number, answer: T[]): T[] {
    if (answer.length <= IDS_PER_MESSAGE) return answer
    const [oldest] = this.#waiting.keys()
    if (this.#waiting.size >= MAX_ANSWERS) this.#waiting.delete(oldest)
    this.#waiting.set(call, answer.slice(IDS_PER_MESSAGE).reverse())
    return answer.slice(0, IDS_PER_MESSAGE)
  }

  /** @throws AgidbError `AGIDB_NOT_FOUND` when the answer has no more parts. */
  next(call: number): unknown[] {
    const waiting = this.#waiting.get(call)
    if (waiting === undefined) throw new AgidbError('AGIDB_NOT_FOUND', 'there are no more ids of this call', { call })
    if (waiting.length <= IDS_PER_MESSAGE) this.#waiting.delete(call)
    return waiting.splice(-IDS_PER_MESSAGE).reverse()
  }
}
