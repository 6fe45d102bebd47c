import { PAGE } from '../../base/pages.js'
import type { Times } from '../../indexes/times.js'

/**
 * The slot with the nearest time on one side of that of a slot, ties by slot; −1 if there is none. Only pages that may
 * have it are looked into: one or two, where memories came in about the order of their times.
 *
 * @param isMeant tells which slots are to choose from.
 */
export function nearestTime(times: Times, slot: number, forward: boolean, isMeant: (slot: number) => boolean): number {
  const time = times.get(slot)
  let best = -1
  let bestTime = forward ? Infinity : -Infinity
  const isBeyond = (at: number, other: number) =>
    at === time ? (forward ? other > slot : other < slot) : at > time === forward
  const isNearer = (at: number) => (forward ? at < bestTime : at > bestTime)
  // In the direction asked for: of equal times the first that is met is the nearest.
  for (const page of pages(times, forward)) {
    const first = times.placeOf(page)
    const [near, far] = forward
      ? [times.earliest(first), times.latest(first)]
      : [times.latest(first), times.earliest(first)]
    if (!isBeyond(far, forward ? page + PAGE - 1 : page) || (best >= 0 && !isNearer(near))) continue
    for (let i = 0; i < PAGE; i++) {
      const other = forward ? page + i : page + PAGE - 1 - i
      const at = times.get(other)
      if (at < Infinity && isNearer(at) && isBeyond(at, other) && isMeant(other)) {
        best = other
        bestTime = at
      }
    }
  }
  return best
}

/** The first slots of the pages that have times. */
function pages(times: Times, ascending: boolean): number[] {
  const found: number[] = []
  for (const [from, end] of times.stretches()) for (let page = from; page < end; page += PAGE) found.push(page)
  return ascending ? found : found.reverse()
}
