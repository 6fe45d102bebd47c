import type { AgidbError } from '../../base/errors.js'
import { graphError } from '../../base/graph-error.js'
import type { CandidateSet } from '../evidence/candidate-set.js'
import type { Scored } from '../ranking/ranking.js'
import { type Led, type liftByGraph, SIZE, type WalkWeights } from './lift.js'

/** What lifts by graphs. A small memory needs none of it, so it is loaded when a larger one is first asked. */
export interface WalkParts {
  /** Absent where no question is lifted. */
  readonly walk?: () => Promise<{ readonly liftByGraph: typeof liftByGraph }>
}

/** Lifts ranked candidates, best first. */
export type Lifting = (candidates: CandidateSet, ranked: readonly Scored[]) => readonly Led[]

/**
 * `liftByGraph` with some weights; without weights nothing is lifted. A failure takes nothing from the answer: it is
 * told, and the order is that without graphs.
 *
 * @param memories how many episodes there are.
 */
export async function lifting(
  weights: WalkWeights | undefined,
  memories: number,
  parts: WalkParts,
  failed: ((error: AgidbError) => void) | undefined,
): Promise<Lifting> {
  const asItWas: Lifting = (_, ranked) => ranked
  if (weights === undefined || parts.walk === undefined || memories <= SIZE.none) return asItWas
  const told = (error: unknown) => failed?.(graphError('entity', error))
  const part = await parts.walk().catch(told)
  if (part === undefined) return asItWas
  return (candidates, ranked) => {
    try {
      return part.liftByGraph(candidates, ranked, weights)
    } catch (error) {
      told(error)
      return ranked
    }
  }
}
