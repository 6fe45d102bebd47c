/**
 * The graphs of a memory: what was together, what came next, who has to do with whom, and which tags come up together.
 * The nodes of the episode graphs are slots, ascending in the order of time. One implementation in WebAssembly, one in
 * TypeScript; they agree bit for bit, because weights are float32 and nothing but sums, products and quotients of them
 * is taken, in an order that is stated. No answer depends on the order in which a graph came to what it holds, as long
 * as nothing was evicted.
 */

/** Neighbours that a node of an {@link AssociationGraph} has at most. */
export const MAX_NEIGHBOURS = 20
/** Relations that an entity has at most, those to it and those from it together. */
export const MAX_RELATIONS = 32
/** An edge with a smaller weight is none: 2⁻¹⁰. */
export const LEAST_WEIGHT = 2 ** -10
/** What no weight of an edge goes above, and no strength of a seed. */
export const MOST_WEIGHT = 2 ** 20
/** The highest slot that can be a node, and the highest number of an entity. */
export const MAX_NODE = 0x7fff_fffe
/** Where there is no node: before the first and after the last of a chain, and after the end of a path. */
export const NO_NODE = 0xffff_ffff
/** Steps of a walk at most; a path has one node more. */
export const MAX_HOPS = 8
/** Nodes that a walk reaches at most, the seeds among them. */
export const MAX_REACHED = 20_000
/** Pairs of tags, and edges of tags, that a {@link TagTable} holds at most. */
export const MAX_TAG_LINKS = 65_536

const FIRST_ENTITY = 0x8000_0000

/** An entity as a node beside episodes: of a path, or a seed of {@link GraphKernel.pageRank}. A slot is its node. */
export function nodeOfEntity(entity: number): number {
  return FIRST_ENTITY + entity
}

/** The number of the entity that a node is; `undefined` for an episode, and for {@link NO_NODE}. */
export function entityOfNode(node: number): number | undefined {
  return node >= FIRST_ENTITY && node !== NO_NODE ? node - FIRST_ENTITY : undefined
}

/** What a walk reached: descending by activation; ties ascending by slot, then entities by the hash of their names. */
export interface Reached {
  /** Slots, and entities as {@link nodeOfEntity} makes nodes of them. */
  readonly nodes: Uint32Array
  readonly activations: Float32Array
  /** Steps from a seed. */
  readonly hops: Uint32Array
  /**
   * For each node {@link MAX_HOPS} + 1 nodes: the path from a seed to it by which most came at each step, {@link
   * NO_NODE} after its end. See {@link pathOf}.
   */
  readonly paths: Uint32Array
}

/** The path from a seed to node `i` of what was reached, both included. */
export function pathOf({ hops, paths }: Reached, i: number): Uint32Array {
  return paths.subarray(i * (MAX_HOPS + 1), i * (MAX_HOPS + 1) + hops[i] + 1)
}

/** What every graph has. */
export interface StoredGraph {
  /** Bytes of memory. That of the TypeScript kernel is an estimate. */
  readonly bytes: number
  /**
   * All that it holds, little-endian, with a header of 16 bytes: four letters, the version of the format, how many
   * there are, and CRC-32C of all bytes with zeros in place of it. Graphs that hold the same have the same bytes.
   */
  save(): Uint8Array
  /**
   * Makes an empty graph what another was.
   *
   * @throws AgidbError `AGIDB_CORRUPT` for bytes that {@link save} did not make, `AGIDB_NEWER_FORMAT`,
   * `AGIDB_INVALID_ARGUMENT` where the graph is not empty. It is empty then, or what it was.
   */
  load(bytes: Uint8Array): void
  /** Gives the memory back. The graph must not be used after it. */
  free(): void
}

/** Edges of a node, ascending by slot. */
export interface Neighbours {
  readonly slots: Uint32Array
  readonly weights: Float32Array
}

/** How a walk goes over associations. */
export interface AssociationWalk {
  /** Steps, 1 to {@link MAX_HOPS}. Default 2. */
  readonly depth?: number
  /** Nodes of the answer at most. Default 64. */
  readonly most?: number
  /** What activation is multiplied by at each step. Default 1. */
  readonly attenuation?: number
}

/**
 * Episodes that were together: undirected edges with weights from {@link LEAST_WEIGHT} to {@link MOST_WEIGHT}, at most
 * {@link MAX_NEIGHBOURS} a node. Where a node has more, the weakest goes, of edges of the same weight the one with the
 * highest neighbour; it may be the new one. 164 bytes a node: degree, and slot and weight of each neighbour.
 */
export interface AssociationGraph extends StoredGraph {
  /** Slots that have an edge. */
  readonly nodes: number
  readonly edges: number
  /** 0 where there is no edge. */
  weight(a: number, b: number): number
  degree(slot: number): number
  neighbours(slot: number): Neighbours
  /**
   * Adds to the weight of an edge, which is made if there is none. Answers the new weight; 0 where it did not stay, and
   * for an edge from a slot to itself, which there cannot be.
   */
  strengthen(a: number, b: number, weight: number): number
  /** Takes from the weight of an edge. Answers what is left; 0 where the edge is gone. */
  weaken(a: number, b: number, weight: number): number
  /** Gives an edge a weight, 0 to remove it. Answers the weight; 0 where the edge did not stay. */
  set(a: number, b: number, weight: number): number
  /** False where there was no edge. */
  removeEdge(a: number, b: number): boolean
  /** Removes all edges of a slot; answers how many it had. */
  remove(slot: number): number
  /**
   * Multiplies all weights by a factor from 0 to 1; edges under {@link LEAST_WEIGHT} go. Of a range of slots only the
   * edges whose lower slot is in it: so the work of a large graph can be divided.
   */
  decay(factor: number, from?: number, end?: number): void
  /**
   * Spreads activation from seeds, breadth-first. At each step a node gives to each neighbour that no earlier step
   * reached its activation × attenuation × weight / (sum of the weights of its edges): the fan effect (Anderson 1974).
   * What several give to one is summed. Nodes of a step give in ascending order. The answer is without the seeds.
   *
   * @param seeds slots; of one that is given twice the larger strength counts.
   * @param strengths from 0 to {@link MOST_WEIGHT}; seeds with 0 give nothing.
   */
  activate(seeds: Uint32Array, strengths: Float32Array, options?: AssociationWalk): Reached
}

/**
 * The order of the episodes of each session: lists linked both ways. 16 bytes a slot: previous, next, session, and
 * whether it is there.
 */
export interface TemporalChain extends StoredGraph {
  /** Slots that are in a list. */
  readonly nodes: number
  has(slot: number): boolean
  /** {@link NO_NODE} for the first of a list, and where the slot is in none. */
  previous(slot: number): number
  /** {@link NO_NODE} for the last of a list, and where the slot is in none. */
  next(slot: number): number
  /** The number of its session; `undefined` where the slot is in no list. */
  session(slot: number): number | undefined
  /**
   * Puts a slot that is in no list after `previous`, and before what followed that; with {@link NO_NODE} before `next`,
   * and after what preceded that; with neither it is a list of its own.
   *
   * @param session a number below 2³²; the neighbours must have it, too.
   */
  insert(slot: number, session: number, previous?: number, next?: number): void
  /** Takes a slot out of its list, whose parts are joined. False where it was in none. */
  remove(slot: number): boolean
  /** The slots after this one, the nearest first. */
  forward(slot: number, most: number): Uint32Array
  /** The slots before this one, the nearest first. */
  backward(slot: number, most: number): Uint32Array
}

/** Relations of an entity, by the hash of the name of the other one, then by type, those to it first. */
export interface Relations {
  readonly entities: Uint32Array
  /** Numbers of {@link RELATION_TYPES}. */
  readonly types: Uint32Array
  readonly weights: Float32Array
  /** 1 where the relation is from this entity to the other one, 0 where it is from the other one to this. */
  readonly outgoing: Uint8Array
}

/** How a walk goes over entities. */
export interface EntityWalk {
  /** Steps from entity to entity, 0 to {@link MAX_HOPS} − 1. Default 2. */
  readonly depth?: number
  /** Nodes of the answer at most. Default 64. */
  readonly most?: number
  /** What activation is multiplied by at each step, to an entity and to an episode. Default 0.25. */
  readonly attenuation?: number
  /** An entity of more episodes than this gives them nothing. Default 1,000. */
  readonly fan?: number
  /** What the answer is of. Default `episodes`. */
  readonly answer?: 'episodes' | 'entities' | 'both'
}

/**
 * Entities by name, the episodes that name them, and typed relations between them. An entity is known by the 64-bit
 * FNV-1a hash of its name, and has the number that it got when it was added: the lowest that was free. An entity that
 * has neither an episode nor a relation any more is gone.
 *
 * 64 bytes an entity, four episodes among them, 4 for each further one; 12 bytes for each end of a relation; 4 bytes a
 * slot and 16 for each three entities of it.
 */
export interface EntityGraph extends StoredGraph {
  readonly entities: number
  /** Pairs of an entity and an episode. */
  readonly links: number
  /** Episodes that name an entity. */
  readonly episodes: number
  readonly relationCount: number
  /**
   * The number of an entity, which is added if it is new. It stays as long as it has an episode or a relation: give it
   * one.
   *
   * @param type a number of {@link ENTITY_TYPES}; that of an entity that is known stays.
   */
  add(name: string, type: number): number
  find(name: string): number | undefined
  has(entity: number): boolean
  type(entity: number): number
  retype(entity: number, type: number): void
  /** Of how many episodes. */
  references(entity: number): number
  /** Its episodes, ascending, from the slot `from` on. Default: all of them. */
  slots(entity: number, from?: number, most?: number): Uint32Array
  /** The entities of an episode, by the hash of their names. */
  entitiesOf(slot: number): Uint32Array
  /** False where they are linked already. */
  link(entity: number, slot: number): boolean
  /** False where they were not linked. */
  unlink(entity: number, slot: number): boolean
  /** Takes an episode from all of its entities; answers from how many. */
  unlinkSlot(slot: number): number
  /**
   * Adds to the weight of a relation, which is made if there is none. Where an entity has more than {@link
   * MAX_RELATIONS}, the weakest goes, of the same weight the last in the order of {@link Relations}; it may be the new
   * one. Answers the new weight; 0 where it did not stay, and for a relation of an entity to itself, which there cannot
   * be. Weights that are whole numbers up to 2²⁰ are exact.
   *
   * @param type a number of {@link RELATION_TYPES}.
   * @param weight default 1.
   */
  relate(from: number, to: number, type: number, weight?: number): number
  /** Takes from the weight of a relation, by default all. Answers what is left; 0 where it is gone. */
  unrelate(from: number, to: number, type: number, weight?: number): number
  /** 0 where there is none. */
  relation(from: number, to: number, type: number): number
  relations(entity: number): Relations
  /** Removes an entity with its links and relations. */
  remove(entity: number): void
  /** How much it tells that an episode names this entity, 0 to 1: see {@link GraphKernel.pageRank}. */
  specificity(entity: number): number
  /**
   * Spreads activation from entities, breadth-first, over relations in both directions as {@link
   * AssociationGraph.activate} does over edges; entities of a step give in the order of the hashes of their names.
   * Then each entity that was reached, in the same order, gives its activation × attenuation × {@link specificity} to
   * each of its episodes.
   */
  activate(seeds: Uint32Array, strengths: Float32Array, options?: EntityWalk): Reached
}

/** What a table of tags holds of two of them. */
export interface TagLink {
  /** 0 to 1. */
  readonly weight: number
  /** How often it was added to. */
  readonly count: number
  /** When it was last added to, in milliseconds since 1970. */
  readonly atMs: number
}

/** Tags that are linked to one, descending by weight, ties by the hash of the tag. */
export interface TagLinks {
  readonly tags: readonly string[]
  readonly weights: Float32Array
}

/**
 * Weights of pairs of tags: a hash table with open addressing, at most half full. When it has {@link MAX_TAG_LINKS},
 * the sixteenth that is weakest goes, of those of the same weight those with the lowest hashes.
 */
export interface TagTable {
  readonly size: number
  /** Adds to a weight, which stays from 0 to 1; it may be negative. Answers the new weight; at 0 the link goes. */
  add(a: string, b: string, weight: number, atMs: number): number
  get(a: string, b: string): TagLink | undefined
  /** Gives a link all of its numbers; with weight 0 it goes. */
  set(a: string, b: string, link: TagLink): void
  /** False where there was none. */
  remove(a: string, b: string): boolean
  /** Links from a tag; of pairs, all links of the tag. */
  from(tag: string, most: number): TagLinks
  /** Links to a tag; of pairs, all links of the tag. */
  to(tag: string, most: number): TagLinks
}

/** Which tags come up together, and which comes before which. Tags are known by the 64-bit FNV-1a hash. */
export interface CoActivation extends StoredGraph {
  /** What was together, in no order: 32 bytes each. */
  readonly pairs: TagTable
  /** What came before what: 40 bytes each. */
  readonly edges: TagTable
  /** Removes all links of a tag; answers how many. */
  remove(tag: string): number
  /** Multiplies all weights by a factor from 0 to 1; links under {@link LEAST_WEIGHT} go. */
  decay(factor: number): void
}

/** The graphs that a walk goes over; one that is left out is empty. */
export interface WalkedGraphs {
  readonly associations?: AssociationGraph
  readonly chain?: TemporalChain
  readonly entities?: EntityGraph
}

/** How {@link GraphKernel.pageRank} walks. Weights are numbers of 0 or more. */
export interface PageRankOptions {
  /** The part of a node's rank that goes on along its edges. Default 0.5 (Gutiérrez et al. 2025). */
  readonly damping?: number
  /** Default 20. */
  readonly iterations?: number
  /** The sum of all changes of an iteration at which it was the last. Default 2⁻¹⁶. */
  readonly epsilon?: number
  /** Steps from the seeds. Default 4. */
  readonly hops?: number
  /** Edges at most: nodes whose edges would be too many have none. Default 4,000. */
  readonly edges?: number
  /** An entity of more episodes than this has no edges to them. Default 1,000. */
  readonly fan?: number
  /**
   * Weight of an episode's edge to an entity of {@link EntityGraph.specificity} 1; and of all edges from an entity to
   * its episodes. Default 1.
   */
  readonly entity?: number
  /** Of all relations of an entity. Default 0.5. */
  readonly relation?: number
  /** Of all associations of an episode. Default 0.3. */
  readonly association?: number
  /** Of an episode's edge to the next. Default 0.2. */
  readonly forward?: number
  /** Of an episode's edge to the previous. Default 0.2. */
  readonly backward?: number
  /** Nodes of the answer at most. Default 64. */
  readonly most?: number
  /** What the answer is of. Default `episodes`. */
  readonly answer?: 'episodes' | 'entities' | 'both'
}

/** Makes graphs, and walks over several at once. */
export interface GraphKernel {
  associations(): AssociationGraph
  chain(): TemporalChain
  entities(): EntityGraph
  coActivation(): CoActivation
  /**
   * Personalised PageRank (Page et al. 1999; Haveliwala 2002) over episodes and entities together, on the subgraph that
   * the seeds reach. It takes rank from node j to node i by their edge's weight divided by the sum of those of j, and
   * what nodes without edges have back to the seeds. The answer has the seeds, too, as far as they are asked for.
   *
   * Specificity stands for the idf of an entity of n of N episodes: `L(1 + N/n) / L(1 + N)`, where L is the logarithm
   * to base 2, linear between powers of two, so that every kernel has the same bits.
   *
   * @param seeds slots and entities as {@link nodeOfEntity} makes nodes of them.
   * @param strengths as for {@link AssociationGraph.activate}; they are divided by their sum.
   */
  pageRank(over: WalkedGraphs, seeds: Uint32Array, strengths: Float32Array, options?: PageRankOptions): Reached
}
