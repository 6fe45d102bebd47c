import { expressions } from './expressions.js'
import type { Interval } from './interval.js'

/**
 * The times that a text names, earliest first, each once: yesterday, last week, in May 2023, two days ago, at 7 pm.
 * Each is as wide as what was said: "May 2023" is the whole month. All in UTC, the same on every host.
 *
 * Read in English, German, Spanish, French, Italian, Dutch and Portuguese. What is no clear time gives none: may,
 * march, now, a minute, bare numbers.
 *
 * @param reference when the text was said, epoch milliseconds.
 */
export function mentions(text: string, reference: number): Interval[] {
  const found = new Map(
    expressions(text, reference).map(({ interval: { from, to } }) => [`${from} ${to}`, { from, to }]),
  )
  return [...found.values()].sort((a, b) => a.from - b.from || a.to - b.to)
}
