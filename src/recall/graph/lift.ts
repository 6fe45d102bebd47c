import type { WhyStep } from '../../api/graph.js'
import { exp } from '../../base/exponential.js'
import { REACH } from '../candidates/neighbours.js'
import type { CandidateSet } from '../evidence/candidate-set.js'
import { Scale } from '../evidence/scale.js'
import type { Scored } from '../ranking/ranking.js'
import { pathTo } from './path.js'
import { type EdgeWeights, lookAround } from './surroundings.js'
import { walk } from './walk.js'

/** What graphs count in a recall. */
export interface WalkWeights extends EdgeWeights {
  /** What a walk adds at most: so much where it leads to, and as much where it begins. */
  readonly pageRank: number
}

/** A candidate with what graphs added to its score. */
export interface Led extends Scored {
  /** The path by which most came to it; worked out when asked for. Absent where graphs did not better its place. */
  readonly path?: () => readonly WhyStep[] | undefined
}

/** Candidates that are looked at: the best. */
const MOST = 300
/** A walk begins at a candidate e^sharpness times as often as at one that stands a standard deviation lower. */
const SHARPNESS = 2

/**
 * Beside few others words are rare by chance, and what a match's neighbours say is weighed already: up to `none`
 * memories a walk counts nothing, from `full` on all.
 */
export const SIZE = { none: 50, full: 100 }

/**
 * Lifts candidates by what leads to them from the others that rank high: a memory that answers a part of the cue in
 * words that the cue does not have. Where a walk begins counts as much as where it leads, so that what stands out keeps
 * its place: others that have much in common among themselves do not drown it. Best first, ties by slot.
 *
 * @param ranked best first.
 */
export function liftByGraph(candidates: CandidateSet, ranked: readonly Scored[], weights: WalkWeights): Led[] {
  const memories = candidates.indexes.catalog.size
  const size = Math.min(1, Math.max(0, (memories - SIZE.none) / (SIZE.full - SIZE.none)))
  const most = size * weights.pageRank
  if (most === 0 || ranked.length < 2) return [...ranked]
  const { slots } = candidates
  const scores = new Map(ranked.slice(0, MOST).map(({ slot, score }) => [slot, score]))
  const chosen = Array.from(slots.keys()).filter((i) => scores.has(slots[i]))
  const { z } = new Scale(Float64Array.from(chosen, (i) => scores.get(slots[i])!))
  const beside = (rows: Int32Array) =>
    Int32Array.from(chosen, (i) => (rows[i * REACH] < 0 ? -1 : candidates.evidence.slots[rows[i * REACH]]))
  const around = lookAround(
    candidates.indexes,
    Uint32Array.from(chosen, (i) => slots[i]),
    { before: beside(candidates.before), after: beside(candidates.after) },
    weights,
  )
  const seeds = z.map((above) => exp(SHARPNESS * above))
  const walked = walk(around, seeds)
  const begun = new Scale(seeds).share
  const brought = new Scale(walked.brought).share
  const nodeOf = new Map(chosen.map((i, node) => [slots[i], node]))
  const lifted = ranked.map((found): Led => {
    const node = nodeOf.get(found.slot)
    const graph = node === undefined ? 0 : most * (begun[node] + brought[node])
    if (graph === 0) return found
    return { ...found, score: found.score + graph, signals: () => ({ ...found.signals(), graph }) }
  })
  const before = new Map(ranked.map(({ slot }, rank) => [slot, rank]))
  return lifted
    .sort((a, b) => b.score - a.score || a.slot - b.slot)
    .map((found, rank) =>
      rank < before.get(found.slot)!
        ? { ...found, path: () => pathTo(candidates.indexes.catalog, around, walked, nodeOf.get(found.slot)!) }
        : found,
    )
}
