import { AgidbError } from '../../base/errors.js'

/** Items that cross in one message: cloning an observation takes a few microseconds. */
export const ITEMS_PER_MESSAGE = 256

/** The items of a batch in parts, since cloning all of them at once would block the sending thread. */
export function* partsOf<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += ITEMS_PER_MESSAGE) yield items.slice(at, at + ITEMS_PER_MESSAGE)
}

/** What may be on its way to an engine at once. */
export interface ArrivalLimits {
  /** Calls whose items have begun to arrive. */
  readonly calls: number
  /** Items of one call. */
  readonly items: number
}

/** The items of calls that arrive in parts, each by the number of the call that will take them. */
export class ArrivingItems {
  readonly #arrived = new Map<number, unknown[]>()
  readonly #limits: ArrivalLimits

  /** @param limits default: none, for a sender whose own calls were limited already. */
  constructor(limits: ArrivalLimits = { calls: Infinity, items: Infinity }) {
    this.#limits = limits
  }

  /** @throws AgidbError `AGIDB_TOO_LARGE` over a limit; the items that arrived for this call are then dropped. */
  add(call: number, items: readonly unknown[]): void {
    const arrived = this.#arrived.get(call)
    const { calls, items: most } = this.#limits
    if ((arrived === undefined && this.#arrived.size >= calls) || (arrived?.length ?? 0) + items.length > most) {
      this.#arrived.delete(call)
      throw new AgidbError(
        'AGIDB_TOO_LARGE',
        `at most ${calls} calls with at most ${most} items each may be on their way`,
        { calls, items: most },
      )
    }
    if (arrived === undefined) this.#arrived.set(call, [...items])
    else for (const item of items) arrived.push(item)
  }

  /** All items of a call, which are then forgotten; `undefined` when none arrived. */
  take(call: number): unknown[] | undefined {
    const arrived = this.#arrived.get(call)
    this.#arrived.delete(call)
    return arrived
  }
}
