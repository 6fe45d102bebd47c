import type { Expression } from './expression.js'
import { DAY, startOf, utc } from './interval.js'

/** What joins two times to one: from A to B, between A and B, in the languages' words. */
const JOINED =
  /^\s*(?:,?\s*(?:and|to|until|till|through|und|bis|y|hasta|et|à|au|e|a|al|en|tot|até)\s+(?:the\s+|el\s+|le\s+|il\s+|de\s+|o\s+)?|[-–—]\s*)$/i
const OPENED =
  /\b(?:between|from|zwischen|von|vom|entre|desde|del?|du|tra|fra|dal?|tussen|van)\s+(?:the\s+|dem\s+|el\s+|le\s+|il\s+|o\s+)?$/i
/** "between 3 and" before "9 June". */
const DAY_NUMBER =
  /\b(?:between|from|zwischen|von|vom|entre(?: le| el| o)?|tussen|tra il|fra il)\s+(?:the\s+|dem\s+)?(\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:and|to|until|till|through|und(?: dem)?|bis(?: zum)?|y(?: el)?|et(?: le)?|e(?: o| il)?|en)\s+(?:the\s+)?$/i

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
