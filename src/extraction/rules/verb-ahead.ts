import { nounPhraseAt } from './phrases.js'
import type { Reading } from './reading.js'
import { verbGroupAt, type VerbGroup } from './verbs.js'
import { REDUCED } from './words.js'

/** The verb group that begins at a token. */
export function verbAt(reading: Reading, at: number): VerbGroup | undefined {
  return at < reading.tokens.length ? verbGroupAt(reading.tokens, at) : undefined
}

/** The same, if it is finite. */
export function finiteAt(reading: Reading, at: number): VerbGroup | undefined {
  const verb = verbAt(reading, at)
  return verb?.finite ? verb : undefined
}

/** The first token from one on that is no adverb. */
export function skipAdverbs(reading: Reading, at: number): number {
  while (reading.tokens[at]?.tag === 'ADV') at++
  return at
}

/** Whether a finite verb follows; "called Rex" only tells of what is before. */
export function actsAt(reading: Reading, at: number): boolean {
  return !REDUCED.has(reading.tokens[at]?.lower ?? '') && finiteAt(reading, skipAdverbs(reading, at)) !== undefined
}

/** Whether a subject and its finite verb begin at a token. */
export function clauseAt(reading: Reading, at: number): boolean {
  const phrase = nounPhraseAt(reading.tokens, at)
  return phrase !== undefined && actsAt(reading, phrase.end)
}
