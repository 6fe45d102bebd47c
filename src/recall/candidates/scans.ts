import type { ScanTrace } from '../../api/recall.js'
import type { CandidateQuery, Found } from './candidates.js'
import type { VectorSearch } from './vector-search.js'

/** How many of the best slots of an exact search are looked for among what was found. */
const COMPARED_HITS = 10

/** What searches at the heaviest dimensions found of what exact ones find. Nothing of those that were exact. */
export async function scanTraces(
  search: VectorSearch,
  queries: readonly CandidateQuery[],
  hits: readonly Found[],
  mask: Uint32Array | undefined,
): Promise<ScanTrace[]> {
  const traced = queries.flatMap((query, i) =>
    query.dimensions === undefined ? [] : [{ ...query, dimensions: query.dimensions, hits: hits[i] }],
  )
  if (traced.length === 0) return []
  const exact = await search.search(
    traced.map(({ space, exact: query }) => ({ space, query })),
    COMPARED_HITS,
    mask,
  )
  return traced.map(({ space, dimensions, hits }, i) => {
    const best = exact[i].slots
    const found = new Set(hits.slots)
    const recall = best.length === 0 ? 1 : best.filter((slot) => found.has(slot)).length / best.length
    return { signatures: space as ScanTrace['signatures'], dimensions, recall }
  })
}
