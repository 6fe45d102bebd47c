import type { Episode, Triple, TriplePattern } from '../../api/episode.js'
import type { Polarity } from '../../api/extractor.js'
import type { MatchedStatement } from '../../api/recall.js'
import { slotsOf } from '../../base/bits.js'
import { conceptKey } from '../../encoding/concept.js'
import { said } from '../../encoding/predicate.js'
import { objectKey, relationOf } from '../../encoding/relation.js'
import { unexpiredSlots } from '../../indexes/filter.js'
import type { Indexes } from '../../indexes/indexes.js'
import type { Visibility } from '../../indexes/visibility.js'
import type { Fitting } from '../evidence/pattern.js'
import type { Fetch } from '../query/times.js'

/** A statement to look for exactly: a pattern with conditions that a pattern alone cannot state. */
export interface StatementPattern {
  readonly pattern: TriplePattern
  readonly polarity?: Polarity
  readonly subjectType?: string
  readonly objectType?: string
}

/** Episodes that are read at once. */
const ROWS_PER_READ = 256

/**
 * Looks a pattern up in the indexes of statements, and reads the episodes that have its names: what is visible and has
 * a statement that fits in every part.
 */
export async function fittingStatements(
  indexes: Indexes,
  fetch: Fetch,
  wanted: StatementPattern,
  visibility: Visibility,
): Promise<Fitting> {
  const { pattern, polarity, subjectType, objectType } = wanted
  const isVisible = visibleIn(indexes, visibility)
  const asksForTime = [...Object.values(pattern), polarity, subjectType, objectType].every((part) => part === undefined)
  if (asksForTime) return new Map([...slotsOf(indexes.catalog.live)].filter(isVisible).map((slot) => [slot, undefined]))
  const subjects = subjectType === undefined ? undefined : await instancesOf(indexes, fetch, subjectType, isVisible)
  const objects = objectType === undefined ? undefined : await instancesOf(indexes, fetch, objectType, isVisible)
  const fitting = new Map<number, MatchedStatement>()
  for await (const [slot, episode] of read(fetch, slotsFor(indexes, pattern).filter(isVisible))) {
    const isOfType = (instances: ReadonlySet<string> | undefined, name: string, type: string | undefined) =>
      instances === undefined || instances.has(objectKey(name)) || isEntity(episode, name, type!)
    for (const triple of episode.triples) {
      const [found, asked] = inEitherOrder(indexes, triple, wanted)
      if (found === undefined) continue
      if (!isOfType(subjects, asked.subject, subjectType) || !isOfType(objects, asked.object, objectType)) continue
      fitting.set(slot, { ...triple, polarity: found })
      break
    }
  }
  return fitting
}

/** Tells whether a slot is visible and has not expired. */
function visibleIn(indexes: Indexes, visibility: Visibility): (slot: number) => boolean {
  const among = unexpiredSlots(indexes, undefined, visibility.now)
  const isVisible = indexes.catalog.seeing(visibility)
  if (among === undefined) return isVisible
  const unexpired = new Set(slotsOf(among))
  return (slot) => unexpired.has(slot) && isVisible(slot)
}

/** The slots that have every name of a pattern, in any role, ascending. */
function slotsFor(indexes: Indexes, { subject, predicate, object }: TriplePattern): number[] {
  const { concepts, predicates, conceptNames, ontology } = indexes
  const lists: ReadonlySet<number>[] = []
  for (const name of [subject, object]) {
    if (name === undefined) continue
    const keys = [conceptKey(name), ...conceptNames.spellings(conceptNames.keysOf(name)).map(conceptKey)]
    lists.push(new Set(keys.flatMap((key) => concepts.slots(key))))
  }
  if (predicate !== undefined || lists.length === 0) {
    const slots = new Set<number>()
    for (const known of predicates.all())
      if (
        predicate === undefined ||
        isSameRelation(indexes, predicate, known) ||
        ontology.compare(predicate, known).inverse
      )
        for (const slot of predicates.slots(known)) slots.add(slot)
    lists.push(slots)
  }
  const [fewest, ...others] = lists.sort((a, b) => a.size - b.size)
  return [...fewest].filter((slot) => others.every((slots) => slots.has(slot))).sort((a, b) => a - b)
}

/**
 * {@link polarityIn} of a statement as it is said, or with subject and object exchanged where its relation is the
 * inverse of the one that is asked for; with the statement in the order of the pattern.
 */
function inEitherOrder(
  indexes: Indexes,
  triple: Triple,
  wanted: StatementPattern,
): readonly [polarity: Polarity | undefined, asked: Triple] {
  const { predicate } = wanted.pattern
  const found = polarityIn(indexes, triple, wanted)
  if (found !== undefined || predicate === undefined || !indexes.ontology.compare(predicate, triple.predicate).inverse)
    return [found, triple]
  const turned = { subject: triple.object, predicate, object: triple.subject }
  return [polarityIn(indexes, turned, wanted), turned]
}

/** The polarity of a statement that fits all but the types of a pattern; `undefined` for one that does not. */
function polarityIn(indexes: Indexes, triple: Triple, { pattern, polarity }: StatementPattern): Polarity | undefined {
  for (const part of ['subject', 'object'] as const)
    if (pattern[part] !== undefined && !isSameConcept(indexes, pattern[part], triple[part])) return undefined
  if (pattern.predicate === undefined) {
    const own = said(triple.predicate).negated ? 'negative' : 'positive'
    return polarity === undefined || polarity === own ? own : undefined
  }
  if (!isSameRelation(indexes, pattern.predicate, triple.predicate)) return undefined
  const asked = relationOf(pattern.predicate).holds
  const told = relationOf(triple.predicate).holds
  const isWanted = polarity === undefined ? told === asked : told === (polarity === 'positive')
  return isWanted ? (told === true ? 'positive' : 'negative') : undefined
}

/**
 * Whether a predicate of a statement is the predicate of a pattern: spelled the same, a synonym, or a denial of one. A
 * predicate that says more than a relation, as "loves" does of "likes", is looked for by its own words.
 */
function isSameRelation({ ontology }: Indexes, asked: string, told: string): boolean {
  if (conceptKey(asked) === conceptKey(told) || ontology.compare(asked, told).same) return true
  const relation = relationOf(asked)
  return relation.isExact ? relation.name === relationOf(told).name : said(asked).stems === said(told).stems
}

/** Whether two names are of one concept. */
function isSameConcept({ conceptNames }: Indexes, a: string, b: string): boolean {
  return conceptKey(a) === conceptKey(b) || conceptNames.rootOf(a) === conceptNames.rootOf(b)
}

/** Predicates that say of which type their subject is. */
const TYPING: ReadonlySet<string> = new Set(['be', 'be type of', 'type', 'type of', 'kind of', 'instance of'])

/** The keys of the concepts of which a visible statement says that they are of a type. */
async function instancesOf(
  { concepts, predicates }: Indexes,
  fetch: Fetch,
  type: string,
  isVisible: (slot: number) => boolean,
): Promise<ReadonlySet<string>> {
  const key = objectKey(type)
  const typing = new Set<number>()
  for (const predicate of predicates.all())
    if (isTyping(predicate)) for (const slot of predicates.slots(predicate)) typing.add(slot)
  const slots = new Set<number>()
  for (const concept of concepts.all())
    if (objectKey(concept) === key) for (const slot of concepts.slots(concept)) if (typing.has(slot)) slots.add(slot)
  const found = new Set<string>()
  for await (const [, { triples }] of read(fetch, [...slots].filter(isVisible)))
    for (const { subject, predicate, object } of triples)
      if (isTyping(predicate) && objectKey(object) === key) found.add(objectKey(subject))
  return found
}

function isTyping(predicate: string): boolean {
  const { stems, negated } = said(predicate)
  return !negated && TYPING.has(stems)
}

/** Whether an extractor found the name in the text of the episode, with this type. */
function isEntity({ extraction }: Episode, name: string, type: string): boolean {
  return (
    extraction?.entities.some(
      (entity) => objectKey(entity.text) === objectKey(name) && conceptKey(entity.type) === conceptKey(type),
    ) === true
  )
}

/** The episodes of slots that are there, page by page. */
async function* read(
  fetch: Fetch,
  slots: readonly number[],
): AsyncGenerator<readonly [slot: number, episode: Episode]> {
  for (let from = 0; from < slots.length; from += ROWS_PER_READ) {
    const page = slots.slice(from, from + ROWS_PER_READ)
    for (const [i, episode] of (await fetch(page)).entries()) if (episode !== undefined) yield [page[i], episode]
  }
}
