import type { Indexes } from '../../indexes/indexes.js'
import { strongest } from '../evidence/scale.js'
import { REFINED } from '../evidence/scores.js'
import type { CandidateQuery, Found } from './candidates.js'
import type { VectorSearch } from './vector-search.js'

/**
 * A scan at {@link REFINED} dimensions finds so many times the slots that are wanted: in 310 questions about 10,000
 * turns all of the ten best at all dimensions were among them.
 */
const FOUND = 3
/** A scan at fewer dimensions finds at least so many slots: see `DIMENSIONS` of `evidence/scores.ts`. */
const LEAST = 100

/**
 * Finds the slots whose signatures are nearest to each query: the best `k`, or {@link LEAST} if that is more and an
 * arena is scanned at its heaviest dimensions. The results of a scan at {@link REFINED} dimensions are scored at all
 * dimensions, and the best `k` are kept; of the same score those that were found first.
 */
export async function findNearest(
  { signatures }: Indexes,
  vectors: VectorSearch,
  queries: readonly CandidateQuery[],
  k: number,
  mask: Uint32Array | undefined,
): Promise<Found[]> {
  const most = Math.max(...queries.map(({ dimensions = 0 }) => dimensions))
  const wanted = most === REFINED ? FOUND * k : most > 0 ? Math.max(LEAST, k) : k
  const found = await vectors.search(queries, wanted, mask)
  return found.map((hits, i) => {
    const { space, dimensions, exact } = queries[i]
    if (dimensions !== REFINED) return hits
    const { slots } = hits
    const scores = Float64Array.from(signatures.get(space)!.arena.score(exact, slots))
    return { slots: Uint32Array.from(strongest(scores, k), (at) => slots[at]) }
  })
}
