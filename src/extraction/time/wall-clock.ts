/** The calendar repeats itself, weekdays and leap years, after 400 years. */
const CYCLE = 400
/** First year of the cycle that stands in for all others. */
const FIRST = 200

/**
 * A date that shows the UTC time of `reference` on the wall clock of the host, in the years 200 to 599.
 *
 * chrono-node reckons with the clock of the host, whose zone may skip an hour or a whole day. No zone has done so
 * before the nineteenth century, and the calendar of those years is the same: there, the answer is the same on every
 * host.
 */
export function wallClock(reference: number): Date {
  const utc = new Date(reference)
  const year = standIn(utc.getUTCFullYear())
  return new Date(
    year,
    utc.getUTCMonth(),
    utc.getUTCDate(),
    utc.getUTCHours(),
    utc.getUTCMinutes(),
    utc.getUTCSeconds(),
  )
}

/**
 * The year meant by one that was read beside {@link wallClock}: years of four digits stood in the text, others were
 * reckoned.
 */
export function trueYear(year: number, reference: number): number {
  if (year >= 1000) return year
  const meant = new Date(reference).getUTCFullYear()
  return year + meant - standIn(meant)
}

function standIn(year: number): number {
  return FIRST + ((((year - FIRST) % CYCLE) + CYCLE) % CYCLE)
}
