import type { SpaceKind } from '../../encoding/spaces/spaces.js'
import type { Indexes } from '../../indexes/indexes.js'
import type { Hits, Query } from '../../kernel/port.js'

/** A query against the signatures of one space. */
export interface VectorQuery {
  readonly space: SpaceKind
  readonly query: Query
}

/**
 * Searches signatures: in this thread, with other threads, or elsewhere. All implementations find the same. Recall asks
 * for all spaces in one call, so that each thread or server is sent one message.
 */
export interface VectorSearch {
  /**
   * Finds the `k` best slots for each query.
   *
   * @param filter a bit set of the slots to search: bit `slot & 31` of word `slot >> 5`. Absent: all.
   * @returns the hits of each query, in the order of the queries; none for a space without signatures.
   */
  search(queries: readonly VectorQuery[], k: number, filter?: Uint32Array): Promise<readonly Hits[]>
}

/** Searches the arenas of indexes in this thread. */
export function arenaSearch(indexes: Indexes): VectorSearch {
  return { search: async (queries, k, filter) => searchArenas(indexes, queries, k, filter) }
}

/** What {@link arenaSearch} finds, at once. */
export function searchArenas(
  indexes: Indexes,
  queries: readonly VectorQuery[],
  k: number,
  filter?: Uint32Array,
): Hits[] {
  return queries.map(({ space, query }) => indexes.signatures.get(space)?.arena.scan(query, k, filter) ?? NO_HITS)
}

const NO_HITS: Hits = { slots: new Uint32Array(0), scores: new Int32Array(0) }
