import type { Filter } from '../../api/filter.js'
import type { Database } from '../../api/scope.js'

const DAY = 86_400_000
/** The days between which memories are looked for: those of the years 1 to 9998. */
const FIRST = Math.floor(Date.parse('0001-01-01') / DAY)
const LAST = Math.ceil(Date.UTC(9998, 0, 1) / DAY)

/** How many memories began in each of some stretches of equal length. */
export interface Density {
  /** Epoch milliseconds: the beginning of the first stretch, and the end of the last. */
  readonly from: number
  readonly to: number
  readonly counts: readonly number[]
}

/**
 * Counts memories by when they began. The ends are found by bisection over days, since only counts are asked for: no
 * memory is read.
 *
 * @returns `undefined` where there are none
 */
export async function density(
  { count }: Pick<Database, 'count'>,
  filter: Filter | undefined,
  bins: number,
): Promise<Density | undefined> {
  const within = (at: Filter['at']) => count(filter === undefined ? { at } : { and: [filter, { at }] })
  if ((await count(filter)) === 0) return undefined
  const first = await bisect(FIRST, LAST, async (day) => (await within({ to: new Date((day + 1) * DAY) })) > 0)
  const last = await bisect(first, LAST, async (day) => (await within({ from: new Date((day + 1) * DAY) })) === 0)
  const from = first * DAY
  const to = (last + 1) * DAY
  const edge = (i: number) => new Date(Math.round(from + ((to - from) * i) / bins))
  const counts = await Promise.all(Array.from({ length: bins }, (_, i) => within({ from: edge(i), to: edge(i + 1) })))
  return { from, to, counts }
}

/** The first number for which something holds, where it holds from some number on. */
async function bisect(low: number, high: number, holds: (at: number) => Promise<boolean>): Promise<number> {
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (await holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
