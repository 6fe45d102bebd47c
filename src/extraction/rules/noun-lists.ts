import { CONJUNCTIONS, RELATIVES } from './clause-words.js'
import { nounPhraseAt, type NounPhrase } from './phrases.js'
import { isPreposition } from './prepositions.js'
import type { Reading } from './reading.js'
import { actsAt } from './verb-ahead.js'

/** "X", "X and Y", "X, Y and Z" from a token on. In the place of an object, "and Y" may begin a clause. */
export function readList(
  reading: Reading,
  at: number,
  subject: boolean,
): { items: NounPhrase[]; end: number } | undefined {
  const first = nounPhraseAt(reading.tokens, at)
  if (first === undefined) return undefined
  const items = [first]
  let end = first.end
  for (;;) {
    const next = afterSeparator(reading, end)
    if (next === undefined) break
    const phrase = nounPhraseAt(reading.tokens, next.at)
    if (phrase === undefined) break
    if (next.conjunction) {
      if (!subject && actsAt(reading, phrase.end)) break
      items.push(phrase)
      end = phrase.end
      continue
    }
    if (isEnumeration(reading, phrase.end)) {
      items.push(phrase)
      end = phrase.end
      continue
    }
    if (items.length === 1) {
      const closed = readApposition(reading, first, phrase)
      if (closed !== undefined) {
        remember(reading, phrase)
        end = closed
      }
    }
    break
  }
  for (const item of items) remember(reading, item)
  return { items, end }
}

function remember(reading: Reading, phrase: NounPhrase): void {
  if (!reading.phrases.some(({ first }) => first === phrase.first)) reading.phrases.push(phrase)
}

function afterSeparator(reading: Reading, at: number): { at: number; conjunction: boolean } | undefined {
  const comma = reading.tokens[at]?.text === ','
  const next = comma ? at + 1 : at
  if (CONJUNCTIONS.has(reading.tokens[next]?.lower ?? '')) {
    return { at: reading.tokens[next + 1]?.lower === 'also' ? next + 2 : next + 1, conjunction: true }
  }
  return comma ? { at: next, conjunction: false } : undefined
}

/** Whether "and Z" comes at the end of what follows: "X, Y and Z". */
function isEnumeration(reading: Reading, at: number): boolean {
  for (;;) {
    const next = afterSeparator(reading, at)
    if (next === undefined) return false
    const phrase = nounPhraseAt(reading.tokens, next.at)
    if (phrase === undefined) return false
    if (next.conjunction) return !actsAt(reading, phrase.end) || reading.clauses.length === 0
    at = phrase.end
  }
}

/** Notes that the second phrase says what the first is, and tells where it ends. */
function readApposition(reading: Reading, one: NounPhrase, other: NounPhrase): number | undefined {
  if (one.pronoun || other.pronoun) return undefined
  const closing = reading.tokens[other.end]
  const closed = closing?.text === ','
  const open =
    closing === undefined ||
    /^[.!?;)]/.test(closing.text) ||
    isPreposition(reading, other.end) ||
    RELATIVES.has(closing.lower)
  if (!closed && !open) return undefined
  const describes =
    other.owner !== undefined ||
    (other.determiner !== undefined && /^(?:an?|the|one)$/.test(other.determiner)) ||
    /^(?:former|then)$/.test(reading.tokens[other.core].lower)
  const named = other.proper && !one.proper && (one.owner !== undefined || one.determiner === 'the')
  if (!(describes && one.proper) && !named && !(describes && one.name !== undefined)) return undefined
  reading.appositions.push([one, other])
  return closed ? other.end + 1 : other.end
}
