import { heaviest } from '../../encoding/heaviest.js'
import { hasBit } from '../../base/bits.js'
import type { Indexes } from '../../indexes/indexes.js'
import type { Hits, Query } from '../../kernel/port.js'
import type { Cue } from '../query/cue.js'
import { type NeighbourScores, inLine } from './neighbours.js'
import { rarestOfReadings } from '../evidence/readings.js'
import { dimensionsFor } from '../evidence/scores.js'
import type { VectorQuery } from './vector-search.js'

/** Slots that a search found. */
export type Found = Pick<Hits, 'slots'>

/** What a cue asks of the signatures of one space. */
export interface CandidateQuery extends VectorQuery {
  /** Of a query that asks at its heaviest dimensions alone: how many these are. */
  readonly dimensions?: number
  /** The same at all dimensions. */
  readonly exact: Query
}

/** What a cue asks of each space that has signatures. */
export function toCandidateQueries(indexes: Indexes, { queries }: Cue): CandidateQuery[] {
  return indexes.signatures.arenas.flatMap(({ kind: space, space: { weigh }, arena }) => {
    const query = queries[weigh.signals[0].name]
    if (query === undefined || arena.size === 0) return []
    const dimensions = dimensionsFor(arena.size, query)
    return [{ space, query: dimensions === undefined ? query : heaviest(query, dimensions), dimensions, exact: query }]
  })
}

/**
 * Of each source so many of the best bring their session neighbours, as a share of how many it gives. With those of all
 * R@10 of 3,387 questions about 38 conversations is .001 higher, and a third more slots are looked at.
 */
const WITH_NEIGHBOURS = 1 / 3
/** How many session neighbours on each side. */
const BROUGHT = 2

/**
 * The slots that are worth a closer look: what the searches of signatures found, what the indexes propose, the episodes
 * that have the rarest name of a pattern, the session neighbours of the best of each of these; those of the time asked
 * about; and the newest where that is not enough.
 *
 * @param depth how many from each source, at least.
 * @param mask the visible slots; absent: all.
 * @param around gives session neighbours.
 * @param hits what the searches of signatures found.
 * @param timely visible slots of the time that the cue asks about.
 */
export function candidates(
  indexes: Indexes,
  cue: Cue,
  depth: number,
  mask: Uint32Array | undefined,
  around: NeighbourScores,
  hits: readonly Found[],
  timely: readonly number[] = [],
): Uint32Array {
  const visible = (slot: number) => mask === undefined || hasBit(mask, slot)
  const found = new Set<number>()
  const best = new Set<number>()
  /** Adds what a source gives, best first. */
  const add = (slots: Iterable<number>) => {
    let left = depth * WITH_NEIGHBOURS
    for (const slot of slots) {
      if (!visible(slot)) continue
      found.add(slot)
      if (left-- > 0) best.add(slot)
    }
  }
  for (const { slots } of hits) add(slots)
  for (const index of indexes.all) add(index.candidates?.(cue, depth, mask) ?? [])
  const named = rarestOfReadings(cue.readings)
  const fitting = [...(cue.fitting?.keys() ?? named)].sort((a, b) => b - a)
  add(fitting.slice(0, depth))
  for (const slot of best) {
    for (const side of [around.previous, around.next])
      for (const near of inLine(slot, side, BROUGHT)) if (visible(near)) found.add(near)
  }
  for (const slot of timely) found.add(slot)
  if (found.size < depth) for (const slot of indexes.catalog.newest(depth, mask)) found.add(slot)
  return Uint32Array.from(found).sort()
}
