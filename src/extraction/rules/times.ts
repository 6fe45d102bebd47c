import type { NamedTime } from '../../api/extractor.js'
import type { expressions } from '../time/expressions.js'
import { type Lean, tense } from '../time/leaning.js'

export type ReadExpressions = typeof expressions

/** Words before a time that are no part of it. */
const BEFORE = /^(?:(?:in|on|at|since|until|till|by|during|before|after|from|around|about|the|of|year)\s+)+/i

/** What is arranged is told in the present: "the exam is on Friday", "I start on Monday". */
const ARRANGED = new RegExp(
  [
    String.raw`\b(?:is|are|am|'s|'re|'m) (?:\w+ing|scheduled|due|planned|set|on)\b`,
    String.raw`\b(?:starts?|begins?|ends?|leaves?|lands?|arrives?|opens?|expires?|takes? place) (?:on|at|in|by)\b`,
  ].join('|'),
  'i',
)
const HAPPENED = /\b(?:was|were|did|had|went|got|met|saw|came|took|bought|last|ago|yesterday)\b/i

const lean: Lean = (text, language) =>
  language === 'en' && ARRANGED.test(text) && !HAPPENED.test(text) ? 1 : tense(text, language)

/** The times that a text names, with where they stand, said at `at` (ISO 8601). */
export function timesOf(text: string, at: string, read: ReadExpressions): NamedTime[] {
  return read(text, Date.parse(at), lean).map(({ start, end, interval }) => {
    const said = text.slice(start, end)
    const skipped = BEFORE.exec(said)?.[0].length ?? 0
    const from = skipped < said.length ? start + skipped : start
    return {
      text: text.slice(from, end),
      from,
      to: end,
      start: new Date(interval.from).toISOString(),
      end: new Date(interval.to).toISOString(),
    }
  })
}
