import { readTime, timeEnd } from './named-times.js'
import { readList } from './noun-lists.js'
import type { Prepositional } from './parsed-sentence.js'
import { isPreposition } from './prepositions.js'
import type { Reading } from './reading.js'

/** Steps over a preposition that belongs to no verb, with what follows it. */
export function skipPrepositional(reading: Reading): void {
  const read = readPrepositional(reading, reading.at)
  reading.at = read?.end ?? reading.at + 1
}

/** Reads a preposition and what follows it; `undefined` where that is neither a phrase nor a time. */
export function readPrepositional(reading: Reading, at: number): { value: Prepositional; end: number } | undefined {
  let words = 1
  // "In with", "out of", "next to".
  while (reading.tokens[at + words] !== undefined && isPreposition(reading, at + words)) words++
  const preposition = reading.tokens
    .slice(at, at + words)
    .map(({ lower }) => lower)
    .join(' ')
  let next = at + words
  const time = timeEnd(reading, next)
  if (time !== undefined) {
    if (reading.tokens[time - 1].tag === 'TIME') readTime(reading, time - 1, preposition)
    return { value: { preposition, first: at, items: [], time: [next, time] }, end: time }
  }
  while (reading.tokens[next]?.tag === 'ADV') next++
  // "At 6": a time of the day.
  if (preposition === 'at' && reading.tokens[next]?.tag === 'NUM' && isBare(reading, next))
    return { value: { preposition, first: at, items: [], time: [next, next + 1] }, end: next + 1 }
  const list = readList(reading, next, false)
  if (list === undefined) return undefined
  return { value: { preposition, first: at, items: list.items }, end: list.end }
}

/** Whether a figure counts nothing. */
function isBare(reading: Reading, at: number): boolean {
  return !/^(?:NOUN|PROPN|NUM|SYM|ADJ)$/.test(reading.tokens[at + 1]?.tag ?? '')
}
