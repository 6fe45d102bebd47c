import type { Visibility } from '../indexes/catalog.js'
import type { Indexes } from '../indexes/indexes.js'

/** How many session neighbours are looked at on each side, as evidence. */
export const REACH = 5

/** Gives the session neighbours of a slot, nearest first, so many at most on that side. */
export interface Around {
  readonly before: (slot: number, most: number) => number[]
  readonly after: (slot: number, most: number) => number[]
}

/**
 * Session neighbours as of the times that are asked about: what was not known or not true then is passed over, as if
 * it were not there. Who spoke does not matter: a question and its answer have two speakers.
 */
export function neighbours({ catalog, timeline }: Indexes, { validAsOf, transactionAsOf, now }: Visibility): Around {
  const isVisible = catalog.seeing({ validAsOf, transactionAsOf, now })
  return {
    before(slot, most) {
      const found: number[] = []
      for (let at = timeline.previous(slot); at >= 0 && found.length < most; at = timeline.previous(at)) if (isVisible(at)) found.push(at)
      return found
    },
    after(slot, most) {
      const found: number[] = []
      for (let at = timeline.next(slot); at >= 0 && found.length < most; at = timeline.next(at)) if (isVisible(at)) found.push(at)
      return found
    },
  }
}
