import { log } from '../../base/exponential.js'
import type { Triple, TriplePattern } from '../../api/episode.js'
import { conceptKey } from '../../encoding/concept.js'
import type { Indexes } from '../../indexes/indexes.js'
import type { Names } from '../../indexes/names.js'

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

/**
 * {@link fitOf} as far as the names in its statements tell it, without reading the episode: the share of the given
 * parts that any of its statements has. It is no less, and more where several statements have a part each.
 */
export function namedFit(indexes: Indexes, slot: number, pattern: TriplePattern, telling: Telling): number {
  return shareOf(namesIn(indexes, pattern), telling, ({ names, key }) => names.has(key, slot))
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
export function standingOf(
  indexes: Indexes,
  pattern: TriplePattern,
  concepts: readonly string[],
  telling: Telling,
): Standing {
  const reach = shareOf(namesIn(indexes, pattern), telling, ({ names, key }) => names.count(key) > 0)
  return { reach, named: namedBy(concepts, pattern) }
}

/** A pattern of a predicate alone has nothing that a cue could name. @param concepts as in {@link standingOf}. */
export function namedBy(concepts: readonly string[], pattern: TriplePattern): Named {
  const own = givenIn(pattern).filter(({ part }) => part !== 'predicate')
  if (concepts.length === 0 || own.length === 0) return 'none'
  return own.some(({ key }) => concepts.includes(key)) ? 'own' : 'other'
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
