import { log } from '../../base/exponential.js'
import type { Triple, TriplePattern } from '../../api/episode.js'
import type { MatchedStatement } from '../../api/recall.js'
import { conceptKey } from '../../encoding/concept.js'
import type { Indexes } from '../../indexes/indexes.js'
import type { Names } from '../../indexes/names.js'
import { countOf, type Reading, type ReadPart } from './readings.js'

const PARTS = ['subject', 'predicate', 'object'] as const

/** How much a name in a part of a pattern tells, above 0. */
export type Telling = (part: keyof TriplePattern, key: string) => number

/** The names that a pattern gives, each with where episodes are found by it. */
function namesIn(
  { concepts, predicates }: Indexes,
  pattern: TriplePattern,
): { readonly part: keyof TriplePattern; readonly names: Names; readonly key: string }[] {
  return givenIn(pattern).map(({ part, key }) => ({ part, key, names: part === 'predicate' ? predicates : concepts }))
}

function givenIn(pattern: TriplePattern): { readonly part: keyof TriplePattern; readonly key: string }[] {
  return PARTS.flatMap((part) => (pattern[part] === undefined ? [] : { part, key: conceptKey(pattern[part]) }))
}

/** The episodes that have the name of a pattern that fewest have; none where nothing has one of its names. */
export function rarestOf(indexes: Indexes, pattern: TriplePattern): Iterable<number> {
  const [rarest] = namesIn(indexes, pattern).sort((a, b) => a.names.count(a.key) - b.names.count(b.key))
  return rarest === undefined ? [] : rarest.names.slots(rarest.key)
}

/**
 * How much a name tells in this memory: ln(1 + memories / memories that have it in a statement), its inverse frequency.
 * A name that none has counts as if one had it.
 */
export function tellingIn({ catalog, concepts, predicates }: Indexes): Telling {
  return (part, key) => log(1 + catalog.size / Math.max(1, (part === 'predicate' ? predicates : concepts).count(key)))
}

/**
 * How well statements fit a pattern: of the one that fits best, the share of the given parts that are the same, each
 * part counted as much as it tells, 0 to 1. It is 1 exactly if all of them are. Spelling is folded as for concepts. 0
 * where there are no statements, or nothing is given.
 *
 * @param telling default: every part tells as much as another.
 */
export function fitOf(triples: readonly Triple[], pattern: TriplePattern, telling: Telling = () => 1): number {
  const parts = givenIn(pattern)
  let most = 0
  for (const triple of triples) {
    most = Math.max(
      most,
      shareOf(parts, telling, ({ part, key }) => conceptKey(triple[part]) === key),
    )
  }
  return most
}

/** {@link fitOf} of the reading that fits best. */
export function fitOfReadings(triples: readonly Triple[], readings: readonly Reading[], telling: Telling): number {
  let most = 0
  for (const triple of triples)
    for (const reading of readings)
      most = Math.max(
        most,
        shareOf(reading, telling, ({ stands, keys }) => keys.has(conceptKey(triple[stands]))),
      )
  return most
}

/**
 * {@link fitOfReadings} as far as the names in its statements tell it, without reading the episode: the share of the
 * given parts that any of its statements has. It is no less, and more where several statements have a part each.
 */
function namedFit(slot: number, readings: readonly Reading[], telling: Telling): number {
  const has = ({ names, keys }: ReadPart) => [...keys].some((key) => names.has(key, slot))
  return Math.max(0, ...readings.map((reading) => shareOf(reading, telling, has)))
}

/** Of a statement that fits a pattern but for a condition beside its names. */
const ALMOST = 0.99

/**
 * The episodes that a pattern fits, by slot, with the statement that does; `undefined` where the pattern asks for no
 * statement, which every visible episode fits.
 */
export type Fitting = ReadonlyMap<number, MatchedStatement | undefined>

/** What is known of the pattern of a cue. */
export interface Fits {
  readonly pattern: TriplePattern
  readonly readings: readonly Reading[]
  /** The episodes that fit, where that was looked up before; all others fit in part at most. */
  readonly fitting?: Fitting
}

/** {@link namedFit} of the pattern of a cue. */
export function namedFitOf(slot: number, { readings, fitting }: Fits, telling: Telling): number {
  if (fitting?.has(slot)) return 1
  const fit = namedFit(slot, readings, telling)
  return fitting === undefined ? fit : Math.min(ALMOST, fit)
}

/** {@link fitOfReadings} of the statements of an episode to the pattern of a cue. */
export function fitOfEpisode(
  slot: number,
  triples: readonly Triple[],
  { readings, fitting }: Fits,
  telling: Telling = () => 1,
): number {
  if (fitting?.has(slot)) return 1
  const fit = fitOfReadings(triples, readings, telling)
  return fitting === undefined ? fit : Math.min(ALMOST, fit)
}

/** Whose names a cue has: a subject or an object of the pattern, only others that statements have, or none. */
export type Named = 'own' | 'other' | 'none'

/** What a memory and a cue say of a pattern as a whole. */
export interface Standing {
  /** The best fit that the names which the memory knows allow, 0 to 1: at 1 it knows all names of the pattern. */
  readonly reach: number
  readonly named: Named
}

/** @param concepts the keys of subjects and objects that the cue names. */
export function standingOf({ readings, fitting }: Fits, concepts: readonly string[], telling: Telling): Standing {
  const shares = readings.map((reading) => shareOf(reading, telling, (part) => countOf(part) > 0))
  const known = Math.max(0, ...shares)
  const reach = fitting !== undefined && fitting.size > 0 ? 1 : known
  return { reach, named: namedBy(concepts, readings) }
}

/** A pattern of a predicate alone has nothing that a cue could name. @param concepts as in {@link standingOf}. */
export function namedBy(concepts: readonly string[], readings: readonly Reading[]): Named {
  const own = (readings[0] ?? []).filter(({ part }) => part !== 'predicate')
  if (concepts.length === 0 || own.length === 0) return 'none'
  return own.some(({ keys }) => concepts.some((concept) => keys.has(concept))) ? 'own' : 'other'
}

function shareOf<P extends { readonly part: keyof TriplePattern; readonly key: string }>(
  parts: readonly P[],
  telling: Telling,
  has: (part: P) => boolean,
): number {
  let all = 0
  let here = 0
  let missing = 0
  for (const part of parts) {
    const weight = telling(part.part, part.key)
    all += weight
    if (has(part)) here += weight
    else missing++
  }
  if (parts.length === 0) return 0
  return missing === 0 ? 1 : here / all
}
