import type { Triple, TriplePattern } from '../../api/episode.js'
import { conceptKey } from '../../encoding/concept.js'
import type { Indexes } from '../../indexes/indexes.js'
import type { Names } from '../../indexes/names.js'

const PARTS = ['subject', 'predicate', 'object'] as const

/** The names that a pattern gives, each with where episodes are found by it. */
function namesIn(
  { concepts, predicates }: Indexes,
  pattern: TriplePattern,
): { readonly names: Names; readonly key: string }[] {
  return PARTS.flatMap((part) =>
    pattern[part] === undefined
      ? []
      : { names: part === 'predicate' ? predicates : concepts, key: conceptKey(pattern[part]) },
  )
}

/** The episodes that have the name of a pattern that fewest have; none where nothing has one of its names. */
export function rarestOf(indexes: Indexes, pattern: TriplePattern): Iterable<number> {
  const [rarest] = namesIn(indexes, pattern).sort((a, b) => a.names.count(a.key) - b.names.count(b.key))
  return rarest === undefined ? [] : rarest.names.slots(rarest.key)
}

/**
 * How well statements fit a pattern: of the one that fits best, the share of the given parts that are the same, 0 to 1.
 * Spelling is folded as for concepts. 0 where there are no statements, or nothing is given.
 */
export function fitOf(triples: readonly Triple[], pattern: TriplePattern): number {
  const parts = PARTS.flatMap((part) => (pattern[part] === undefined ? [] : { part, key: conceptKey(pattern[part]) }))
  let most = 0
  for (const triple of triples)
    most = Math.max(most, parts.filter(({ part, key }) => conceptKey(triple[part]) === key).length)
  return parts.length === 0 ? 0 : most / parts.length
}

/**
 * {@link fitOf} as far as the names in its statements tell it, without reading the episode: the share of the given
 * parts that any of its statements has. It is no less, and more where several statements have a part each.
 */
export function namedFit(indexes: Indexes, slot: number, pattern: TriplePattern): number {
  const wanted = namesIn(indexes, pattern)
  return wanted.length === 0 ? 0 : wanted.filter(({ names, key }) => names.has(key, slot)).length / wanted.length
}
