import type { Expression } from './expression.js'
import { grammarOf } from './grammar.js'
import { DAY, type Interval, moved, startOf, type Unit, weekday, whole } from './interval.js'
import { PHRASEBOOKS } from './phrasebook.js'
import { items, type Language, word } from './vocabulary.js'
import { weekendOf } from './turn.js'

type Side = 'before' | 'after' | 'of'

const { amount, noun, count, meaning } = grammarOf('en')
/** "two days before", "the weekend after", "the week of", right before an expression. */
const BESIDE = new RegExp(
  `(?:(?<![\\p{L}\\p{N}])(?:${amount}|(?:the\\s+)?(${noun}))\\s+(before|prior to|after|following|of)\\s+(?:the\\s+)?)$`,
  'iu',
)
const WEEKDAY = new RegExp(`${word(`(${items(PHRASEBOOKS.en.weekdays).join('|')})`)}\\s+$`, 'iu')

/** Times named by others beside them: "the weekend before 17 July", "two days after last Friday". English only. */
export function besideTimes(text: string, known: readonly Expression[], language: Language): Expression[] {
  if (language !== 'en') return []
  const found: Expression[] = []
  // Of "the day before the day before yesterday", the inner one first.
  for (const one of known) {
    for (let inner: Expression | undefined = one; inner !== undefined; ) {
      inner = beside(text.slice(0, inner.start), inner)
      if (inner !== undefined) found.push(inner)
    }
  }
  return found
}

function beside(before: string, one: Expression): Expression | undefined {
  const match = BESIDE.exec(before)
  if (match === null) return ofWeek(before, one)
  const side = sideOf(match[4])
  const interval = match[3] === undefined ? counted(match, side, one.interval) : named(match[3], side, one.interval)
  return interval && { start: match.index, end: one.end, interval }
}

/** "Tuesday last week", "the Friday of that week". */
function ofWeek(before: string, one: Expression): Expression | undefined {
  const { from, to } = one.interval
  const match = to - from === 7 * DAY ? WEEKDAY.exec(before) : null
  const what = match === null ? undefined : meaning(match[1])
  return what?.kind !== 'weekday'
    ? undefined
    : { start: match!.index, end: one.end, interval: whole('day', from + what.index * DAY) }
}

function sideOf(word: string): Side {
  if (/^of$/i.test(word)) return 'of'
  return /^(?:before|prior)/i.test(word) ? 'before' : 'after'
}

/** "Two days before": two days before it begins, as wide as the unit. */
function counted(match: RegExpExecArray, side: Side, { from, to }: Interval): Interval | undefined {
  const [least, most] = count(match[1])
  const unit = meaning(match[2]).kind as Unit
  if (side === 'of' || !['hour', 'minute', 'day', 'week', 'month', 'year'].includes(unit)) return undefined
  const sign = side === 'before' ? -1 : 1
  const base = side === 'before' ? from : Math.max(from, to - DAY)
  const ends = [least, most].map((steps) => whole(unit === 'week' ? 'day' : unit, moved(base, unit, sign * steps)))
  return { from: Math.min(ends[0].from, ends[1].from), to: Math.max(ends[0].to, ends[1].to) }
}

/**
 * "The week before": the whole calendar week before the one that holds it; a weekday or weekend, the nearest on that
 * side.
 */
function named(source: string, side: Side, { from, to }: Interval): Interval | undefined {
  const what = meaning(source)
  if (what.kind === 'weekday') {
    if (side === 'of') return whole('day', startOf('week', from) + what.index * DAY)
    const back = ((weekday(from) - what.index + 6) % 7) + 1
    const ahead = (what.index - weekday(to) + 7) % 7
    return whole('day', side === 'before' ? from - back * DAY : to + ahead * DAY)
  }
  if (what.kind === 'weekend') {
    const week = startOf('week', from)
    if (side === 'of') return weekendOf(week)
    const near = [-7, 0, 7].map((days) => weekendOf(week + days * DAY))
    return side === 'before'
      ? near.findLast((one) => one.to <= startOf('day', from))
      : near.find((one) => one.from >= to)
  }
  if (what.kind === 'day' || what.kind === 'week' || what.kind === 'month' || what.kind === 'year') {
    if (side === 'of') return what.kind === 'day' ? undefined : whole(what.kind, from)
    return side === 'before' ? whole(what.kind, from, -1) : whole(what.kind, to - 1, 1)
  }
  return undefined
}
