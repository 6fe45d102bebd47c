import type { EpisodeId, Observation } from '../../api/episode.js'
import { AgidbError } from '../../base/errors.js'

/** Parcels that may be on their way at once, and items of one. A call brings its own, and takes it away. */
const MAX_PARCELS = 128
const MAX_ITEMS = 1 << 20
/** Ids that cross at a time: to read a million at once would stop the page for a tenth of a second. */
const IDS_PER_MESSAGE = 4096

/**
 * Observations on their way, and the ids that answer them: more than cross at once without stopping the page go in
 * parts.
 */
export class Parcels {
  readonly #arrived = new Map<number, Observation[]>()
  /** Ids that have not crossed yet, by the call that they answer. */
  readonly #answers = new Map<number, EpisodeId[]>()

  /** @param items the next part; absent: the parcel will not be asked for. */
  hand(parcel: number, items: readonly Observation[] | undefined): void {
    if (items === undefined) return void this.#arrived.delete(parcel)
    const arrived = this.#arrived.get(parcel)
    if (
      (arrived === undefined && this.#arrived.size === MAX_PARCELS) ||
      (arrived?.length ?? 0) + items.length > MAX_ITEMS
    ) {
      this.#arrived.delete(parcel)
      throw new AgidbError(
        'AGIDB_TOO_LARGE',
        `at most ${MAX_PARCELS} calls with at most ${MAX_ITEMS} items each may be on their way`,
        { parcels: MAX_PARCELS, items: MAX_ITEMS },
      )
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

  /** The first part of the ids that answer a call; the others wait for {@link more}. */
  answer(call: number, ids: EpisodeId[]): EpisodeId[] {
    if (ids.length <= IDS_PER_MESSAGE) return ids
    // Whoever asked is gone, if it leaves so many.
    const [oldest] = this.#answers.keys()
    if (this.#answers.size >= MAX_PARCELS) this.#answers.delete(oldest)
    this.#answers.set(call, ids.slice(IDS_PER_MESSAGE).reverse())
    return ids.slice(0, IDS_PER_MESSAGE)
  }

  /** @throws AgidbError `AGIDB_NOT_FOUND` when there are no more. */
  more(call: number): EpisodeId[] {
    const waiting = this.#answers.get(call)
    if (waiting === undefined) throw new AgidbError('AGIDB_NOT_FOUND', 'there are no more ids of this call', { call })
    if (waiting.length <= IDS_PER_MESSAGE) this.#answers.delete(call)
    return waiting.splice(-IDS_PER_MESSAGE).reverse()
  }
}
