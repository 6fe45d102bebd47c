import type { EpisodeId } from './episode.js'

/** The values of {@link EntityType}. Graphs store their numbers, so a new one goes to the end. */
export const ENTITY_TYPES = [
  'PERSON',
  'ORGANIZATION',
  'PROJECT',
  'CONCEPT',
  'EVENT',
  'LOCATION',
  'TOOL',
  'SKILL',
  'DOCUMENT',
  'API',
  'DATABASE',
  'FRAMEWORK',
  'PROTOCOL',
  'METRIC',
  'ROLE',
  'TEAM',
  'PRODUCT',
  'SERVICE',
  'WORKFLOW',
  'DECISION',
  'RISK',
  'OTHER',
] as const

/** What an entity is. Types that extractors name otherwise are `OTHER`; see {@link GraphEntity.kind}. */
export type EntityType = (typeof ENTITY_TYPES)[number]

/** The values of {@link RelationType}. Graphs store their numbers, so a new one goes to the end. */
export const RELATION_TYPES = [
  'MANAGES',
  'AUTHORED',
  'ATTENDED',
  'PART_OF',
  'RELATED_TO',
  'CAUSES',
  'DEPENDS_ON',
  'USES',
  'CREATED',
  'MENTIONS',
  'MEMBER_OF',
  'ASSIGNED_TO',
  'REPORTED_BY',
  'BLOCKED_BY',
  'IMPLEMENTS',
  'EXTENDS',
  'TESTED_BY',
  'DEPLOYED_TO',
  'MONITORS',
  'TRIGGERS',
  'OTHER',
] as const

/** What a relation says. Predicates that no type fits are `OTHER`; see {@link GraphRelation.predicate}. */
export type RelationType = (typeof RELATION_TYPES)[number]

/** The values of {@link EdgeKind}. */
export const EDGE_KINDS = ['association', 'forward', 'backward', 'entity', 'pageRank'] as const

/**
 * The kind of an edge in a graph. `association`: two episodes were observed or recalled together. `forward` and
 * `backward`: the next and the previous episode of the session. `entity`: between an episode and a name in it.
 * `pageRank`: a walk over these edges.
 */
export type EdgeKind = (typeof EDGE_KINDS)[number]

/** One step of the path by which a graph led to an episode. */
export interface WhyStep {
  /** An episode, or the name of an entity. */
  readonly from: EpisodeId | string
  /** Between two entities the predicate of their relation. */
  readonly edge: EdgeKind | string
  /** The factor by which this step multiplies the score, from 0 to 1. */
  readonly weight: number
  /** An episode, or the name of an entity. */
  readonly to: EpisodeId | string
}

/**
 * How much each graph counts in a recall, 0 to 1; 0 turns it off. Where a cue asks what came before or after something,
 * `forward` and `backward` multiply the score at each step. In the walk of `pageRank` the other weights say in which
 * proportion the rank of an episode is passed on along the edges of each kind. In a memory of up to 50 episodes there
 * are no edges but associations.
 */
export interface GraphWeights {
  /**
   * Along each association that `graph.strengthen` made, times its weight, relative to all other edges of the episode
   * together; what was observed or recalled together does not count. With 0 nothing becomes a candidate because of an
   * association either. Default 0.3.
   */
  readonly association?: number
  /** To the next episode of the session. Default 0.8. */
  readonly forward?: number
  /** To the episode before it in the session. Default 0.7. */
  readonly backward?: number
  /** To each word and name of an episode, times its inverse document frequency. Default 0.25. */
  readonly entity?: number
  /**
   * What a personalised PageRank adds at most to a score; scores are mostly from 0 to 3. The episode at which most
   * walks start gets it in full, and so does the episode that most walks reach. Walks start at the episodes that rank
   * high by all other signals. Counts in full in a memory of 100 episodes or more, and up to 50 only by associations.
   * Default 0.5.
   */
  readonly pageRank?: number
}

/** Options of `graph.neighbours`. Unknown names are refused. */
export interface NeighboursOptions {
  /** How many hops, 1 to 4. Default 1. */
  readonly depth?: number
  /** By which kinds of edges: all but `pageRank`, which is no edge. Default: these. */
  readonly kinds?: readonly Exclude<EdgeKind, 'pageRank'>[]
  /** How many, 1 to 1,000. Default 50. */
  readonly k?: number
}

/** An episode near another one. */
export interface GraphNeighbour {
  readonly id: EpisodeId
  /** Hops from the episode that was asked about. From one episode over an entity to the next is one hop. */
  readonly hops: number
  /** The product of the weights of its path, above 0, at most 1. */
  readonly weight: number
  /** The strongest of the shortest paths. */
  readonly why: readonly WhyStep[]
}

/** Options of `graph.activate`. Unknown names are refused. */
export interface ActivateOptions {
  /** How many hops, 1 to 4. Default 2. */
  readonly depth?: number
  /** How many, 1 to 1,000. Default 10. */
  readonly k?: number
}

/** An episode that spreading activation reached. */
export interface GraphActivation {
  readonly id: EpisodeId
  /** The sum of the activation over all paths, above 0. */
  readonly activation: number
  /** The path that carried most of it. */
  readonly why: readonly WhyStep[]
}

/** Options of `graph.timeline`. Unknown names are refused. */
export interface TimelineOptions {
  /** How many at most, 0 to 1,000. Default 3. */
  readonly before?: number
  /** How many at most, 0 to 1,000. Default 3. */
  readonly after?: number
}

/** What was said around an episode in its session; nothing where it has no session. */
export interface GraphTimeline {
  readonly session?: string
  /** In the order in which they were observed; the last is the one right before. */
  readonly before: readonly EpisodeId[]
  /** In the order in which they were observed; the first is the one right after. */
  readonly after: readonly EpisodeId[]
}

/** Options of `graph.entities`. Unknown names are refused. */
export interface EntitiesOptions {
  /** Only those of this type. Default: of all. */
  readonly type?: EntityType
  /** How many, 1 to 10,000. Default 100. */
  readonly k?: number
}

/** Something that episodes name, or that a relation names. */
export interface GraphEntity {
  /** As most episodes write it. */
  readonly name: string
  readonly type: EntityType
  /** What extractors call it, where they do: `person`, `place`. */
  readonly kind?: string
  /** Episodes that name it. */
  readonly mentions: number
  /** Relations from and to it. */
  readonly degree: number
}

/** An entity with all that is known of it. */
export interface GraphEntityDetail extends GraphEntity {
  /** Those that name it, the newest first, at most 1,000. */
  readonly episodes: readonly EpisodeId[]
  /** From and to it, the strongest first. */
  readonly relations: readonly GraphRelation[]
}

/** That one entity has to do with another. */
export interface GraphRelation {
  /** The name of an entity. */
  readonly from: string
  readonly type: RelationType
  /** As it was said last. */
  readonly predicate: string
  /** The name of an entity. */
  readonly to: string
  /** How often it was said, and the weights that callers gave it. */
  readonly weight: number
  /** Those that say so, the newest first, at most 1,000; none where callers alone did. */
  readonly episodes: readonly EpisodeId[]
}

/** Options of `graph.paths`. Unknown names are refused. */
export interface PathsOptions {
  /** Hops at most, 1 to 4. Default 3. */
  readonly maxHops?: number
  /** How many paths, 1 to 100. Default 5. */
  readonly k?: number
}

/** A way from one episode or entity to another. */
export interface GraphPath {
  /** From the first to the second. */
  readonly steps: readonly WhyStep[]
  /** The product of the weights of its steps. */
  readonly weight: number
}

/** Options of `graph.relate`. Unknown names are refused. */
export interface RelateOptions {
  /** Above 0, at most 1,000. Default 1. */
  readonly weight?: number
  /** The episodes from which it is known. Once all of them are forgotten, so is the relation. Default: none. */
  readonly evidence?: readonly EpisodeId[]
}

/** An edge that is to be forgotten: between two episodes, or from one entity to another. */
export type GraphEdge =
  | { readonly a: EpisodeId; readonly b: EpisodeId }
  /** Without `type`: all relations from one to the other. */
  | { readonly from: string; readonly type?: RelationType | string; readonly to: string }

/** The formats of `graph.export`. */
export type GraphFormat = 'graphml' | 'json'

/** What the graphs hold. */
export interface GraphStats {
  readonly association: { readonly nodes: number; readonly edges: number; readonly bytes: number }
  readonly chain: { readonly nodes: number; readonly edges: number; readonly bytes: number }
  readonly entity: {
    readonly nodes: number
    /** Relations. */
    readonly edges: number
    /** Episodes by the entities that they name. */
    readonly links: number
    readonly bytes: number
  }
  /** Tags that were recalled together: pairs, and how often one came before the other. */
  readonly coActivation: { readonly pairs: number; readonly edges: number; readonly bytes: number }
  /** Of all of them, in main memory. */
  readonly bytes: number
}
