import type { EdgeKind } from '../../api/graph.js'
import type { Indexes } from '../../indexes/indexes.js'

/** The factor of a weight for one step of each kind. */
export const LEFT = { association: 0.3, forward: 0.8, backward: 0.7, entity: 0.25 } as const
/** Episodes that an entity leads to, the newest ones; what more name leads to none, since it tells nothing. */
const FAN = 1_000

/** A node of the graphs: an episode by its slot, or an entity by the root of its concept. */
export type GraphNode = number | string

/** A step from a node to another. */
export interface Step {
  readonly to: GraphNode
  /** Between entities the type of their relation. */
  readonly edge: EdgeKind | string
  /** 0 to 1. */
  readonly weight: number
}

/** The kinds of edges that are walked. */
export type Kinds = ReadonlySet<string>

export const ALL_KINDS: Kinds = new Set(['association', 'forward', 'backward', 'entity'])

/** The concepts that an episode names, by their roots, sorted. */
export function rootsOf({ entities, conceptNames }: Indexes, slot: number): string[] {
  const roots = new Set<string>()
  for (const entity of entities.graph.entitiesOf(slot)) {
    const key = entities.key(entity)
    if (key !== undefined) roots.add(conceptNames.rootOf(key))
  }
  return [...roots].sort()
}

/** All keys of names under which the graph of entities knows a concept. */
export function keysOf({ conceptNames, entities }: Indexes, name: string, identityOf: (name: string) => string) {
  const keys = new Set(conceptNames.keysOf(name))
  for (const spelled of conceptNames.spellings(keys)) keys.add(identityOf(spelled))
  keys.add(identityOf(name))
  return [...keys].filter((key) => entities.graph.find(key) !== undefined).sort()
}

/** The steps from an episode. */
export function* stepsFromEpisode(indexes: Indexes, slot: number, kinds: Kinds): Generator<Step> {
  const { associations, timeline, entities, conceptNames } = indexes
  if (kinds.has('association')) {
    const { slots, weights } = associations.graph.neighbours(slot)
    let sum = 0
    for (const weight of weights) sum += weight
    for (let i = 0; i < slots.length; i++)
      yield { to: slots[i], edge: 'association', weight: LEFT.association * (weights[i] / sum) }
  }
  if (kinds.has('forward') && timeline.next(slot) >= 0)
    yield { to: timeline.next(slot), edge: 'forward', weight: LEFT.forward }
  if (kinds.has('backward') && timeline.previous(slot) >= 0)
    yield { to: timeline.previous(slot), edge: 'backward', weight: LEFT.backward }
  if (!kinds.has('entity')) return
  for (const root of rootsOf(indexes, slot)) {
    const entity = entities.graph.find(root) ?? entities.graph.find([...conceptNames.keysOf(root)][0])
    yield { to: root, edge: 'entity', weight: entity === undefined ? 1 : entities.graph.specificity(entity) }
  }
}

/** The steps from an entity to the episodes that name it, the newest first; none where very many do. */
export function* stepsToEpisodes({ conceptNames }: Indexes, root: string): Generator<Step> {
  const slots = conceptNames.slots(conceptNames.keysOf(root))
  if (slots.length > FAN) return
  for (let i = slots.length - 1; i >= 0; i--) yield { to: slots[i], edge: 'entity', weight: LEFT.entity }
}

/** The steps from an entity to those that it has to do with, either way. */
export function* stepsToEntities({ entities, conceptNames }: Indexes, keys: readonly string[]): Generator<Step> {
  const { relations } = entities
  const found: Step[] = []
  let sum = 0
  for (const key of keys)
    for (const edge of relations.at(key)) {
      const weight = relations.weight(edge)
      if (weight <= 0) continue
      const { from, type, to } = relations.edge(edge)
      sum += weight
      found.push({ to: conceptNames.rootOf(from === key ? to : from), edge: type, weight })
    }
  for (const step of found) yield { ...step, weight: step.weight / sum }
}
