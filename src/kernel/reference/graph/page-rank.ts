import { type AssociationGraph, type EntityGraph, entityOfNode, nodeOfEntity, NO_NODE } from '../../graph.js'
import type { PageRankOptions, Reached, TemporalChain } from '../../graph.js'
import { type CheckedRank, checkNodeSeeds, pageRankWalk } from '../../graph/checks.js'
import { type CompareNodes, Reach } from './reach.js'

/** Where to, and how much of what goes out. */
interface Edge {
  readonly to: number
  weight: number
}

/** Graphs that are all there, and the order of their nodes. */
export interface RankedGraphs {
  readonly associations: AssociationGraph
  readonly chain: TemporalChain
  readonly entities: EntityGraph
  readonly compare: CompareNodes
}

/** Says what personalised PageRank means: see `GraphKernel.pageRank`. */
export function pageRank(
  over: RankedGraphs,
  seeds: Uint32Array,
  strengths: Float32Array,
  options?: PageRankOptions,
): Reached {
  checkNodeSeeds(over.entities, seeds, strengths)
  const walk = pageRankWalk(options)
  const reach = new Reach(over.compare)
  reach.seed(seeds, strengths)
  /** By the number of the node; nodes without edges are not in it. Edges lead to nodes, then to numbers. */
  const rows: (readonly Edge[])[] = []
  /** Numbers in the order in which they are worked on: by steps, then by node. */
  const order: number[] = reach.level(0)
  const out = (node: number) => edgesOf(over, node, walk).filter(({ weight }) => weight > 0)
  let left = walk.edges
  for (let hop = 0; hop < walk.hops; hop++) {
    for (const number of reach.level(hop)) {
      const edges = out(reach.nodes[number])
      if (edges.length > left) continue
      left -= edges.length
      for (const { to } of edges) if (reach.numberOf(to) === undefined) reach.add(to, 0, number, hop + 1)
      rows[number] = edges
    }
    order.push(...reach.level(hop + 1))
  }
  rows.forEach((edges, number) => (rows[number] = shares(reach, edges)))
  const ranks = iterate(reach, rows, order, walk.damping, walk.iterations, walk.epsilon)
  for (const number of order) reach.activations[number] = ranks[number]
  for (const number of order)
    for (const { to, weight } of rows[number] ?? [])
      if (reach.hops[to] === reach.hops[number] + 1) reach.through(to, Math.fround(ranks[number] * weight), number)
  return reach.answer(
    walk.most,
    (number) => (walk.answer & (entityOfNode(reach.nodes[number]) === undefined ? 1 : 2)) > 0,
  )
}

/** The edges from a node, of what weight each. */
function edgesOf(over: RankedGraphs, node: number, walk: CheckedRank): Edge[] {
  const entity = entityOfNode(node)
  return entity === undefined ? ofEpisode(over, node, walk) : ofEntity(over.entities, entity, walk)
}

function ofEpisode({ associations, chain, entities }: RankedGraphs, slot: number, walk: CheckedRank): Edge[] {
  const edges: Edge[] = []
  const [previous, next] = [chain.previous(slot), chain.next(slot)]
  if (previous !== NO_NODE) edges.push({ to: previous, weight: walk.backward })
  if (next !== NO_NODE) edges.push({ to: next, weight: walk.forward })
  const { slots, weights } = associations.neighbours(slot)
  edges.push(...divided([...slots], weights, walk.association))
  for (const entity of entities.entitiesOf(slot))
    edges.push({ to: nodeOfEntity(entity), weight: Math.fround(walk.entity * entities.specificity(entity)) })
  return edges
}

function ofEntity(entities: EntityGraph, entity: number, walk: CheckedRank): Edge[] {
  const edges: Edge[] = []
  const count = entities.references(entity)
  if (count <= walk.fan) {
    const weight = Math.fround(walk.entity / count)
    for (const slot of entities.slots(entity)) edges.push({ to: slot, weight })
  }
  const relations = entities.relations(entity)
  edges.push(...divided([...relations.entities].map(nodeOfEntity), relations.weights, walk.relation))
  return edges
}

/** Edges that have so much weight together. */
function divided(nodes: readonly number[], weights: Float32Array, all: number): Edge[] {
  const sum = weights.reduce((sum, weight) => Math.fround(sum + weight), 0)
  return nodes.map((to, i) => ({ to, weight: Math.fround(Math.fround(all * weights[i]) / sum) }))
}

/** Edges to the numbers of nodes, each with its part of all weights. One to a node that was not reached is left out. */
function shares(reach: Reach, edges: readonly Edge[]): readonly Edge[] {
  const sum = edges.reduce((sum, { weight }) => Math.fround(sum + weight), 0)
  return edges.flatMap(({ to, weight }) => {
    const number = reach.numberOf(to)
    return number === undefined ? [] : [{ to: number, weight: Math.fround(weight / sum) }]
  })
}

/** Power iteration. Every sum is taken in the order given. */
function iterate(
  reach: Reach,
  rows: readonly (readonly Edge[] | undefined)[],
  order: readonly number[],
  damping: number,
  iterations: number,
  epsilon: number,
): Float32Array {
  const strengths = order.filter((number) => reach.hops[number] === 0).map((number) => reach.activations[number])
  const all = strengths.reduce((sum, strength) => Math.fround(sum + strength), 0)
  const seeds = new Float32Array(reach.nodes.length)
  for (const number of order) if (reach.hops[number] === 0) seeds[number] = reach.activations[number] / all
  const isBare = (number: number) => (rows[number] ?? []).length === 0
  const rest = Math.fround(1 - damping)
  let ranks = seeds
  for (let i = 0; i < iterations; i++) {
    let bare = 0
    for (const number of order) if (isBare(number)) bare = Math.fround(bare + ranks[number])
    const back = Math.fround(rest + Math.fround(damping * bare))
    const next = seeds.map((part) => back * part)
    for (const number of order) {
      const gives = Math.fround(damping * ranks[number])
      for (const { to, weight } of rows[number] ?? []) next[to] = next[to] + Math.fround(gives * weight)
    }
    let change = 0
    for (const number of order) change = Math.fround(change + Math.abs(Math.fround(next[number] - ranks[number])))
    ranks = next
    if (change <= epsilon) break
  }
  return ranks
}
