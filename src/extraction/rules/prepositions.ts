import { SUBORDINATORS } from './clause-words.js'
import { nounPhraseAt } from './phrases.js'
import type { Reading } from './reading.js'
import { finiteAt, skipAdverbs } from './verb-ahead.js'

/** Whether a token is a preposition, and begins neither a clause nor an infinitive. */
export function isPreposition(reading: Reading, at: number): boolean {
  const token = reading.tokens[at]
  if (token === undefined) return false
  const { tag, lower } = token
  if (lower === 'to' && isInfinitive(reading, at)) return false
  if (
    tag !== 'ADP' &&
    !(tag === 'PART' && lower === 'to') &&
    !(tag === 'SCONJ' && /^(?:since|as|like|than)$/.test(lower))
  )
    return false
  // "Before he left", "because I can": a clause follows.
  if (!SUBORDINATORS.has(lower) || (tag === 'ADP' && /^(?:like|than)$/.test(lower))) return true
  const phrase = nounPhraseAt(reading.tokens, at + 1)
  return reading.tokens[at + 1]?.tag === 'TIME' || (phrase !== undefined && finiteAt(reading, phrase.end) === undefined)
}

function isInfinitive(reading: Reading, to: number): boolean {
  const verb = reading.tokens[skipAdverbs(reading, to + 1)]
  return verb !== undefined && /^(?:VERB|AUX)$/.test(verb.tag) && verb.lower === verb.lemma
}
