import type { Noun } from './grammar.js'
import { DAY, type Interval, startOf, utc, weekday, whole } from './interval.js'
import type { Language } from './vocabulary.js'

/** Which of its kind: the last one, this one, the next one. */
export type Turn = -1 | 0 | 1

/** "Last week", "this summer", "next Friday". */
export function turned(noun: Noun, turn: Turn, reference: number, language: Language): Interval {
  switch (noun.kind) {
    case 'weekend':
      return weekendOf(startOf('week', reference) + turn * 7 * DAY)
    case 'weekday':
      return whole('day', turnedWeekday(noun.index, turn, reference, language))
    case 'season':
      return turnedIn((year) => season(noun.index, year), turn, reference)
    case 'month':
      return turnedMonth(noun, turn, reference)
    default:
      return whole(noun.kind, reference, turn)
  }
}

function turnedMonth(noun: Noun, turn: Turn, reference: number): Interval {
  return 'index' in noun
    ? turnedIn((year) => monthOf(noun.index, year), turn, reference)
    : whole('month', reference, turn)
}

/** Of what comes once a year: the last that was over, the next to begin, or this year's. */
function turnedIn(of: (year: number) => Interval, turn: Turn, reference: number): Interval {
  const year = new Date(reference).getUTCFullYear()
  const around = [-2, -1, 0, 1, 2].map((years) => of(year + years))
  const found =
    turn < 0
      ? around.findLast((one) => one.to <= reference)
      : turn > 0
        ? around.find((one) => one.from > reference)
        : around.find((one) => one.from <= reference && reference < one.to)
  return found ?? of(year)
}

function turnedWeekday(index: number, turn: Turn, reference: number, language: Language): number {
  const today = startOf('day', reference)
  const ahead = (index - weekday(reference) + 7) % 7
  if (turn < 0) return today + (ahead - 7) * DAY
  if (turn === 0) return today + ahead * DAY
  // "Next Friday" is the one of next week to an English ear; elsewhere it is the one that comes next.
  return language === 'en' ? startOf('week', reference) + (7 + index) * DAY : today + (ahead === 0 ? 7 : ahead) * DAY
}

/** Saturday and Sunday of the week that begins at `monday`. */
export function weekendOf(monday: number): Interval {
  return { from: monday + 5 * DAY, to: monday + 7 * DAY }
}

/**
 * The meteorological seasons of the north: spring (0) begins in March; the winter of a year begins in December before
 * it.
 */
export function season(index: number, year: number): Interval {
  const first = index === 3 ? -1 : 2 + index * 3
  return { from: utc(year, first), to: utc(year, first + 3) }
}

/** A month of a year, January 0. */
export function monthOf(index: number, year: number): Interval {
  return { from: utc(year, index), to: utc(year, index + 1) }
}

/** That month of the years around a time which lies nearest to it. */
export function nearestMonth(index: number, reference: number): Interval {
  const year = new Date(reference).getUTCFullYear()
  const distance = (one: Interval) => Math.max(one.from - reference, reference - one.to, 0)
  return [year, year - 1, year + 1]
    .map((one) => monthOf(index, one))
    .reduce((best, one) => (distance(one) < distance(best) ? one : best))
}
