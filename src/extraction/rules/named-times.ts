import { nounPhraseAt } from './phrases.js'
import type { Reading } from './reading.js'
import { TIME_NOUNS } from './words.js'

/** Notes the time that begins at a token, and tells where it ends. */
export function readTime(reading: Reading, at: number, preposition: string): number {
  const { time } = reading.tokens[at]
  if (time !== undefined) reading.times.push({ preposition, time })
  while (reading.tokens[at] !== undefined && reading.tokens[at].tag === 'TIME' && reading.tokens[at].time === time) at++
  return at
}

/** The end of an expression of time that begins at a token, or of "every day". */
export function timeEnd(reading: Reading, at: number): number | undefined {
  let end = at
  // "The" of "the summer of 2022" is no part of the time.
  if (reading.tokens[end]?.tag === 'DET' && reading.tokens[end + 1]?.tag === 'TIME') end++
  if (reading.tokens[end]?.tag === 'TIME') {
    while (reading.tokens[end]?.tag === 'TIME') end++
    return end
  }
  const phrase = nounPhraseAt(reading.tokens, at)
  if (phrase === undefined || phrase.pronoun || phrase.owner !== undefined) return undefined
  // "A great day" is no time.
  if (/^an?$/.test(phrase.determiner ?? '') && phrase.head > phrase.core) return undefined
  if (reading.tokens[phrase.end - 1].lower === 'old') return undefined
  return TIME_NOUNS.has(reading.tokens[phrase.head].lemma) ? phrase.end : undefined
}
