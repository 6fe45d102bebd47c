import type { Observation, Triple } from '../../src/api/episode.js'
import { drawn } from '../random.js'

/** How many concepts the memory knows. */
export const KNOWN_CONCEPTS = 10_000
const PREDICATES = ['likes', 'knows', 'visited', 'owns', 'works at', 'lives in', 'wrote', 'met', 'sold', 'painted']
const PER_EPISODE = 50

const concept = (number: number) => `concept ${number}`

/** Episodes whose statements have all concepts and predicates. */
export function known(): Observation[] {
  const triples = Array.from({ length: KNOWN_CONCEPTS / 2 }, (_, i) => ({
    subject: concept(2 * i),
    predicate: PREDICATES[i % PREDICATES.length],
    object: concept(2 * i + 1),
  }))
  return Array.from({ length: triples.length / PER_EPISODE }, (_, i) => ({
    text: `Statements, part ${i}.`,
    triples: triples.slice(i * PER_EPISODE, (i + 1) * PER_EPISODE),
  }))
}

/** Distinct statements of concepts and predicates that are drawn at random, as agents meet them: few predicates. */
export function bundle(size: number, random: () => number): Triple[] {
  const found = new Map<string, Triple>()
  while (found.size < size) {
    const [subject, object] = [0, 0].map(() => concept(Math.floor(KNOWN_CONCEPTS * random())))
    const predicate = drawn(PREDICATES, random)
    found.set(`${subject} ${predicate} ${object}`, { subject, predicate, object })
  }
  return [...found.values()]
}

/** What tells statements apart. */
export const keyOf = ({ subject, predicate, object }: Triple) => `${subject} | ${predicate} | ${object}`
