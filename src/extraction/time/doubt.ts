import type { ParsedResult } from 'chrono-node'
import type { Language } from './vocabulary.js'

/** Forms of a clock time that are recognisable as such; a bare "at 7" may be any number. */
const CLOCK_FORMS = [
  // 7 pm, 7:30, 19 Uhr, 19h.
  String.raw`\d\s*(?:[ap]\.?\s?m\b|uhr|uur|o\W?clock|h\b|h\d\d|:\d\d)`,
  // A las 7, alle 7.
  String.raw`\b(?:las|alle) \d`,
  // Noon and midnight: Mittag, midi, mediodía, mezzanotte, meia-noite.
  'noon|midnight|midday|mi(?:ttag|tternacht|di|nuit)|medi|mezz|mei[oa]',
  'at night|in the (?:morning|afternoon|evening)',
]
const CLOCK = new RegExp(CLOCK_FORMS.join('|'), 'i')
/** What makes 2:30 a time of the day rather than a score or a duration. */
const AT =
  /(?:^|\s)(?:at|from|by|around|about|until|till|to|before|after|since|um|ab|bis|gegen|om|à|a las|alle|às|les)\s*$/i
const AT_START = /^(?:at|from|um|om|à|a las|alle|às)\s/i
/** "May", "march" are months only after these, or spelt large after those. */
const MONTH_AFTER = /\b(?:in|since|until|till|by|during|from|before|after|early|late|mid|around)[\s-]*$/i
const LARGE_AFTER = /\b(?:of|to|and|between|through|last|next|this)\s*$/i
const SHORT_WEEKDAY = /^(?:on\s+)?(?:sun|mon|tue|wed|thu|thurs?|fri|sat)\.?$/i
const GREETING = /\b(?:good|guten?|buen[ao]s?|bonne?|bo[am]|buona?|goede)\s*$/i

/** Whether what was read as a time is more likely something else: a verb, a price, a version, a score, a greeting. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: A list of independent rules, one a line.
export function isDoubtful(result: ParsedResult, text: string, language: Language): boolean {
  const said = result.text.replace(/^[\s,(]+|[\s,)]+$/g, '')
  const before = text.slice(Math.max(0, result.index - 24), result.index)
  const { start } = result
  const dated = start.isCertain('day') || start.isCertain('weekday') || start.isCertain('month')
  if (
    /\b(?:AD|BC|BCE|CE|BE)$/i.test(said) ||
    /[\w$€£#.\-/]$/.test(before) ||
    /^[\w%°]/.test(text.slice(result.index + said.length))
  )
    return true
  if (start.isCertain('hour')) {
    // 004:06:45 counts hours; it is no time of the day.
    if (/(?<!\d)\d{3}:/.test(said)) return true
    if (!CLOCK.test(said)) return !dated || /^\D*\d{1,2}\D*$/.test(said)
    const bare = /^(?:\S+\s)?\d{1,2}:\d\d(?::\d\d)?$/.test(said)
    return bare && !dated && !AT_START.test(said) && !AT.test(before)
  }
  if (!dated && !start.isCertain('year')) return !/^(?:this|tonight|last)\b/i.test(said) || GREETING.test(before)
  if (/^\p{L}{1,3}\.?$/u.test(said) && !/^(?:hoy|may|tmr)$/i.test(said))
    return !SHORT_WEEKDAY.test(said) || !/\b(?:on|last|next|this)\s*$/i.test(before)
  if (/^weekend$/i.test(said) && !/\b(?:the|of)\s*$/i.test(before)) return true
  if (GREETING.test(before) || (/^[a-z]*morgen$/i.test(said) && /\bam\s*$/i.test(before))) return true
  if (language === 'en' && /^(?:may|march)$/i.test(said))
    return !MONTH_AFTER.test(before) && !(LARGE_AFTER.test(before) && /^M/.test(said))
  if (SHORT_WEEKDAY.test(said)) return !/^on\s+\p{Lu}/u.test(said)
  return numeric(said, before, start.isCertain('year'))
}

/** 1/2, 24/7, 1.10.3: a date of figures needs a year of four digits, or "on". */
function numeric(said: string, before: string, year: boolean): boolean {
  if (!/^(?:on\s+)?[\d./-]+$/.test(said)) return false
  if (/\d{4}/.test(said)) return false
  return (
    !/^\D*\d{1,2}\/\d{1,2}(?:\/\d\d)?$/.test(said) ||
    (!year && !/^on\s/.test(said) && !/\b(?:on|since|by|until|before|after|from)\s*$/i.test(before))
  )
}
