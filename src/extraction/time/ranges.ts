import type { Expression } from './expression.js'
import { DAY, startOf, utc } from './interval.js'

/** The whole text between the two times of a range: "and", "to the" or a dash, in all supported languages. */
const JOINED = new RegExp(
  String.raw`^\s*(?:,?\s*(?:and|to|until|till|through|und|bis|y|hasta|et|à|au|e|a|al|en|tot|até)\s+` +
    String.raw`(?:the\s+|el\s+|le\s+|il\s+|de\s+|o\s+)?|[-–—]\s*)$`,
  'i',
)
/** The end of the text in front of a range: "between", "from the". */
const OPENED = new RegExp(
  String.raw`\b(?:between|from|zwischen|von|vom|entre|desde|del?|du|tra|fra|dal?|tussen|van)\s+` +
    String.raw`(?:the\s+|dem\s+|el\s+|le\s+|il\s+|o\s+)?$`,
  'i',
)
/** A day of the month that opens a range, in front of its second date: "between 3 and" before "9 June". */
const DAY_NUMBER = new RegExp(
  String.raw`\b(?:between|from|zwischen|von|vom|entre(?: le| el| o)?|tussen|tra il|fra il)\s+(?:the\s+|dem\s+)?` +
    String.raw`(\d{1,2})(?:st|nd|rd|th|\.)?\s+` +
    '(?:and|to|until|till|through|und(?: dem)?|bis(?: zum)?|y(?: el)?|et(?: le)?|e(?: o| il)?|en)' +
    String.raw`\s+(?:the\s+)?$`,
  'i',
)

/** Joins the two ends of a range: "between 3 and 9 June", "from last Friday to yesterday". */
export function ranges(text: string, found: readonly Expression[]): Expression[] {
  const joined: Expression[] = []
  let end = 0
  for (const one of found) {
    const last = joined.at(-1)
    const between = last && text.slice(last.end, one.start)
    if (
      last !== undefined &&
      JOINED.test(between!) &&
      OPENED.test(text.slice(0, last.start)) &&
      last.interval.from < one.interval.to
    ) {
      joined[joined.length - 1] = {
        ...last,
        end: one.end,
        interval: { from: last.interval.from, to: Math.max(one.interval.to, last.interval.to) },
      }
    } else {
      joined.push(fromDayNumber(text.slice(end, one.start), end, one) ?? one)
    }
    end = one.end
  }
  return joined
}

function fromDayNumber(before: string, offset: number, one: Expression): Expression | undefined {
  const match = DAY_NUMBER.exec(before)
  const { from, to } = one.interval
  if (match === null || to - from !== DAY || from !== startOf('day', from)) return undefined
  const date = new Date(from)
  const first = utc(date.getUTCFullYear(), date.getUTCMonth(), Number(match[1]))
  return Number(match[1]) > 0 && first < from
    ? { ...one, start: offset + match.index, interval: { from: first, to } }
    : undefined
}
