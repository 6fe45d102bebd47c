import { AgidbError } from '../base/errors.js'

/** Statuses of a server that does not take something in the request. */
const NOT_TAKEN = [400, 422, 501]

/** Ways to ask for the same, the best first. Remembers the first way that a server takes. */
export class Fallback<Way> {
  readonly #ways: readonly Way[]
  #taken = 0

  constructor(ways: readonly Way[]) {
    this.#ways = ways
  }

  /** Asks in each way from the last that was taken on. @throws what the last way throws */
  async ask<T>(how: (way: Way) => Promise<T>): Promise<T> {
    for (let way = this.#taken; ; way++) {
      try {
        const answer = await how(this.#ways[way])
        this.#taken = Math.max(this.#taken, way)
        return answer
      } catch (error) {
        if (way === this.#ways.length - 1 || !isNotTaken(error)) throw error
      }
    }
  }
}

function isNotTaken(error: unknown): boolean {
  return error instanceof AgidbError && NOT_TAKEN.includes(error.details['status'] as number)
}
