import { AgidbError } from '../base/errors.js'
import { checkKeys } from './check.js'
import type { TimeInput, TimeRange } from './episode.js'

const ISO = /^([+-]\d{6}|\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i

/** Length of a time such as 2026-05-01T19:00:00.000Z. */
const CANONICAL = 24

/** 1980-01-01T00:00:00Z. Epoch seconds of today, taken for milliseconds, are days in January 1970. */
const EARLIEST_NUMBER = 315_532_800_000

/** Beyond ±8.64e15 ms (±100,000,000 days) no Date exists, ECMA-262. */
const FURTHEST = 8.64e15

/**
 * Epoch milliseconds of a time. A string is ISO 8601 (`2026-05-01`, `2026-05-01T19:00:00+02:00`);
 * without a zone it is UTC, so that it means the same on every machine. A number before 1980 is refused, since it is
 * most often epoch seconds: an earlier time is given as a `Date` or a string. 0, the epoch itself, is taken.
 *
 * @throws AgidbError `AGIDB_INVALID_TIME` naming `what`.
 */
export function toMillis(time: TimeInput, what: string): number {
  const millis = time instanceof Date ? time.getTime() : typeof time === 'number' ? time : parseIso(time)
  if (!(Math.abs(millis) <= FURTHEST)) throw invalidTime(time, what)
  if (typeof time === 'number' && time !== 0 && time < EARLIEST_NUMBER) throw earlyNumber(time, what)
  return Math.trunc(millis)
}

/**
 * Whole epoch milliseconds of a clock, which may stand at any time.
 *
 * @throws AgidbError `AGIDB_INVALID_TIME` when it gives no number that a `Date` can hold.
 */
export function clockMillis(millis: number): number {
  if (typeof millis !== 'number' || !(Math.abs(millis) <= FURTHEST)) throw invalidTime(millis, 'the time of the clock')
  return Math.trunc(millis)
}

/**
 * Refuses an end of a stretch of time that is not after its start, both in epoch milliseconds.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` naming both.
 */
export function expectAfter(what: string, end: number, startWhat: string, start: number): void {
  if (end > start) return
  const message = `${what} is ${toIso(end)}, which is not after ${startWhat}, ${toIso(start)}; expected a later time`
  throw new AgidbError('AGIDB_INVALID_ARGUMENT', message, { what, received: toIso(end), after: toIso(start) })
}

/** A stretch of time in epoch milliseconds, from `from` on and before `to`; an open side is infinite. */
export interface Span {
  readonly from: number
  readonly to: number
}

/**
 * A range of time as the caller gives it; `undefined` stays so.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` or `AGIDB_UNKNOWN_OPTION` if it is no `{ from?, to? }`, or `to` is not
 * after `from`; `AGIDB_INVALID_TIME` if one of them is no time.
 */
export function toSpan(range: TimeRange | undefined, what: string): Span | undefined {
  if (range === undefined) return undefined
  checkKeys(what, range, ['from', 'to'])
  const from = range.from === undefined ? -Infinity : toMillis(range.from, `${what}.from`)
  const to = range.to === undefined ? Infinity : toMillis(range.to, `${what}.to`)
  if (range.from !== undefined && range.to !== undefined) expectAfter(`${what}.to`, to, `${what}.from`, from)
  return { from, to }
}

let lastIso = { millis: NaN, iso: '' }

/** ISO 8601 in UTC, as all times come out. */
export function toIso(millis: number): string {
  // Many are recorded in the same millisecond.
  if (lastIso.millis !== millis) lastIso = { millis, iso: new Date(millis).toISOString() }
  return lastIso.iso
}

function parseIso(text: unknown): number {
  if (typeof text !== 'string') return NaN
  if (text.length === CANONICAL) {
    // As all times come out, which is most often how they come in.
    const millis = Date.parse(text)
    if (Math.abs(millis) <= FURTHEST && toIso(millis) === text) return millis
  }
  const parts = ISO.exec(text.trim())
  if (parts === null) return NaN
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone] = parts
  // Date.parse lets 30 February roll over into March; a slip like that must not become a wrong date.
  if (Number(day) < 1 || Number(second) > 59) return NaN
  if (Number(day) > 28 && Number(day) > new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate())
    return NaN
  const fraction = /[.,](\d+)/.exec(text)?.[1] ?? '0'
  const offset = zone === undefined || zone.length === 1 ? 'Z' : zone.replace(/^(...):?(..)$/, '$1:$2')
  return Date.parse(
    `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}${offset.toUpperCase()}`,
  )
}

function invalidTime(time: unknown, what: string): AgidbError {
  const shown = shownTime(time)
  return new AgidbError(
    'AGIDB_INVALID_TIME',
    `${what} is ${shown}; expected a valid Date, an ISO 8601 string such as "2026-05-01T19:00:00Z", ` +
      'or epoch milliseconds',
    { what, received: shown },
  )
}

/** Says what the number means as milliseconds, and as the seconds that it probably is. */
function earlyNumber(time: number, what: string): AgidbError {
  const seconds = Math.abs(time * 1000) <= FURTHEST ? `: multiply seconds (${toIso(time * 1000)}) by 1,000` : ''
  const message =
    `${what} is the number ${time}, which as epoch milliseconds is ${toIso(Math.trunc(time))}${seconds}; ` +
    'give a time before 1980 as a Date or an ISO 8601 string'
  return new AgidbError('AGIDB_INVALID_TIME', message, { what, received: time })
}

function shownTime(time: unknown): string {
  if (time instanceof Date) return 'an invalid Date'
  if (typeof time === 'string') return JSON.stringify(time.slice(0, 60))
  // Not every object can be made a string.
  return typeof time === 'object' && time !== null
    ? 'an object'
    : typeof time === 'function'
      ? 'a function'
      : String(time)
}
