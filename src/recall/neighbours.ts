import type { Visibility } from '../indexes/catalog.js'
import type { Indexes } from '../indexes/indexes.js'

/** Two before, one before, one after and two after an episode in its session; −1 where there is none. */
export type Around = (slot: number) => readonly [number, number, number, number]

/**
 * Session neighbours as of the times that are asked about: what was not known or not true then is passed over, as if
 * it were not there. Who spoke does not matter: a question and its answer have two speakers.
 */
export function neighbours({ catalog, timeline }: Indexes, { validAsOf, transactionAsOf, now }: Visibility): Around {
  const times = { validAsOf, transactionAsOf, now }
  const step = (slot: number, next: (slot: number) => number) => {
    let at = slot < 0 ? slot : next(slot)
    while (at >= 0 && !catalog.visible(at, times)) at = next(at)
    return at
  }
  const before = (slot: number) => step(slot, (slot) => timeline.previous(slot))
  const after = (slot: number) => step(slot, (slot) => timeline.next(slot))
  return (slot) => {
    const first = before(slot)
    const last = after(slot)
    return [before(first), first, last, after(last)]
  }
}
