import type { Hits } from './port.js'
import { TopK } from './reference/top-k.js'

/**
 * The `k` best of several scans of parts of one collection: what one scan of all of it would have found, ties too, if
 * each part was asked for its own `k` best or more. The parts have no slot in common; where each counts its slots from
 * 0, they are to be turned into those of the whole before.
 */
export function mergeHits(parts: readonly Hits[], k: number): Hits {
  const best = new TopK(k)
  for (const { slots, scores } of parts) slots.forEach((slot, i) => best.offer(slot, scores[i]))
  return best.hits()
}
