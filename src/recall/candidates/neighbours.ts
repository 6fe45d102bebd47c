import type { Visibility } from '../../indexes/visibility.js'
import type { Indexes } from '../../indexes/indexes.js'

/** How many session neighbours are looked at on each side, as evidence, of the few that are ranked. */
export const REACH = 3
/** Of all candidates: so far the fusion looks. */
export const FUSED_REACH = 2

/** The nearest session neighbour of a slot on either side, or −1. */
export interface NeighbourScores {
  readonly previous: (slot: number) => number
  readonly next: (slot: number) => number
}

/**
 * Session neighbours as of the times that are asked about: what was not known or not true then is passed over, as if
 * it were not there. Who spoke does not matter: a question and its answer have two speakers.
 */
export function neighbours(
  { catalog, timeline }: Indexes,
  { validAsOf, transactionAsOf, now }: Visibility,
): NeighbourScores {
  const isVisible = catalog.seeing({ validAsOf, transactionAsOf, now })
  return {
    previous(slot) {
      let at = timeline.previous(slot)
      while (at >= 0 && !isVisible(at)) at = timeline.previous(at)
      return at
    },
    next(slot) {
      let at = timeline.next(slot)
      while (at >= 0 && !isVisible(at)) at = timeline.next(at)
      return at
    },
  }
}

/** What lies on one side of a slot, the nearest first, so many at most. */
export function inLine(slot: number, step: NeighbourScores['next'], most: number): number[] {
  const found: number[] = []
  for (let at = step(slot); at >= 0 && found.length < most; at = step(at)) found.push(at)
  return found
}
