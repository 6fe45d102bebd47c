import { invalid } from '../../api/check.js'
import { isSame } from '../same-json.js'

/** By what a list is ordered. */
export interface Order {
  readonly field?: 'createdAt' | 'updatedAt'
  readonly direction?: 'ASC' | 'DESC'
}

/** Which part of a list is wanted: pages are counted from 0, and `false` is one page of all. */
export interface Page {
  readonly page?: number
  readonly perPage?: number | false
}

/** A stretch of time. */
export interface DateRange {
  readonly start?: Date
  readonly end?: Date
  readonly startExclusive?: boolean
  readonly endExclusive?: boolean
}

/** What is said of a page. */
export interface PageInfo {
  readonly total: number
  readonly page: number
  readonly perPage: number | false
  readonly hasMore: boolean
}

/** Items in an order. Those of one moment stay in the order in which they come. */
export function ordered<T extends { readonly createdAt: Date; readonly updatedAt?: Date }>(
  items: readonly T[],
  { field = 'createdAt', direction }: Order,
): T[] {
  const sign = direction === 'DESC' ? -1 : 1
  const timeOf = (item: T) => (item[field] ?? item.createdAt).getTime()
  return [...items].sort((a, b) => sign * (timeOf(a) - timeOf(b)))
}

/**
 * A page of a list.
 *
 * @param usual how many items a page has where nobody says so
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for a page that cannot be
 */
export function paged<T>(items: readonly T[], { page = 0, perPage }: Page, usual: number): PageInfo & { items: T[] } {
  const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0
  if (!isCount(page)) throw invalid('page must be a whole number from 0 on', { what: 'page' })
  if (perPage === false) {
    if (page !== 0) throw invalid('page must be 0 where perPage is false', { what: 'page' })
    return { items: [...items], total: items.length, page, perPage, hasMore: false }
  }
  const size = perPage ?? usual
  if (!isCount(size)) throw invalid('perPage must be a whole number from 0 on, or false', { what: 'perPage' })
  const from = page * size
  const some = items.slice(from, from + size)
  return { items: some, total: items.length, page, perPage: size, hasMore: size > 0 && from + size < items.length }
}

/** Whether a moment is in a range. */
export function isWithin(at: Date, { start, end, startExclusive, endExclusive }: DateRange = {}): boolean {
  const isAfter = start === undefined || (startExclusive === true ? at > start : at >= start)
  return isAfter && (end === undefined || (endExclusive === true ? at < end : at <= end))
}

/** Whether metadata has all members of a filter. */
export function fits(metadata: Readonly<Record<string, unknown>> | undefined, filter: object = {}): boolean {
  return Object.entries(filter).every(
    ([name, value]) => metadata !== undefined && Object.hasOwn(metadata, name) && isSame(metadata[name], value),
  )
}
