import type { Expression } from './expression.js'
import { grammarOf, type Noun } from './grammar.js'
import { DAY, type Interval, moved, startOf, type Unit, utc, whole } from './interval.js'
import type { Language } from './vocabulary.js'
import { monthOf, nearestMonth, season, turned, weekendOf } from './turn.js'

/**
 * The times that a text names by their distance from the reference (last week, two days ago, next summer), and its
 * months, seasons and years.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one loop for each kind of expression
export function relativeTimes(text: string, reference: number, language: Language): Expression[] {
  const { meaning, count, ...patterns } = grammarOf(language)
  const found: Expression[] = []
  const add = (match: RegExpExecArray, interval: Interval, guessed?: 'year') =>
    found.push({ start: match.index, end: match.index + match[0].length, interval, guessed })

  for (const [turn, pattern] of patterns.turned) {
    for (const match of text.matchAll(pattern)) {
      const noun = meaning(match[1])
      // "This day", "last minute" are said of anything; "this may" is a verb.
      if (!['minute', 'hour', 'day'].includes(noun.kind) && !(language === 'en' && /^(?:may|march)$/.test(match[1]))) {
        // "The past week" is the seven days up to now.
        const interval =
          /^past/i.test(match[0]) && !('index' in noun) && noun.kind !== 'weekend'
            ? span(1, noun.kind, -1, reference)
            : turned(noun, turn, reference, language)
        add(match, interval)
      }
    }
  }
  for (const [turn, pattern] of patterns.span) {
    for (const match of text.matchAll(pattern))
      add(match, span(count(match[1])[1], unitOf(meaning(match[2])), turn, reference))
  }
  for (const [direction, pattern] of patterns.counted) {
    for (const match of text.matchAll(pattern)) {
      const [least, most] = count(match[1])
      const noun = meaning(match[2])
      if (noun.kind === 'weekend') {
        add(match, weekendOf(startOf('week', reference) + direction * most * 7 * DAY))
        continue
      }
      const unit = unitOf(noun)
      // "A minute ago" and "in a minute" mean "just now" and "soon".
      if (unit === 'minute' && most <= 1) continue
      const ends = [least, most].map((steps) => whole(unit, reference, direction * steps))
      add(match, { from: Math.min(ends[0].from, ends[1].from), to: Math.max(ends[0].to, ends[1].to) })
    }
  }
  for (const match of text.matchAll(patterns.season)) add(match, season(indexOf(meaning(match[1])), Number(match[2])))
  for (const match of text.matchAll(patterns.month)) add(match, monthOf(indexOf(meaning(match[1])), Number(match[2])))
  for (const match of text.matchAll(patterns.bareMonth))
    add(match, nearestMonth(indexOf(meaning(match[1])), reference), 'year')
  for (const match of text.matchAll(patterns.year))
    add(match, { from: utc(Number(match[1]), 0), to: utc(Number(match[1]) + 1, 0) })
  return found
}

/** "The last two weeks", to the present; "the next two weeks", from it. */
function span(steps: number, unit: Unit, turn: -1 | 1, reference: number): Interval {
  const fine = unit === 'minute' || unit === 'hour'
  const today = fine ? reference : startOf('day', reference)
  if (turn < 0) return { from: moved(today, unit, -steps), to: reference + 1 }
  return { from: reference, to: moved(fine ? reference : today + DAY, unit, steps) }
}

function unitOf(noun: Noun): Unit {
  return 'index' in noun || noun.kind === 'weekend' ? 'week' : (noun.kind as Unit)
}

function indexOf(noun: Noun): number {
  return 'index' in noun ? noun.index : 0
}
