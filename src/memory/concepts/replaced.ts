import type { Episode, EpisodeId, Triple } from '../../api/episode.js'
import type { ReplacingStatement } from '../../api/recall.js'
import type { Indexes } from '../../indexes/indexes.js'
import type { Visibility } from '../../indexes/visibility.js'
import { statingOneAtATime } from '../../recall/answer/newest-first.js'
import { newestOf, type Statement, Statements } from './statements.js'

/** Episodes that name a concept of which it is looked up whether they state the relation: the newest so many. */
const MOST_NAMING = 2_048
/** Episodes that state one relation of one concept and are read: the newest so many. */
const MOST_STATING = 64

/** Which statements of some episodes newer ones replace. */
export interface Replaced {
  /** The newest statement that replaces one of an episode, by the episode. */
  readonly by: ReadonlyMap<EpisodeId, ReplacingStatement>
  /** The statements that one of an episode replaces, by the episode. */
  readonly of: ReadonlyMap<EpisodeId, readonly ReplacingStatement[]>
}

/**
 * Tells of the statements of some episodes, those of a relation with one object at a time, which a newer one replaces.
 * Only episodes are read that state the same relation of the same concept.
 *
 * @param fetch reads the episodes of live slots.
 */
export async function replacedAmong(
  indexes: Indexes,
  fetch: (slots: readonly number[]) => Promise<(Episode | undefined)[]>,
  slots: readonly number[],
  visibility: Visibility,
): Promise<Replaced> {
  const stating = statingOneAtATime(indexes, slots)
  const by = new Map<EpisodeId, ReplacingStatement>()
  const of = new Map<EpisodeId, ReplacingStatement[]>()
  if (stating.length === 0) return { by, of }
  for (const place of placesIn(indexes, await fetch(stating)))
    for (const [older, newer] of replacedIn(await statementsAt(indexes, fetch, place, visibility))) {
      for (const { episode, isNow } of older.said) if (isNow) by.set(episode.id, named(newer))
      for (const { episode } of newer.said) of.set(episode.id, [...(of.get(episode.id) ?? []), named(older)])
    }
  return { by, of }
}

/** The statements that a newer one replaces, each with it. */
function replacedIn(statements: readonly Statement[]): [older: Statement, newer: Statement][] {
  return statements.flatMap((older): [Statement, Statement][] => {
    const { end, said } = older
    if (end?.why !== 'replaced') return []
    const newer = statements.find((other) => other.end === undefined && newestOf(other).episode.id === end.by)
    // What one episode states both of, it does not replace.
    return newer === undefined || said.some(({ episode: { id } }) => id === end.by) ? [] : [[older, newer]]
  })
}

/** A relation of a concept of which one thing is true at a time. */
interface Place {
  readonly root: string
  readonly relation: string
}

/** What is true one at a time of what some episodes state, each once. */
function placesIn(indexes: Indexes, episodes: readonly (Episode | undefined)[]): Iterable<Place> {
  const places = new Map<string, Place>()
  for (const episode of episodes)
    for (const triple of episode?.triples ?? [])
      for (const place of placesOf(indexes, triple)) places.set(JSON.stringify([place.root, place.relation]), place)
  return places.values()
}

function placesOf({ ontology, conceptNames }: Indexes, { subject, predicate, object }: Triple): Place[] {
  if (!ontology.hasOneAtATime(predicate)) return []
  const [one, other] = [conceptNames.rootOf(subject), conceptNames.rootOf(object)]
  const { relation, subject: root, object: end, isSymmetric } = ontology.ordered(one, predicate, other, byText)
  return isSymmetric ? [root, end].map((root) => ({ root, relation })) : [{ root, relation }]
}

/** What visible episodes state of a place, the newest of them. */
async function statementsAt(
  indexes: Indexes,
  fetch: (slots: readonly number[]) => Promise<(Episode | undefined)[]>,
  { root, relation }: Place,
  visibility: Visibility,
): Promise<Statement[]> {
  const { conceptNames, predicates, ontology, catalog } = indexes
  const states = (name: string) => ontology.of(name).name === relation || ontology.inverseOf(name) === relation
  const stating = conceptNames
    .slots(conceptNames.keysOf(root))
    .slice(-MOST_NAMING)
    .filter((slot) => catalog.visible(slot, visibility) && predicates.of(slot).some(states))
    .slice(-MOST_STATING)
  const statements = new Statements(indexes, visibility.validAsOf ?? visibility.now)
  const isAbout = (subject: string, object: string) => subject === root || object === root
  for (const [i, episode] of (await fetch(stating)).entries())
    if (episode !== undefined) statements.add(stating[i], episode, isAbout)
  return statements.all().filter(({ meant }) => meant.relation === relation)
}

/** A statement as the newest of its episodes makes it. */
function named(statement: Statement): ReplacingStatement {
  const { episode, triple } = newestOf(statement)
  const { subject, predicate, object } = triple
  return { id: episode.id, statement: `${subject} ${predicate} ${object}` }
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
