import type { Triple, TriplePattern } from '../../api/episode.js'
import { conceptKey } from '../../encoding/concept.js'
import type { Ontology } from '../../encoding/ontology.js'
import type { Indexes } from '../../indexes/indexes.js'
import type { Names } from '../../indexes/names.js'

/** A part that a pattern gives, and where a statement may have it. */
export interface ReadPart {
  /** The part of the pattern, and the key of its name. */
  readonly part: keyof TriplePattern
  readonly key: string
  /** The part of a statement in which it stands. */
  readonly stands: keyof Triple
  /** The keys of all names that mean the same, its own first. */
  readonly keys: ReadonlySet<string>
  /** Where episodes are found by these. */
  readonly names: Names
}

/** A pattern in one of the orders in which a statement may say it. */
export type Reading = readonly ReadPart[]

/**
 * In which ways statements may say a pattern: under any name of its concepts, with any predicate of the same relation,
 * and with subject and object exchanged by the inverse relation. A statement fits that has all parts of one reading.
 */
export function readingsOf(indexes: Indexes, pattern: TriplePattern): Reading[] {
  const { concepts, predicates, conceptNames } = indexes
  const { subject, predicate, object } = pattern
  const named = (part: 'subject' | 'object', stands: 'subject' | 'object', name: string | undefined): ReadPart[] => {
    if (name === undefined) return []
    const key = conceptKey(name)
    const keys = new Set([key, ...conceptNames.spellings(conceptNames.keysOf(name)).map(conceptKey)])
    return [{ part, key, stands, keys, names: concepts }]
  }
  const saying = (keys: Iterable<string>): ReadPart[] => {
    if (predicate === undefined) return []
    const part = 'predicate'
    return [{ part, key: conceptKey(predicate), stands: part, keys: new Set(keys), names: predicates }]
  }
  const { same, inverse } = predicate === undefined ? NONE : predicatesLike(indexes, predicate)
  const own = predicate === undefined ? [] : [conceptKey(predicate)]
  const straight = [
    ...named('subject', 'subject', subject),
    ...saying([...own, ...same]),
    ...named('object', 'object', object),
  ]
  if (inverse.length === 0) return [straight]
  return [straight, [...named('subject', 'object', subject), ...saying(inverse), ...named('object', 'subject', object)]]
}

/** The slots of the episodes that have the rarest part of a reading; none where nothing has one of its names. */
export function rarestOfReadings(readings: readonly Reading[]): Set<number> {
  const slots = new Set<number>()
  for (const reading of readings) {
    const [rarest] = [...reading].sort((a, b) => countOf(a) - countOf(b))
    if (rarest === undefined) continue
    for (const key of rarest.keys) for (const slot of rarest.names.slots(key)) slots.add(slot)
  }
  return slots
}

/** How many uses the names of a part have. */
export function countOf({ names, keys }: ReadPart): number {
  let count = 0
  for (const key of keys) count += names.count(key)
  return count
}

interface Like {
  /** The keys of the predicates in statements that say the same. */
  readonly same: readonly string[]
  /** Those that say the same with subject and object exchanged. */
  readonly inverse: readonly string[]
}

const NONE: Like = { same: [], inverse: [] }
/** Predicates that were asked for, by the names of a memory, as long as none came or went. */
const kept = new WeakMap<
  Names,
  { readonly changes: number; readonly ontology: Ontology; readonly like: Map<string, Like> }
>()
/** Predicates that are kept, before all are dropped. */
const MOST_KEPT = 256

function predicatesLike({ predicates, ontology }: Pick<Indexes, 'predicates' | 'ontology'>, predicate: string): Like {
  let known = kept.get(predicates)
  if (known?.changes !== predicates.changes || known.ontology !== ontology || known.like.size >= MOST_KEPT)
    kept.set(predicates, (known = { changes: predicates.changes, ontology, like: new Map() }))
  const found = known.like.get(predicate)
  if (found !== undefined) return found
  const like = { same: [] as string[], inverse: [] as string[] }
  for (const other of predicates.all()) {
    const { same, inverse } = ontology.compare(predicate, other)
    if (same) like.same.push(other)
    if (inverse) like.inverse.push(other)
  }
  known.like.set(predicate, like)
  return like
}
