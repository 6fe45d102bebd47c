import type { Visibility } from '../indexes/catalog.js'
import type { Indexes } from '../indexes/indexes.js'

/** How many session neighbours are looked at on each side, as evidence. */
export const REACH = 5

/** The session neighbours of a slot, nearest first. */
export interface Neighbours {
  readonly before: readonly number[]
  readonly after: readonly number[]
}

/** Gives the neighbours of a slot; asked twice it answers from memory. */
export type Around = (slot: number) => Neighbours

/**
 * Session neighbours as of the times that are asked about: what was not known or not true then is passed over, as if
 * it were not there. Who spoke does not matter: a question and its answer have two speakers.
 *
 * @param reach how many on each side, at most.
 */
export function neighbours({ catalog, timeline }: Indexes, { validAsOf, transactionAsOf, now }: Visibility, reach = REACH): Around {
  const isVisible = catalog.seeing({ validAsOf, transactionAsOf, now })
  const walk = (from: number, next: (slot: number) => number) => {
    const found: number[] = []
    for (let at = next(from); at >= 0 && found.length < reach; at = next(at)) if (isVisible(at)) found.push(at)
    return found
  }
  const known = new Map<number, Neighbours>()
  return (slot) => {
    let found = known.get(slot)
    if (found === undefined) {
      found = { before: walk(slot, (at) => timeline.previous(at)), after: walk(slot, (at) => timeline.next(at)) }
      known.set(slot, found)
    }
    return found
  }
}
