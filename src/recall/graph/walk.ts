import type { Surroundings } from './surroundings.js'

/** The part of a node's rank that goes on along its edges (Gutiérrez et al. 2025). */
const DAMPING = 0.5
/** Under an even chance to stop at each step, what walks of more steps would add is under half a per cent. */
const ITERATIONS = 8

/** What a walk found. */
export interface Walked {
  /** The share of all rank that reached each node by edges. */
  readonly brought: Float64Array
  /** What each node had before the last step. */
  readonly had: Float64Array
}

/**
 * Personalised PageRank (Haveliwala 2002) by power iteration. Every sum is taken in the order of the nodes.
 *
 * @param seeds how likely a walk begins at each of the nodes; not negative, and one of them more than 0.
 */
export function walk(around: Surroundings, seeds: Float64Array): Walked {
  let all = 0
  for (const seed of seeds) all += seed
  const start = seeds.map((seed) => seed / all)
  let had = start
  let brought = step(around, start)
  for (let i = 1; i < ITERATIONS; i++) {
    had = start.slice()
    for (let node = 0; node < had.length; node++) had[node] = (1 - DAMPING) * start[node] + brought[node]
    brought = step(around, had)
  }
  return { brought, had }
}

/** What part of what the fullest node gives on reached each node, 0 to 1. */
export function partsOf({ brought, had }: Walked): Float64Array {
  let most = 0
  for (const rank of had) most = Math.max(most, rank)
  return brought.map((part) => Math.min(1, part / (DAMPING * most)))
}

/** One step of the walk: the rank of each node moves along its edges. */
function step(around: Surroundings, rank: Float64Array): Float64Array {
  const { starts, hubOf, shares, hubStarts, nodeOf, previous, next, previousShares, nextShares } = around
  const { linkStarts, linkTo, linkShares } = around
  const brought = new Float64Array(rank.length)
  const atHubs = new Float64Array(hubStarts.length - 1)
  for (let node = 0; node < rank.length; node++) {
    const gives = DAMPING * rank[node]
    for (let at = starts[node]; at < starts[node + 1]; at++) atHubs[hubOf[at]] += gives * shares[at]
    if (previous[node] >= 0) brought[previous[node]] += gives * previousShares[node]
    if (next[node] >= 0) brought[next[node]] += gives * nextShares[node]
    for (let at = linkStarts[node]; at < linkStarts[node + 1]; at++) brought[linkTo[at]] += gives * linkShares[at]
  }
  for (let hub = 0; hub < atHubs.length; hub++) {
    const each = atHubs[hub] / (hubStarts[hub + 1] - hubStarts[hub])
    for (let at = hubStarts[hub]; at < hubStarts[hub + 1]; at++) brought[nodeOf[at]] += each
  }
  return brought
}
