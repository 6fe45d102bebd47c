import type { Indexes } from '../../indexes/indexes.js'
import { strongest } from '../evidence/scale.js'
import { REFINED } from '../evidence/scores.js'
import type { CandidateQuery, Found } from './candidates.js'
import type { VectorSearch } from './vector-search.js'

/**
 * Found at {@link REFINED} dimensions for each that is wanted: of 10,000 turns practically all of the hundred best at
 * all dimensions are among three times as many.
 */
const FOUND = 3
/** Found at fewer dimensions, at least: see `DIMENSIONS` of `evidence/scores.ts`. */
const LEAST = 100

/**
 * The slots whose signatures are nearest to each query: the best `k`, and where only the heaviest dimensions are
 * searched at least {@link LEAST}. Where {@link REFINED} dimensions are searched, more are found, and the best `k` of
 * them at all dimensions are taken; of the same score those that were found first.
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
