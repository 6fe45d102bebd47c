import type { AgidbError } from '../../base/errors.js'
import { graphError } from '../../base/graph-error.js'
import { SMALL, type WalkWeights } from './lift.js'
import type { LoadAssociations, Walk, walkOver } from './part.js'

/** What lifts by graphs. A small memory without associations needs none of it, so it is loaded when it is needed. */
export interface WalkParts {
  /** Absent where no question is lifted. */
  readonly walk?: () => Promise<{ readonly walkOver: typeof walkOver }>
  /** Absent where callers have associated nothing. */
  readonly strengthened?: LoadAssociations
  /** Told when a graph fails; the answer is the one without it. */
  readonly graphFailed?: (error: AgidbError) => void
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
  { walk, strengthened, graphFailed }: WalkParts,
): Promise<Walk | undefined> {
  if (!weights || !walk || (memories <= SMALL && !strengthened)) return undefined
  try {
    return await (await walk()).walkOver(weights, strengthened, graphFailed)
  } catch (error) {
    graphFailed?.(graphError('entity', error))
    return undefined
  }
}
