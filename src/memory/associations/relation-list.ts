import type { Episode } from '../../api/episode.js'
import type { GraphRelation, RelationType } from '../../api/graph.js'
import { said as stemsOf } from '../../encoding/predicate.js'
import type { Indexes } from '../../indexes/indexes.js'
import { edgeOf } from '../../indexes/graph/entities.js'
import { isRelationType, relationTypeOf } from '../../indexes/graph/relation-types.js'
import { nameOf } from '../../indexes/graph/relations.js'
import type { GraphSources } from './sources.js'
import type { EntityList } from './entity-list.js'

/** Relations that are answered at most, and the episodes that are named or read of each. */
const MOST = 10_000
const MOST_EPISODES = 1_000
/** Rows that are read at once. */
const AT_ONCE = 256

/** Which relations are asked for; what is absent is open. */
export interface RelationQuery {
  /** Keys. */
  readonly from?: readonly string[]
  readonly to?: readonly string[]
  readonly type?: string
}

/** A relation between two concepts, whatever their names. */
interface Group {
  readonly from: string
  readonly type: RelationType
  readonly to: string
  weight: number
  /** Of the episodes that state it and were not forgotten with an edge. */
  readonly slots: Set<number>
  /** As callers said it. */
  predicate?: string
}

/** Who has to do with whom. */
export async function relationsOf(
  { indexes, fetch }: Pick<GraphSources, 'indexes' | 'fetch'>,
  list: EntityList,
  said: ReadonlyMap<string, string>,
  query: RelationQuery,
): Promise<GraphRelation[]> {
  const { type } = query
  const isPredicate = type !== undefined && !isRelationType(type)
  const wanted = type === undefined ? undefined : (relationTypeOf(type) ?? 'OTHER')
  const groups = grouped(indexes, said, query, wanted)
  const sorted = [...groups.values()].sort((a, b) => b.weight - a.weight || (order(a) < order(b) ? -1 : 1))
  const relations: GraphRelation[] = []
  for (const group of sorted) {
    if (relations.length === MOST) break
    const slots = [...group.slots].sort((a, b) => b - a).slice(0, MOST_EPISODES)
    // Several predicates may be of no type; whoever asks for one reads what was said.
    const isRead = isPredicate && group.type === 'OTHER'
    const stated = await statedBy(indexes, fetch, group, isRead ? slots : slots.slice(0, 1))
    const fits = isRead ? stated.filter(({ predicate }) => isSame(predicate, type)) : stated
    const isGiven = group.predicate !== undefined && (!isRead || isSame(group.predicate, type))
    if (isRead && fits.length === 0 && !isGiven) continue
    const episodes = isRead ? fits.map(({ slot }) => slot) : slots
    relations.push({
      from: list.name(group.from),
      type: group.type,
      predicate: fits[0]?.predicate ?? group.predicate ?? group.type,
      to: list.name(group.to),
      weight: isRead && !isGiven ? fits.length : group.weight,
      episodes: episodes.map((slot) => indexes.catalog.id(slot)!),
    })
  }
  return relations
}

function grouped(
  { entities, conceptNames }: Indexes,
  said: ReadonlyMap<string, string>,
  { from, to }: RelationQuery,
  wanted: RelationType | undefined,
): Map<string, Group> {
  const { relations, graph } = entities
  const groups = new Map<string, Group>()
  const keys = from ?? to
  const edges = keys === undefined ? relations.all() : keys.flatMap((key) => [...relations.at(key)])
  for (const number of new Set(edges)) {
    const edge = relations.edge(number)
    const weight = relations.weight(number)
    const passes =
      weight > 0 &&
      (wanted === undefined || edge.type === wanted) &&
      (from === undefined || from.includes(edge.from)) &&
      (to === undefined || to.includes(edge.to))
    if (!passes) continue
    const group: Group = {
      from: conceptNames.rootOf(edge.from),
      type: edge.type,
      to: conceptNames.rootOf(edge.to),
      weight: 0,
      slots: new Set(),
    }
    const one = groups.get(order(group)) ?? group
    groups.set(order(group), one)
    one.weight += weight
    one.predicate ??= said.get(nameOf(edge))
    const entity = graph.find(edge.from)
    if (entity === undefined) continue
    for (const slot of graph.slots(entity)) if (entities.states(slot, number)) one.slots.add(slot)
  }
  return groups
}

/** What episodes say of a relation, in their order. */
async function statedBy(
  { conceptNames }: Indexes,
  fetch: GraphSources['fetch'],
  group: Group,
  slots: readonly number[],
): Promise<{ readonly slot: number; readonly predicate: string }[]> {
  const stated: { slot: number; predicate: string }[] = []
  for (let i = 0; i < slots.length; i += AT_ONCE) {
    const some = slots.slice(i, i + AT_ONCE)
    const episodes = await fetch(some)
    episodes.forEach((episode: Episode | undefined, at) => {
      for (const { subject, predicate, object } of episode?.triples ?? []) {
        const edge = edgeOf(subject, predicate, object)
        const isIt =
          edge.type === group.type &&
          conceptNames.rootOf(edge.from) === group.from &&
          conceptNames.rootOf(edge.to) === group.to
        if (isIt) stated.push({ slot: some[at], predicate })
      }
    })
  }
  return stated
}

function isSame(predicate: string, other: string): boolean {
  return stemsOf(predicate).stems === stemsOf(other).stems
}

function order({ from, type, to }: Group): string {
  return JSON.stringify([from, type, to])
}
