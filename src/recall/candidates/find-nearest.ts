import type { Indexes } from '../../indexes/indexes.js'
import { strongest } from '../evidence/scale.js'
import { REFINED_UNDER } from '../evidence/scores.js'
import type { CandidateQuery, Found } from './candidates.js'
import type { VectorSearch } from './vector-search.js'

/** A scan at the heaviest dimensions whose results are refined finds so many times the slots that are wanted. */
const FOUND = 3
/** One whose results are not refined finds at least so many slots: see `DIMENSIONS` of `evidence/scores.ts`. */
const LEAST = 100

/**
 * Finds the slots whose signatures are nearest to each query: the best `k`, or {@link LEAST} if that is more and an
 * arena is scanned at its heaviest dimensions. Of an arena of less than {@link REFINED_UNDER} signatures these results
 * are refined: scored at all dimensions, and the best `k` are kept; of the same score those that were found first.
 */
export async function findNearest(
  { signatures }: Indexes,
  vectors: VectorSearch,
  queries: readonly CandidateQuery[],
  k: number,
  mask: Uint32Array | undefined,
): Promise<Found[]> {
  const isPart = ({ dimensions }: CandidateQuery) => dimensions !== undefined
  const isRefined = (query: CandidateQuery) => isPart(query) && signatures.get(query.space)!.arena.size < REFINED_UNDER
  const wanted = queries.some(isRefined) ? FOUND * k : queries.some(isPart) ? Math.max(LEAST, k) : k
  const found = await vectors.search(queries, wanted, mask)
  return found.map((hits, i) => {
    if (!isRefined(queries[i])) return hits
    const { slots } = hits
    const { space, exact } = queries[i]
    const scores = Float64Array.from(signatures.get(space)!.arena.score(exact, slots))
    return { slots: Uint32Array.from(strongest(scores, k), (at) => slots[at]) }
  })
}
