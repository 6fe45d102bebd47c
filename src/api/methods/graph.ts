import type { EpisodeId } from '../episode.js'
import type {
  ActivateOptions,
  EntitiesOptions,
  GraphActivation,
  GraphEdge,
  GraphEntity,
  GraphEntityDetail,
  GraphFormat,
  GraphNeighbour,
  GraphPath,
  GraphRelation,
  GraphStats,
  GraphTimeline,
  NeighboursOptions,
  PathsOptions,
  RelateOptions,
  RelationType,
  TimelineOptions,
} from '../graph.js'
import type { Registration } from './method.js'

/**
 * The methods of `db.graph`: docs/graphs.md. All throw `AGIDB_INVALID_ARGUMENT`, `AGIDB_INVALID_TEXT`,
 * `AGIDB_TOO_LARGE` or `AGIDB_UNKNOWN_OPTION` on wrong arguments, and `AGIDB_GRAPH_*` where a graph fails.
 */
export interface Graph {
  /**
   * The episodes near one: by what they were observed or recalled with, what came before and after, and what they name.
   *
   * @returns the nearest first, of those as near the ones of the greatest weight; none where the episode is not there
   */
  neighbours(id: EpisodeId, options?: NeighboursOptions): Promise<GraphNeighbour[]>
  /**
   * What episodes bring to mind: activation spreads from them over associations, each neighbour getting the share that
   * its edge has of all edges. Those that are not there are passed over, and none of those given is answered.
   *
   * @param ids 1 to 1,000
   * @returns the most active first
   */
  activate(ids: readonly EpisodeId[], options?: ActivateOptions): Promise<GraphActivation[]>
  /** @throws AgidbError `AGIDB_NOT_FOUND` where the episode is not there */
  timeline(id: EpisodeId, options?: TimelineOptions): Promise<GraphTimeline>
  /** What episodes and relations name, those that most episodes name first. */
  entities(options?: EntitiesOptions): Promise<GraphEntity[]>
  /**
   * An entity with its episodes and relations.
   *
   * @param name any of its names
   * @returns `undefined` where neither an episode nor a relation names it
   */
  entity(name: string): Promise<GraphEntityDetail | undefined>
  /**
   * Who has to do with whom: what episodes state now, and what `relate` said; at most 10,000, the strongest first.
   *
   * @param from any name of an entity. Default: all.
   * @param to any name of an entity. Default: all.
   * @param type one of the types, or a predicate. Default: all.
   */
  relations(from?: string, to?: string, type?: RelationType | string): Promise<GraphRelation[]>
  /**
   * The shortest ways from one episode or entity to another, over associations, the order in a session, what episodes
   * name, and relations.
   *
   * @param a the id of an episode, or a name of an entity
   * @param b the id of an episode, or a name of an entity
   * @returns the shortest first, of those as short the strongest; none where one of both is not there
   */
  paths(a: EpisodeId | string, b: EpisodeId | string, options?: PathsOptions): Promise<GraphPath[]>
  /**
   * Makes the association of two episodes stronger, both ways.
   *
   * @param weight above 0, at most 1,000. Default 1.
   * @throws AgidbError `AGIDB_NOT_FOUND` where one of both is not there
   */
  strengthen(a: EpisodeId, b: EpisodeId, weight?: number): Promise<void>
  /**
   * Says that one entity has to do with another, beside what episodes state.
   *
   * @param type one of the types, or a predicate of your own such as `sponsors`
   * @throws AgidbError `AGIDB_NOT_FOUND` where a piece of evidence is not there
   */
  relate(from: string, type: RelationType | string, to: string, options?: RelateOptions): Promise<void>
  /**
   * Takes an edge out of a graph. It may come back: by what is observed, recalled, or said from then on. The episodes
   * stay as they are.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND` where there is no such edge
   */
  forgetEdge(edge: GraphEdge): Promise<void>
  /**
   * All nodes and edges, as UTF-8: GraphML, or JSON with `nodes` and `edges`.
   *
   * @param format Default: `json`.
   */
  export(format?: GraphFormat): Promise<ReadableStream<Uint8Array>>
  stats(): Promise<GraphStats>
}

/** The methods of {@link Graph} by the names under which they are registered. */
export type GraphMethods = { readonly [M in keyof Graph as `graph.${M}`]: Graph[M] }

export const graphMethods: Registration<GraphMethods> = {
  'graph.neighbours': { effect: 'reads' },
  'graph.activate': { effect: 'reads' },
  'graph.timeline': { effect: 'reads' },
  'graph.entities': { effect: 'reads' },
  'graph.entity': { effect: 'reads' },
  'graph.relations': { effect: 'reads' },
  'graph.paths': { effect: 'reads' },
  'graph.strengthen': { effect: 'writes' },
  'graph.relate': { effect: 'writes' },
  'graph.forgetEdge': { effect: 'writes' },
  'graph.export': { effect: 'reads', output: 'bytes' },
  'graph.stats': { effect: 'reads' },
}
