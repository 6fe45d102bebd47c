import type { Interval } from './interval.js'

/** A place in a text that names a time. */
export interface Expression {
  /** Where it begins and ends, in UTF-16 units of the text. */
  readonly start: number
  readonly end: number
  readonly interval: Interval
  /** Whether the year, or the week of a weekday, was only guessed. */
  readonly guessed?: 'year' | 'week'
}

/** Expressions in order, the longer of two that overlap; of two alike the earlier in the list. */
export function apart(expressions: readonly Expression[]): Expression[] {
  const kept: Expression[] = []
  for (const one of [...expressions].sort((a, b) => b.end - b.start - (a.end - a.start))) {
    if (kept.every((other) => one.end <= other.start || one.start >= other.end)) kept.push(one)
  }
  return kept.sort((a, b) => a.start - b.start)
}
