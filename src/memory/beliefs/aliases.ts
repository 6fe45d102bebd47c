import type { Triple } from '../../api/episode.js'
import { conceptKey } from '../../encoding/concept.js'
import { ALIAS_PHRASES, isAlias } from '../../extraction/concepts/alias-predicates.js'
import type { Visibility } from '../../indexes/visibility.js'
import type { Indexes } from '../../indexes/indexes.js'
import type { Names } from '../../indexes/names.js'
import type { MemoryContext } from '../context.js'

/** The predicates of episodes that give other names, as long as no predicate came or went. */
const kept = new WeakMap<Names, { readonly changes: number; readonly predicates: readonly string[] }>()

function aliasPredicates(names: Names): readonly string[] {
  const known = kept.get(names)
  if (known?.changes === names.changes) return known.predicates
  const found = new Set(
    ALIAS_PHRASES.flatMap((phrase) => names.mentioned(phrase).filter((predicate) => isAlias({ predicate }))),
  )
  kept.set(names, { changes: names.changes, predicates: [...found] })
  return [...found]
}

/** The episodes of a concept that give other names, in no order. */
function naming({ concepts, predicates }: Pick<Indexes, 'concepts' | 'predicates'>, key: string): number[] {
  const aliases = aliasPredicates(predicates)
  const uses = aliases.reduce((sum, predicate) => sum + predicates.count(predicate), 0)
  if (concepts.count(key) * aliases.length < uses) {
    return concepts.slots(key).filter((slot) => aliases.some((predicate) => predicates.has(predicate, slot)))
  }
  return aliases.flatMap((predicate) => predicates.slots(predicate).filter((slot) => concepts.has(key, slot)))
}

/**
 * The other names of a concept, by key, nearest first: an alias is one in both directions, and so is an alias of an
 * alias.
 *
 * @param believed the triples of the beliefs that say so; what episodes say that may be seen comes beside them.
 * @param before only episodes before this slot count.
 */
export async function aliasesOf(
  { indexes, fetch }: MemoryContext,
  concept: string,
  believed: readonly Triple[],
  visibility: Visibility,
  before = Infinity,
): Promise<string[]> {
  const read = new Set<number>()
  const known = [...believed]
  const found = new Set([conceptKey(concept)])
  // The set grows while it is walked.
  for (const key of found) {
    const fresh = naming(indexes, key).filter(
      (slot) => slot < before && !read.has(slot) && indexes.catalog.visible(slot, visibility),
    )
    const slots = [...new Set(fresh)].sort((a, b) => a - b)
    for (const slot of slots) read.add(slot)
    const episodes = slots.length === 0 ? [] : await fetch(slots)
    for (const episode of episodes) known.push(...(episode?.triples ?? []).filter(isAlias))
    for (const { subject, object } of known) {
      if (conceptKey(subject) === key) found.add(conceptKey(object))
      if (conceptKey(object) === key) found.add(conceptKey(subject))
    }
  }
  return [...found].slice(1)
}
