import { CONJUNCTIONS, QUESTION_WORDS, SUBORDINATORS } from './clause-words.js'
import { readTime, timeEnd } from './named-times.js'
import { readList } from './noun-lists.js'
import type { Prepositional } from './parsed-sentence.js'
import { nounPhraseAt, type NounPhrase } from './phrases.js'
import { readPrepositional } from './prepositional.js'
import { isPreposition } from './prepositions.js'
import type { Reading } from './reading.js'
import { type ReadClause, readRelative } from './relative-clause.js'
import { clauseAt, verbAt } from './verb-ahead.js'
import type { VerbGroup } from './verbs.js'
import { POSSIBLY, REPORTEDLY } from './words.js'

/** What was found behind a verb in its clause. */
interface Complement {
  objects: readonly NounPhrase[]
  given: readonly NounPhrase[]
  readonly adjectives: number[]
  readonly prepositional: Prepositional[]
}

/** What follows a verb in its clause. */
export function readComplement(
  reading: Reading,
  verb: VerbGroup,
  subjects: readonly NounPhrase[],
  readClause: ReadClause,
): Complement {
  const found: Complement = { objects: [], given: [], adjectives: [], prepositional: [] }
  // What "who" tells of "a biologist from Valencia who …" it tells of whom the sentence is about.
  const about = reading.tokens[verb.main].lemma === 'be' ? subjects.at(-1) : undefined
  while (reading.at < reading.tokens.length && readPart(reading, found, verb, about, readClause));
  return found
}

/** Reads one part of the complement; `false` where the clause ends. */
function readPart(
  reading: Reading,
  found: Complement,
  verb: VerbGroup,
  about: NounPhrase | undefined,
  readClause: ReadClause,
): boolean {
  const { tag, lower } = reading.tokens[reading.at]
  const time = timeEnd(reading, reading.at)
  if (time !== undefined && !isSpent(reading, verb)) {
    if (reading.tokens[time - 1].tag === 'TIME') readTime(reading, time - 1, '')
    reading.at = time
    return true
  }
  if (isPreposition(reading, reading.at)) return readPrepositionalPart(reading, found, about, readClause)
  if (SUBORDINATORS.has(lower) && tag !== 'PRON' && tag !== 'DET') return false
  if (tag === 'ADJ' && nounPhraseAt(reading.tokens, reading.at) === undefined) return readAdjective(reading, found)
  if (QUESTION_WORDS.has(lower)) return false
  if (tag === 'ADV' || tag === 'INTJ') return readAdverb(reading, lower)
  if (clauseAt(reading, reading.at)) return false
  const list = readList(reading, reading.at, false)
  if (list === undefined) return false
  if (found.objects.length === 0) found.objects = list.items
  else if (found.given.length === 0) found.given = list.items
  reading.at = list.end
  readRelative(reading, about ?? list.items.at(-1), readClause)
  return true
}

/** "Spent two weeks": the time is what is told. */
function isSpent(reading: Reading, verb: VerbGroup): boolean {
  return reading.tokens[verb.main].lemma === 'spend' && reading.tokens[reading.at].tag !== 'TIME'
}

function readPrepositionalPart(
  reading: Reading,
  found: Complement,
  about: NounPhrase | undefined,
  readClause: ReadClause,
): boolean {
  const read = readPrepositional(reading, reading.at)
  if (read === undefined) {
    if (reading.tokens[reading.at + 1]?.tag === 'VERB') return false
    reading.at++
    return true
  }
  found.prepositional.push(read.value)
  reading.at = read.end
  const person = reading.tokens[reading.at]?.lower === 'who' ? found.objects.at(-1) : undefined
  readRelative(reading, about ?? person ?? read.value.items.at(-1), readClause)
  return true
}

function readAdjective(reading: Reading, found: Complement): boolean {
  found.adjectives.push(reading.at++)
  if (CONJUNCTIONS.has(reading.tokens[reading.at]?.lower) && reading.tokens[reading.at + 1]?.tag === 'ADJ') reading.at++
  return true
}

function readAdverb(reading: Reading, lower: string): boolean {
  if (POSSIBLY.has(lower) || REPORTEDLY.has(lower) || verbAt(reading, reading.at) !== undefined) return false
  reading.at++
  return true
}
