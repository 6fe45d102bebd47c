import type { StatementModality as Modality } from '../../api/extractor.js'
import { CONJUNCTIONS, SUBORDINATORS } from './clause-words.js'
import { readClause } from './main-clause.js'
import { readTime } from './named-times.js'
import { readList } from './noun-lists.js'
import type { ParsedSentence } from './parsed-sentence.js'
import { skipPrepositional } from './prepositional.js'
import { isPreposition } from './prepositions.js'
import { Reading } from './reading.js'
import { isRelative } from './relative-clause.js'
import type { Token } from './token.js'
import { verbGroupAt } from './verbs.js'
import { POSSIBLY, REPORTEDLY } from './words.js'

/** Reads the clauses of a sentence. */
export function parse(tokens: readonly Token[]): ParsedSentence {
  const reading = new Reading(tokens)
  while (reading.at < tokens.length) readStep(reading)
  const { clauses, appositions, phrases } = reading
  return { clauses, appositions, phrases }
}

function readStep(reading: Reading): void {
  const { lower, tag } = reading.tokens[reading.at]
  if (tag === 'TIME') reading.at = readTime(reading, reading.at, '')
  else if (readMark(reading, lower, tag)) return
  else if (isRelative(reading)) reading.at++
  else if (isPreposition(reading, reading.at)) skipPrepositional(reading)
  else verbOrPhrase(reading)
}

/** Words that say how what follows is meant, and where a clause ends. */
function readMark(reading: Reading, lower: string, tag: string): boolean {
  if (POSSIBLY.has(lower)) setMood(reading, 'possible')
  else if (REPORTEDLY.has(lower) || lower === 'according') setMood(reading, 'reported')
  else if (CONJUNCTIONS.has(lower)) readConjunction(reading)
  else if (/^(?:what|whatever|how|why)$/.test(lower)) setMood(reading, 'possible')
  else if (/^[;:()—–"]$|^-+$/.test(lower)) {
    reading.scope = {}
    reading.mood = undefined
    reading.general = false
    endClause(reading)
  } else if (isSubordinator(reading, lower, tag)) readSubordinator(reading, lower)
  else return false
  return true
}

function isSubordinator(reading: Reading, lower: string, tag: string): boolean {
  return (
    SUBORDINATORS.has(lower) &&
    tag !== 'PRON' &&
    tag !== 'VERB' &&
    !isPreposition(reading, reading.at) &&
    !isRelative(reading)
  )
}

function readSubordinator(reading: Reading, lower: string): void {
  reading.mood = /^(?:if|unless|whether)$/.test(lower) ? 'possible' : undefined
  reading.general = /^(?:when|whenever|where)$/.test(lower)
  if (lower === 'but') {
    reading.scope = {}
    readConjunction(reading)
  } else endClause(reading)
}

/** "And loved it": the subject goes on. */
function readConjunction(reading: Reading): void {
  reading.pending = []
  reading.at++
}

function verbOrPhrase(reading: Reading): void {
  const verb = verbGroupAt(reading.tokens, reading.at)
  if (verb !== undefined) return readClause(reading, verb)
  // "There are", "here is": no subject is left out.
  if (/^(?:there|here)$/.test(reading.tokens[reading.at].lower)) reading.sawPhrase = true
  const list = readList(reading, reading.at, true)
  if (list === undefined) reading.at++
  else {
    reading.pending = list.items
    reading.sawPhrase = true
    reading.at = list.end
  }
}

function setMood(reading: Reading, mood: Modality): void {
  reading.mood = mood
  reading.at++
}

function endClause(reading: Reading): void {
  reading.pending = []
  reading.inherited = []
  reading.at++
}
