import type { Indexes } from '../../indexes/indexes.js'
import { identityOf } from '../../extraction/concepts/identity.js'
import {
  ALL_KINDS,
  type GraphNode,
  keysOf,
  type Step,
  stepsFromEpisode,
  stepsToEntities,
  stepsToEpisodes,
} from './steps.js'

/** Nodes that a search looks at, at most. */
const MOST_NODES = 20_000
/** Ways that are compared, at most. */
const MOST_WAYS = 10_000

/** A step that was taken, with the node that it came from. */
export interface Taken extends Step {
  readonly from: GraphNode
}

/** A way from one node to another. */
export interface Way {
  readonly steps: readonly Taken[]
  readonly weight: number
}

/** The shortest ways between two nodes, the strongest first: all of one length, breadth-first. */
export function shortestWays(indexes: Indexes, from: GraphNode, to: GraphNode, hops: number, most: number): Way[] {
  if (from === to) return []
  /** By node, the steps that led to it in the fewest hops. */
  const into = new Map<GraphNode, Taken[]>([[from, []]])
  let front: GraphNode[] = [from]
  for (let hop = 0; hop < hops && front.length > 0 && !into.has(to); hop++) {
    const next = new Map<GraphNode, Taken[]>()
    for (const node of front) {
      if (into.size + next.size > MOST_NODES) break
      for (const step of stepsFrom(indexes, node)) {
        if (into.has(step.to)) continue
        const taken: Taken = { ...step, from: node }
        const others = next.get(step.to)
        if (others === undefined) next.set(step.to, [taken])
        else others.push(taken)
      }
    }
    for (const [node, steps] of next) into.set(node, steps)
    front = [...next.keys()]
  }
  return into.has(to) ? waysTo(to, into).slice(0, most) : []
}

function* stepsFrom(indexes: Indexes, node: GraphNode): Generator<Step> {
  if (typeof node === 'number') return yield* stepsFromEpisode(indexes, node, ALL_KINDS)
  yield* stepsToEpisodes(indexes, node)
  yield* stepsToEntities(indexes, keysOf(indexes, node, identityOf))
}

function waysTo(to: GraphNode, into: ReadonlyMap<GraphNode, readonly Taken[]>): Way[] {
  const ways: Way[] = []
  const follow = (node: GraphNode, steps: readonly Taken[], weight: number): void => {
    if (ways.length >= MOST_WAYS) return
    const before = into.get(node)!
    if (before.length === 0) ways.push({ steps, weight })
    for (const step of before) follow(step.from, [step, ...steps], weight * step.weight)
  }
  follow(to, [], 1)
  return ways.sort((a, b) => b.weight - a.weight || inOrder(a.steps, b.steps))
}

/** Orders ways of one length by their nodes: episodes by slot, in which twins agree though their slots differ. */
function inOrder(a: readonly Taken[], b: readonly Taken[]): number {
  for (const [i, { to, edge }] of a.entries()) {
    const other = b[i]
    if (to !== other.to) {
      if (typeof to === 'number' && typeof other.to === 'number') return to - other.to
      return String(to) < String(other.to) ? -1 : 1
    }
    if (edge !== other.edge) return edge < other.edge ? -1 : 1
  }
  return 0
}
