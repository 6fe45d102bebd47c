import { checkChoice, checkId, checkKeys, checkList, checkText, checkWhole, invalid } from '../../api/check.js'
import type { EpisodeId } from '../../api/episode.js'
import {
  type ActivateOptions,
  EDGE_KINDS,
  type EntitiesOptions,
  ENTITY_TYPES,
  type GraphActivation,
  type GraphEntity,
  type GraphEntityDetail,
  type GraphFormat,
  type GraphNeighbour,
  type GraphPath,
  type GraphRelation,
  type GraphStats,
  type GraphTimeline,
  type NeighboursOptions,
  type PathsOptions,
  type RelationType,
  type TimelineOptions,
  type WhyStep,
} from '../../api/graph.js'
import { AgidbError } from '../../base/errors.js'
import { identityOf } from '../../extraction/concepts/identity.js'
import { edgeOf } from '../../indexes/graph/entities.js'
import { nameOf, type RelationEdge } from '../../indexes/graph/relations.js'
import { pathOf } from '../../kernel/graph.js'
import type { GraphSources } from './sources.js'
import { EntityList } from './entity-list.js'
import { exported } from './export.js'
import { near } from './near.js'
import { shortestWays, type Taken } from './paths.js'
import { relationsOf } from './relation-list.js'
import { ALL_KINDS, type GraphNode } from './steps.js'

const MOST = 1_000
const MOST_HOPS = 4
const MOST_ENTITIES = 10_000
const MOST_PATHS = 100
/** Episodes and relations that are told of one entity. */
const MOST_TOLD = 1_000

/** What answers questions about the graphs. Loaded when the first is asked. */
export class GraphQueries {
  readonly #context: GraphSources

  constructor(context: GraphSources) {
    this.#context = context
  }

  neighbours(id: EpisodeId, options: NeighboursOptions = {}): GraphNeighbour[] {
    const { limits, indexes } = this.#context
    checkId('id', id, limits)
    checkKeys('neighbours', options, ['depth', 'kinds', 'k'])
    const { depth = 1, kinds, k = 50 } = options
    checkWhole('depth', depth, 1, MOST_HOPS)
    checkWhole('k', k, 1, MOST)
    if (kinds !== undefined) {
      const steps = EDGE_KINDS.filter((kind) => kind !== 'pageRank')
      for (const [i, kind] of checkList('kinds', kinds, limits, { items: steps.length }).entries())
        checkChoice(`kinds[${i}]`, kind, steps)
    }
    const slot = indexes.catalog.slot(id)
    if (slot === undefined) return []
    const list = this.#entityList()
    return near(indexes, slot, depth, kinds === undefined ? ALL_KINDS : new Set(kinds), k).map(
      ({ slot, hops, weight, steps }) => ({
        id: indexes.catalog.id(slot)!,
        hops,
        weight,
        why: this.#why(steps, list),
      }),
    )
  }

  activate(ids: readonly EpisodeId[], options: ActivateOptions = {}): GraphActivation[] {
    const { limits, indexes } = this.#context
    const given = checkList('ids', ids, limits, { items: MOST })
    if (given.length === 0) throw invalid('ids is empty; expected the id of an episode or more', { what: 'ids' })
    for (const [i, id] of given.entries()) checkId(`ids[${i}]`, id, limits)
    checkKeys('activate', options, ['depth', 'k'])
    const { depth = 2, k = 10 } = options
    checkWhole('depth', depth, 1, MOST_HOPS)
    checkWhole('k', k, 1, MOST)
    const { catalog, associations } = indexes
    const seeds = [...new Set(given.map((id) => catalog.slot(id)))].filter((slot) => slot !== undefined)
    const slots = Uint32Array.from(seeds.sort((a, b) => a - b))
    const strengths = new Float32Array(slots.length).fill(1)
    const reached = associations.graph.activate(slots, strengths, { depth, most: k })
    return Array.from(reached.nodes, (slot, i): GraphActivation => {
      const path = pathOf(reached, i)
      const why = Array.from(path.subarray(1), (to, at): WhyStep => {
        const from = path[at]
        const { weights } = associations.graph.neighbours(from)
        const sum = weights.reduce((sum, weight) => sum + weight, 0)
        const weight = associations.graph.weight(from, to) / sum
        return { from: catalog.id(from)!, edge: 'association', weight, to: catalog.id(to)! }
      })
      return { id: catalog.id(slot)!, activation: reached.activations[i], why }
    })
  }

  timeline(id: EpisodeId, options: TimelineOptions = {}): GraphTimeline {
    const { limits, indexes } = this.#context
    checkId('id', id, limits)
    checkKeys('timeline', options, ['before', 'after'])
    const { before = 3, after = 3 } = options
    checkWhole('before', before, 0, MOST)
    checkWhole('after', after, 0, MOST)
    const { catalog, timeline } = indexes
    const slot = catalog.slot(id)
    if (slot === undefined)
      throw new AgidbError('AGIDB_NOT_FOUND', `there is no episode with the id ${JSON.stringify(id)}`, { id })
    const along = (step: (slot: number) => number, most: number): EpisodeId[] => {
      const ids: EpisodeId[] = []
      for (let at = step(slot); at >= 0 && ids.length < most; at = step(at)) ids.push(catalog.id(at)!)
      return ids
    }
    const session = catalog.sessions.name(catalog.session(slot))
    return {
      ...(session !== undefined && { session }),
      before: along((at) => timeline.previous(at), before).reverse(),
      after: along((at) => timeline.next(at), after),
    }
  }

  entities(options: EntitiesOptions = {}): GraphEntity[] {
    checkKeys('entities', options, ['type', 'k'])
    const { type, k = 100 } = options
    if (type !== undefined) checkChoice('type', type, ENTITY_TYPES)
    checkWhole('k', k, 1, MOST_ENTITIES)
    const list = this.#entityList()
    const entities = Array.from(list.all(), (root) => list.tell(root))
    return entities
      .filter((entity) => type === undefined || entity.type === type)
      .sort((a, b) => b.mentions - a.mentions || b.degree - a.degree || (a.name < b.name ? -1 : 1))
      .slice(0, k)
  }

  async entity(name: string): Promise<GraphEntityDetail | undefined> {
    const { limits, indexes } = this.#context
    checkText('name', name, limits, 'nameBytes')
    const list = this.#entityList()
    const root = list.find(name)
    if (root === undefined) return undefined
    const slots = indexes.conceptNames.slots(indexes.conceptNames.keysOf(root)).slice(-MOST_TOLD).reverse()
    const keys = list.keys(root)
    const [to, from] = [await this.#relations(list, { to: keys }), await this.#relations(list, { from: keys })]
    const relations = [...from, ...to].sort((a, b) => b.weight - a.weight).slice(0, MOST_TOLD)
    const episodes = slots.flatMap((slot) => indexes.catalog.id(slot) ?? [])
    if (episodes.length === 0 && relations.length === 0) return undefined
    return { ...list.tell(root), episodes, relations }
  }

  async relations(from?: string, to?: string, type?: RelationType | string): Promise<GraphRelation[]> {
    const { limits } = this.#context
    for (const [what, value] of Object.entries({ from, to, type }))
      if (value !== undefined) checkText(what, value, limits, 'nameBytes')
    const list = this.#entityList()
    const ends = {
      ...(from !== undefined && { from: list.keys(from) }),
      ...(to !== undefined && { to: list.keys(to) }),
    }
    return this.#relations(list, { ...ends, ...(type !== undefined && { type }) })
  }

  paths(a: EpisodeId | string, b: EpisodeId | string, options: PathsOptions = {}): GraphPath[] {
    const { limits, indexes } = this.#context
    checkText('a', a, limits, 'nameBytes')
    checkText('b', b, limits, 'nameBytes')
    checkKeys('paths', options, ['maxHops', 'k'])
    const { maxHops = 3, k = 5 } = options
    checkWhole('maxHops', maxHops, 1, MOST_HOPS)
    checkWhole('k', k, 1, MOST_PATHS)
    const list = this.#entityList()
    const [from, to] = [a, b].map((end): GraphNode | undefined => indexes.catalog.slot(end) ?? list.find(end))
    if (from === undefined || to === undefined) return []
    return shortestWays(indexes, from, to, maxHops, k).map(({ steps, weight }) => ({
      steps: this.#why(steps, list),
      weight,
    }))
  }

  export(format: GraphFormat = 'json'): ReadableStream<Uint8Array> {
    checkChoice('format', format, ['graphml', 'json'])
    return exported(this.#context, this.#entityList(), format)
  }

  stats(): GraphStats {
    const { associations, chain, entities } = this.#context.indexes
    const [links, tags, names] = [associations.graph, associations.tags, entities.graph]
    const { graph: order } = chain
    let sessions = 0
    for (const slot of this.#context.indexes.catalog.slots())
      if (order.has(slot) && this.#context.indexes.timeline.previous(slot) < 0) sessions++
    const bytes = links.bytes + tags.bytes + names.bytes + order.bytes
    return {
      association: { nodes: links.nodes, edges: links.edges, bytes: links.bytes },
      chain: { nodes: order.nodes, edges: order.nodes - sessions, bytes: order.bytes },
      entity: {
        nodes: names.entities,
        edges: entities.relations.size,
        links: names.links,
        bytes: names.bytes + entities.bytes,
      },
      coActivation: { pairs: tags.pairs.size, edges: tags.edges.size, bytes: tags.bytes },
      bytes: bytes + entities.bytes,
    }
  }

  /** The relations that the graph has between two entities now, of one type or of all. */
  edges(from: string, to: string, type?: string): RelationEdge[] {
    const { relations } = this.#context.indexes.entities
    const list = this.#entityList()
    const [sources, targets] = [list.keys(from), new Set(list.keys(to))]
    const wanted = type === undefined ? undefined : edgeOf(from, type, to).type
    return sources
      .flatMap((key) => [...relations.at(key)].map((edge) => ({ ...relations.edge(edge), key, edge })))
      .filter(
        ({ from, to, type, key, edge }) =>
          from === key && targets.has(to) && (wanted === undefined || type === wanted) && relations.weight(edge) > 0,
      )
      .map(({ from, type, to }) => ({ from, type, to }))
  }

  /** The episodes that state an edge, the newest first. */
  stating(edge: RelationEdge): EpisodeId[] {
    const { entities, catalog } = this.#context.indexes
    const number = entities.relations.find(edge)
    const entity = entities.graph.find(edge.from)
    if (number === undefined || entity === undefined) return []
    const slots = [...entities.graph.slots(entity)].filter((slot) => entities.states(slot, number))
    return slots.reverse().map((slot) => catalog.id(slot)!)
  }

  /** Whether callers stated any of some edges. */
  isGiven(edges: readonly RelationEdge[]): boolean {
    const said = this.#saidOf()
    return edges.some((edge) => said.has(nameOf(edge)))
  }

  #relations(list: EntityList, query: Parameters<typeof relationsOf>[3]): Promise<GraphRelation[]> {
    return relationsOf(this.#context, list, this.#saidOf(), query)
  }

  /** What callers called a relation, by the name of its edge. */
  #saidOf(): Map<string, string> {
    const { entities } = this.#context.indexes
    const said = new Map<string, string>()
    for (const one of entities.said)
      if (one.event.kind === 'entitiesRelated' && entities.counts(one))
        said.set(nameOf(edgeOf(one.event.from, one.event.relation, one.event.to)), one.event.relation)
    return said
  }

  #entityList(): EntityList {
    const { entities } = this.#context.indexes
    const written = new Map<string, string>()
    for (const one of entities.said)
      if (one.event.kind === 'entitiesRelated' && entities.counts(one))
        for (const name of [one.event.from, one.event.to]) written.set(identityOf(name.trim()), name.trim())
    return new EntityList(this.#context.indexes, written)
  }

  #why(steps: readonly Taken[], list: EntityList): WhyStep[] {
    const { catalog } = this.#context.indexes
    const told = (node: GraphNode): string => (typeof node === 'number' ? catalog.id(node)! : list.name(node))
    return steps.map(({ from, edge, weight, to }) => ({ from: told(from), edge, weight, to: told(to) }))
  }
}
