import type { Observation } from '../core/episode.js'
import { AgidbError } from '../core/errors.js'

/** Parcels that may be on their way at once, and items of one. A call brings its own, and takes it away. */
const MOST = 128
const MOST_ITEMS = 1 << 20

/** Observations on their way: more than cross at once without stopping the page arrive in parts. */
export class Parcels {
  readonly #arrived = new Map<number, Observation[]>()

  /** @param items the next part; absent: the parcel will not be asked for. */
  hand(parcel: number, items: readonly Observation[] | undefined): void {
    if (items === undefined) return void this.#arrived.delete(parcel)
    const arrived = this.#arrived.get(parcel)
    if ((arrived === undefined && this.#arrived.size === MOST) || (arrived?.length ?? 0) + items.length > MOST_ITEMS) {
      this.#arrived.delete(parcel)
      throw new AgidbError('AGIDB_TOO_LARGE', `at most ${MOST} calls with at most ${MOST_ITEMS} items each may be on their way`, { parcels: MOST, items: MOST_ITEMS })
    }
    if (arrived === undefined) this.#arrived.set(parcel, [...items])
    else for (const item of items) arrived.push(item)
  }

  /** All parts of a parcel, which is then gone; whatever is no parcel as it is. */
  open(items: unknown): unknown {
    const arrived = this.#arrived.get(items as number)
    if (arrived === undefined) return items
    this.#arrived.delete(items as number)
    return arrived
  }
}
