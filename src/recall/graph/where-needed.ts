import type { AgidbError } from '../../base/errors.js'
import { graphError } from '../../base/graph-error.js'
import type { AssociationGraph } from '../../kernel/graph.js'
import type { Bring } from './bring.js'
import type { Led, WalkWeights } from './lift.js'
import type { Scored } from '../ranking/ranking.js'
import type { CandidateSet } from '../evidence/candidate-set.js'
import type { walkOver } from './part.js'

/** Up to so many memories a walk counts associations alone. */
export const SMALL = 50

/** Loads the associations beyond what observing gave; `undefined` where there are none. */
export type LearnedAssociations = () => Promise<AssociationGraph | undefined>

/** What lifts by graphs. A small memory without associations needs none of it, so it is loaded when it is needed. */
export interface WalkParts {
  /** Absent where no question is lifted. */
  readonly walk?: () => Promise<{ readonly walkOver: typeof walkOver }>
  /** Absent where neither callers nor recalls have associated anything. */
  readonly learned?: LearnedAssociations
  /** Told when a graph fails; the answer is the one without it. */
  readonly graphFailed?: (error: AgidbError) => void
}

/** A walk over graphs for one question. */
export interface Walk {
  /** Brings what is associated with the best candidates. */
  readonly bring: Bring
  /** Lifts ranked candidates, best first. */
  readonly lift: (candidates: CandidateSet, ranked: readonly Scored[]) => readonly Led[]
  /** Present once a graph failed: what is to be asked in its place. */
  readonly instead?: { readonly walk: WalkWeights | undefined }
}

/**
 * What walks for a question; `undefined` where graphs count nothing. A failure takes nothing from the answer: it is
 * told, and the answer is that without the graph.
 *
 * @param memories how many episodes there are.
 */
export async function walkFor(
  weights: WalkWeights | undefined,
  memories: number,
  { walk, learned, graphFailed }: WalkParts,
): Promise<Walk | undefined> {
  if (!weights || !walk || (memories <= SMALL && !learned)) return undefined
  try {
    return await (await walk()).walkOver(weights, learned, graphFailed)
  } catch (error) {
    graphFailed?.(graphError('entity', error))
    return undefined
  }
}
