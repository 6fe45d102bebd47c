import type { WhyStep } from '../../api/graph.js'
import { exp } from '../../base/exponential.js'
import { REACH } from '../candidates/neighbours.js'
import type { CandidateSet } from '../evidence/candidate-set.js'
import { Scale } from '../evidence/scale.js'
import type { Scored } from '../ranking/ranking.js'
import type { Brought } from './bring.js'
import { type Associations, linksAmong } from './links.js'
import { pathTo } from './path.js'
import { type EdgeWeights, lookAlongLinks, lookAround, type Surroundings } from './surroundings.js'
import { partsOf, walk, type Walked } from './walk.js'

/** What graphs count in a recall. */
export interface WalkWeights extends EdgeWeights {
  /** What a walk adds at most: so much where it leads to, and as much where it begins. */
  readonly pageRank: number
}

/** A candidate with what graphs added to its score. */
export interface Led extends Scored {
  /**
   * The path by which most came to it; worked out when asked for. Absent where graphs neither bettered its place nor
   * brought it.
   */
  readonly path?: () => readonly WhyStep[] | undefined
}

/** Candidates that are looked at: the best. */
const MOST = 300
/** A walk begins at a candidate e^sharpness times as often as at one that stands a standard deviation lower. */
const SHARPNESS = 2

/**
 * Up to so many memories a walk counts associations alone: beside few others words are rare by chance, and what a
 * match's neighbours say is weighed already.
 */
export const SMALL = 50
/** From so many memories on a walk counts all edges. */
const LARGE = 100

/**
 * Lifts candidates by what leads to them from the others that rank high: a memory that answers a part of the cue in
 * words that the cue does not have. Where a walk begins counts as much as where it leads, so that what stands out keeps
 * its place: others that have much in common among themselves do not drown it. Best first, ties by slot.
 *
 * @param ranked best first.
 * @param associations those that are walked over. Default: none.
 * @param brought what associations brought. Default: nothing.
 */
export function liftByGraph(
  candidates: CandidateSet,
  ranked: readonly Scored[],
  weights: WalkWeights,
  associations?: Associations,
  brought?: Omit<Brought, 'candidates'>,
): Led[] {
  const { indexes, slots } = candidates
  const size = Math.min(1, Math.max(0, (indexes.catalog.size - SMALL) / (LARGE - SMALL)))
  if (weights.pageRank === 0 || ranked.length < 2) return [...ranked]
  const walkedOver = ranked.filter(({ slot }, rank) => rank < MOST || brought?.led.has(slot))
  const scores = new Map(walkedOver.map(({ slot, score }) => [slot, score]))
  const chosen = Array.from(slots.keys()).filter((i) => scores.has(slots[i]))
  const nodes = Uint32Array.from(chosen, (i) => slots[i])
  const links = linksAmong(associations, nodes)
  if (size === 0 && links === undefined) return [...ranked]
  const { z } = new Scale(Float64Array.from(nodes, (slot) => scores.get(slot)!))
  const seeds = z.map((above) => exp(SHARPNESS * above))
  const beside = (rows: Int32Array) =>
    Int32Array.from(chosen, (i) => (rows[i * REACH] < 0 ? -1 : candidates.evidence.slots[rows[i * REACH]]))
  const nextTo = () => ({ before: beside(candidates.before), after: beside(candidates.after) })
  const walks = [
    ...(size > 0 ? [overAll(lookAround(indexes, nodes, nextTo(), weights, links), seeds)] : []),
    ...(size < 1 && links !== undefined ? [overLinks(lookAlongLinks(nodes, links), seeds)] : []),
  ]
  const [{ around, walked }] = walks
  const shares = size > 0 ? [size, 1 - size] : [1]
  const more = new Float64Array(nodes.length)
  walks.forEach(({ parts }, at) => {
    const most = shares[at] * weights.pageRank
    for (let node = 0; node < more.length; node++) more[node] += most * parts[node]
  })
  const nodeOf = new Map(Array.from(nodes, (slot, node) => [slot, node]))
  const lifted = ranked.map((found): Led => {
    const node = nodeOf.get(found.slot)
    const graph = node === undefined ? 0 : more[node]
    if (graph === 0) return found
    return { ...found, score: found.score + graph, signals: () => ({ ...found.signals(), graph }) }
  })
  const before = new Map(ranked.map(({ slot }, rank) => [slot, rank]))
  return lifted
    .sort((a, b) => b.score - a.score || a.slot - b.slot)
    .map((found, rank) =>
      rank < before.get(found.slot)! || brought?.added.has(found.slot)
        ? { ...found, path: () => pathTo(indexes.catalog, around, walked, nodeOf.get(found.slot)!) }
        : found,
    )
}

/** What a walk says of each node, as a part of the most that it may add. */
interface Parts {
  readonly around: Surroundings
  readonly walked: Walked
  readonly parts: Float64Array
}

/** A walk over all edges: where it begins counts as much as where it leads. */
function overAll(around: Surroundings, seeds: Float64Array): Parts {
  const walked = walk(around, seeds)
  const begun = new Scale(seeds).share
  const brought = new Scale(walked.brought).share
  return { around, walked, parts: begun.map((part, node) => part + brought[node]) }
}

/** A walk over associations alone: only what it leads to gains by it. */
function overLinks(around: Surroundings, seeds: Float64Array): Parts {
  const walked = walk(around, seeds)
  return { around, walked, parts: partsOf(walked) }
}
