import { invalid } from '../../api/check.js'
import type { Filter } from '../../api/filter.js'

/** The member of the metadata that holds the last day on which a memory is found. */
export const EXPIRATION = 'expiration_date'

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT` unless it is a day that there is, as `YYYY-MM-DD` */
export function checkedDay(day: unknown): string {
  const time = typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  // A day that there is not, such as February 30, is either no time or the time of another day.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day)
    throw invalid(`expirationDate is ${JSON.stringify(day)}; expected a day such as 2027-01-31`, {
      what: 'expirationDate',
    })
  return day as string
}

/** The filter of memories whose last day is not before today. */
export function unexpired(now: number): Filter {
  return { not: { metadata: { [EXPIRATION]: { lt: new Date(now).toISOString().slice(0, 10) } } } }
}
