/** A stretch of time in epoch milliseconds, half-open: `from` belongs to it, `to` does not. */
export interface Interval {
  readonly from: number
  readonly to: number
}

/** A unit of the calendar, in UTC. Weeks begin on Monday (ISO 8601). */
export type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

/** The first and the last time that a Date can hold, ECMA-262. An interval that is open to one side ends there. */
export const EARLIEST = -8.64e15
export const LATEST = 8.64e15

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
const FIXED: Readonly<Partial<Record<Unit, number>>> = { minute: MINUTE, hour: HOUR, day: DAY, week: 7 * DAY }

/** Midnight (UTC) of a day. A month outside 0..11 counts on into other years, a day likewise. */
export function utc(year: number, month: number, day = 1): number {
  // Date.UTC takes the years 0 to 99 for 1900 to 1999.
  return new Date(0).setUTCFullYear(year, month, day)
}

/** When the unit that holds a time begins. */
export function startOf(unit: Unit, time: number): number {
  const date = new Date(time)
  if (unit === 'year') return utc(date.getUTCFullYear(), 0)
  if (unit === 'month') return utc(date.getUTCFullYear(), date.getUTCMonth())
  if (unit === 'week') return startOf('day', time) - weekday(time) * DAY
  return Math.floor(time / FIXED[unit]!) * FIXED[unit]!
}

/** Days since Monday, 0 to 6. */
export function weekday(time: number): number {
  // 1 January 1970 was a Thursday.
  return (((Math.floor(time / DAY) + 3) % 7) + 7) % 7
}

/** A time moved by whole units; 31 January and a month is the last of February. */
export function moved(time: number, unit: Unit, count: number): number {
  if (unit !== 'month' && unit !== 'year') return time + count * FIXED[unit]!
  const date = new Date(time)
  const month = date.getUTCMonth() + count * (unit === 'year' ? 12 : 1)
  const first = utc(date.getUTCFullYear(), month)
  const days = (utc(date.getUTCFullYear(), month + 1) - first) / DAY
  return first + (Math.min(date.getUTCDate(), days) - 1) * DAY + (time - startOf('day', time))
}

/** The whole unit that holds a time, or the one `count` later. */
export function whole(unit: Unit, time: number, count = 0): Interval {
  const from = moved(startOf(unit, time), unit, count)
  return { from, to: moved(from, unit, 1) }
}

/** Whether both ends are times that a Date can hold, in order. */
export function isSound({ from, to }: Interval): boolean {
  return from < to && from >= EARLIEST && to <= LATEST
}
