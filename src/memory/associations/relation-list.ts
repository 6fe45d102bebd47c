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
  for (let at = 0; at < sorted.length && relations.length < MOST; at += AT_ONCE) {
    const some = sorted.slice(at, at + AT_ONCE).map((group) => ({
      group,
      slots: [...group.slots].sort((a, b) => b - a).slice(0, MOST_EPISODES),
      // Several predicates may have no type; for a question about one of them the text is read.
      isRead: isPredicate && group.type === 'OTHER',
    }))
    const stated = await triplesOf(
      fetch,
      some.flatMap(({ slots, isRead }) => (isRead ? slots : slots.slice(0, 1))),
    )
    for (const { group, slots, isRead } of some) {
      const said = statedBy(indexes, group, isRead ? slots : slots.slice(0, 1), stated)
      const ends = { from: list.name(group.from), type: group.type, to: list.name(group.to) }
      const episodes = (some: readonly number[]) => some.flatMap((slot) => indexes.catalog.id(slot) ?? [])
      if (!isRead) {
        const predicate = said[0]?.predicate ?? group.predicate ?? group.type
        relations.push({ ...ends, predicate, weight: group.weight, episodes: episodes(slots) })
        continue
      }
      const fits = said.filter(({ predicate }) => isSame(predicate, type!))
      const isGiven = group.predicate !== undefined && isSame(group.predicate, type!)
      const predicate = fits[0]?.predicate ?? group.predicate
      if (predicate === undefined || (fits.length === 0 && !isGiven)) continue
      const weight = isGiven ? group.weight : fits.length
      relations.push({ ...ends, predicate, weight, episodes: episodes(fits.map(({ slot }) => slot)) })
    }
  }
  return relations.slice(0, MOST)
}

function grouped(
  { entities, conceptNames }: Indexes,
  said: ReadonlyMap<string, string>,
  { from, to }: RelationQuery,
  wanted: RelationType | undefined,
): Map<string, Group> {
  const { relations, graph } = entities
  const groups = new Map<string, Group>()
  const ofEdge = new Map<number, Group>()
  const sources = new Set<string>()
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
    ofEdge.set(number, one)
    sources.add(edge.from)
  }
  for (const key of sources) {
    const entity = graph.find(key)
    if (entity === undefined) continue
    for (const slot of graph.slots(entity))
      for (const edge of relations.of(slot)) if (entities.states(slot, edge)) ofEdge.get(edge)?.slots.add(slot)
  }
  return groups
}

/** The statements of episodes, by their slots. */
async function triplesOf(
  fetch: GraphSources['fetch'],
  slots: readonly number[],
): Promise<Map<number, Episode['triples']>> {
  const triples = new Map<number, Episode['triples']>()
  const wanted = [...new Set(slots)]
  for (let i = 0; i < wanted.length; i += AT_ONCE) {
    const some = wanted.slice(i, i + AT_ONCE)
    const episodes = await fetch(some)
    episodes.forEach((episode, at) => triples.set(some[at], episode?.triples ?? []))
  }
  return triples
}

/** What episodes say of a relation, in their order. */
function statedBy(
  { conceptNames }: Indexes,
  group: Group,
  slots: readonly number[],
  stated: ReadonlyMap<number, Episode['triples']>,
): { readonly slot: number; readonly predicate: string }[] {
  return slots.flatMap((slot) =>
    (stated.get(slot) ?? []).flatMap(({ subject, predicate, object }) => {
      const edge = edgeOf(subject, predicate, object)
      const isIt =
        edge.type === group.type &&
        conceptNames.rootOf(edge.from) === group.from &&
        conceptNames.rootOf(edge.to) === group.to
      return isIt ? [{ slot, predicate }] : []
    }),
  )
}

function isSame(predicate: string, other: string): boolean {
  return stemsOf(predicate).stems === stemsOf(other).stems
}

function order({ from, type, to }: Group): string {
  return JSON.stringify([from, type, to])
}
