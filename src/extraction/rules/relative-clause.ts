import { RELATIVES } from './clause-words.js'
import type { NounPhrase } from './phrases.js'
import type { Reading } from './reading.js'
import { verbAt } from './verb-ahead.js'
import type { VerbGroup } from './verbs.js'
import { REDUCED } from './words.js'

/** Reads the clause of a verb. A relative clause is one within another, so this is given to those who meet one. */
export type ReadClause = (reading: Reading, verb: VerbGroup) => void

/** "Who", "which" or "that" behind a phrase: it becomes the subject of the next verb. */
export function isRelative(reading: Reading): boolean {
  const { lower } = reading.tokens[reading.at]
  // "Maria, that is nice" begins anew.
  if (lower === 'that' && reading.tokens[reading.at - 1]?.text === ',') return false
  return RELATIVES.has(lower) && reading.pending.length > 0 && verbAt(reading, reading.at + 1) !== undefined
}

/** "… who loves jazz", "… called Rex" right behind a phrase. */
export function readRelative(reading: Reading, antecedent: NounPhrase | undefined, readClause: ReadClause): void {
  if (antecedent === undefined) return
  const comma = reading.tokens[reading.at]?.text === ','
  const at = comma ? reading.at + 1 : reading.at
  const token = reading.tokens[at]
  if (token === undefined) return
  const relative = RELATIVES.has(token.lower) && !(comma && token.lower === 'that')
  const reduced = !relative && !comma && REDUCED.has(token.lower)
  const verb = relative || reduced ? verbAt(reading, relative ? at + 1 : at) : undefined
  if (verb === undefined) return
  const saved = [reading.pending, reading.inherited, reading.times, reading.elided] as const
  reading.at = verb.first
  reading.pending = [antecedent]
  reading.times = []
  readClause(reading, reduced ? { ...verb, passive: true } : verb)
  ;[reading.pending, reading.inherited, reading.times, reading.elided] = saved
}
