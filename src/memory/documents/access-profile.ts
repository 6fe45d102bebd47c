import type { AccessProfile, RecencyWindow } from '../../api/entry.js'
import { toIso } from '../../api/time.js'
import { tanh } from '../../base/hyperbolic.js'

/** The buckets but the total, finest first, with the time that each covers, milliseconds. */
const BUCKETS = [
  ['hour', 3_600_000],
  ['day', 86_400_000],
  ['week', 604_800_000],
  ['month', 2_592_000_000], // 30 days
  ['year', 31_536_000_000], // 365 days
] as const

/** Accesses by how long ago they were, in memory of a fixed size. Times are epoch milliseconds. */
export interface Accesses {
  /** Finest first, as {@link BUCKETS}. */
  readonly counts: readonly number[]
  readonly total: number
  /** The time for which the counts hold. */
  readonly at: number
  /** Absent: never accessed. */
  readonly last?: number
}

export const NO_ACCESSES: Accesses = { counts: [0, 0, 0, 0, 0], total: 0, at: 0 }

/** Weights of the buckets and of the total, as VecLayer has them. */
const WEIGHTS: Readonly<Record<'balanced' | RecencyWindow, readonly number[]>> = {
  balanced: [8, 4, 2, 1, 0.3, 0.1],
  // VecLayer has no window of an hour and of a year: the first counts what its day counts of the hour, the last all.
  hour: [10, 0.5, 0.1, 0, 0, 0],
  day: [10, 8, 0.5, 0.1, 0, 0],
  week: [6, 5, 4, 0.5, 0.1, 0.05],
  month: [4, 3, 2.5, 2, 0.5, 0.1],
  year: [3, 2.5, 2, 2, 1, 0.1],
}
/** What the weighted sum is divided by before it saturates. */
const SCALE = 10

/**
 * The accesses as of a later time: what a bucket covers no more moves on to the next coarser one, and what is older
 * than the year of the last bucket counts in the total alone. Each access moves at the boundaries of fixed hours, days,
 * weeks, months and years since 1970, so that the answer does not depend on how often it was rolled before.
 */
export function rolled(accesses: Accesses, now: number): Accesses {
  if (now <= accesses.at) return accesses
  const counts = [0, 0, 0, 0, 0]
  accesses.counts.forEach((count, bucket) => {
    if (count === 0) return
    const place = placeAt(bucket, accesses.at, now)
    if (place < BUCKETS.length) counts[place] += count
  })
  return { ...accesses, counts, at: now }
}

/** The accesses with some more at a time. */
export function accessed(accesses: Accesses, now: number, count = 1): Accesses {
  const at = Math.max(now, accesses.at)
  const { counts, total } = rolled(accesses, at)
  return { counts: [counts[0] + count, ...counts.slice(1)], total: total + count, at, last: at }
}

/** How much an entry is used, 0 to 1: the weighted sum of its buckets, saturated. */
export function relevancy({ counts, total }: Accesses, window?: RecencyWindow): number {
  const weights = WEIGHTS[window ?? 'balanced']
  const sum = counts.reduce((all, count, i) => all + count * weights[i], total * weights[5])
  return tanh(sum / SCALE)
}

/** The accesses as an entry tells them. */
export function profileOf({ counts: [hour, day, week, month, year], total, last }: Accesses): AccessProfile {
  return { hour, day, week, month, year, total, ...(last !== undefined && { lastAccess: toIso(last) }) }
}

/** The bucket that what was in a bucket at a time is in later. */
function placeAt(bucket: number, time: number, now: number): number {
  for (let place = bucket, entered = time; ; place++) {
    if (place === BUCKETS.length) return place
    const [, length] = BUCKETS[place]
    const window = Math.floor(entered / length)
    if (Math.floor(now / length) === window) return place
    // It leaves at the end of this window, and is on its way from the moment before.
    entered = (window + 1) * length - 1
  }
}
