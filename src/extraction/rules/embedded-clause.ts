import { QUESTION_WORDS } from './clause-words.js'
import type { Reading } from './reading.js'
import { clauseAt } from './verb-ahead.js'
import type { VerbGroup } from './verbs.js'
import { FACTIVE, HOPING, REPORTING, THINKING } from './words.js'

/** A clause that follows a verb of saying or thinking is meant as that verb says. */
export function readEmbedded(reading: Reading, verb: VerbGroup, negative: boolean): void {
  const { lemma } = reading.tokens[verb.main]
  const next = reading.tokens[reading.at]
  if (next === undefined) return
  const clause =
    next.lower === 'that' || QUESTION_WORDS.has(next.lower) || next.lower === 'if' || clauseAt(reading, reading.at)
  if (!clause) return
  if (REPORTING.has(lemma)) reading.scope = { modality: 'reported' }
  else if (THINKING.has(lemma)) reading.scope = { modality: 'possible', negative: verb.negative }
  else if (HOPING.has(lemma)) reading.scope = { modality: 'wished' }
  else if (FACTIVE.has(lemma))
    reading.scope = negative || QUESTION_WORDS.has(next.lower) ? { modality: 'possible' } : {}
  else return
  if (next.lower === 'that') reading.at++
  reading.inherited = []
}
