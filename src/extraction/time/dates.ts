// One import of the package's root: Vite 6 and 7 cannot resolve its subpaths ('chrono-node/de'). Bundlers leave out the
// other languages.
import { type Chrono, de, en, es, fr, it, nl, type ParsedComponents, type ParsedResult, pt } from 'chrono-node'
import { isDoubtful } from './doubt.js'
import type { Expression } from './expression.js'
import { DAY, HOUR, type Interval, MINUTE, startOf, utc, whole } from './interval.js'
import type { Language } from './vocabulary.js'
import { monthOf, nearestMonth, weekendOf } from './turn.js'
import { trueYear, wallClock } from './wall-clock.js'

const READERS: Readonly<Record<Language, Chrono>> = {
  de: de.casual,
  en: en.casual,
  es: es.casual,
  fr: fr.casual,
  it: it.casual,
  nl: nl.casual,
  pt: pt.casual,
}

/** Parts of the day as hours of it, in the languages' words. The first that fits is taken. */
const PARTS: readonly (readonly [RegExp, number, number])[] = [
  [/afternoon|nachmittag|tarde|après-midi|pomeriggio|middag/i, 12, 18],
  [/noon|midday|mittag|mediodía|midi|mezzogiorno|meio-dia/i, 12, 13],
  [/tonight|evening|abend|soir|sera|avond/i, 18, 24],
  [/night|nacht|noche|nuit|notte|noite/i, 18, 30],
  [/morning|vormittag|(?<=\s)morgen|matin|mattina|ochtend|(?<!a)manhã|(?<=la )mañana/i, 5, 12],
]

/** The dates, weekdays and clock times that a text names, as chrono-node reads them. */
export function dates(text: string, reference: number, language: Language): Expression[] {
  const found: Expression[] = []
  for (const result of READERS[language].parse(text, wallClock(reference))) {
    // What is counted from the present is read by the relative times, by the calendar of UTC.
    if (result.tags().has('result/relativeDate') || result.tags().has('casualReference/now')) {
      // "The day before 9 June": the date by itself.
      const head = /^.*?\b(?:before|after|from|since)\s+/i.exec(result.text)?.[0].length ?? result.text.length
      const start = result.index + head
      for (const one of dates(result.text.slice(head), reference, language))
        found.push({ ...one, start: one.start + start, end: one.end + start })
      continue
    }
    if (isDoubtful(result, text, language)) continue
    const range = result.end != null
    const first = intervalOf(result.start, result.text, reference, range)
    const last = result.end == null ? first : intervalOf(result.end, result.text, reference, range)
    if (first === undefined || last === undefined) continue
    const said = /^[\s,(（]*(.*?)[\s,)）]*$/s.exec(result.text)![1]
    const start = result.index + result.text.indexOf(said)
    found.push({
      start,
      end: start + said.length,
      interval: { from: Math.min(first.from, last.from), to: Math.max(first.to, last.to) },
      guessed: guessed(result),
    })
  }
  return found
}

function guessed({ start, end }: ParsedResult): 'year' | 'week' | undefined {
  if (start.isCertain('month')) return start.isCertain('year') || end?.isCertain('year') ? undefined : 'year'
  return start.isCertain('weekday') && !start.isCertain('day') ? 'week' : undefined
}

/** As wide as what was said: a minute, an hour, a part of the day, a day, a month or a year. */
function intervalOf(said: ParsedComponents, text: string, reference: number, range: boolean): Interval | undefined {
  const year = trueYear(said.get('year')!, reference)
  const month = said.get('month')! - 1
  const day = /^last\s*night$/i.test(text) ? startOf('day', reference) - DAY : utc(year, month, said.get('day')!)
  if (said.isCertain('hour')) {
    const fine = said.get('minute') !== 0 || /\d[:.h]00/.test(text)
    const zone = said.isCertain('timezoneOffset') ? said.get('timezoneOffset')! * MINUTE : 0
    return whole(fine ? 'minute' : 'hour', day + said.get('hour')! * HOUR + said.get('minute')! * MINUTE - zone)
  }
  const part = PARTS.find(([words]) => words.test(text))
  if (part !== undefined) return { from: day + part[1] * HOUR, to: day + part[2] * HOUR }
  if (/\bweekend$/i.test(text)) return weekendOf(startOf('week', day))
  if (said.isCertain('day') || said.isCertain('weekday')) return { from: day, to: day + DAY }
  if (said.isCertain('month'))
    return range || said.isCertain('year') ? monthOf(month, year) : nearestMonth(month, reference)
  return said.isCertain('year') ? { from: utc(year, 0), to: utc(year + 1, 0) } : undefined
}
