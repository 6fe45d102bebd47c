import { heaviest } from '../../encoding/heaviest.js'
import { hasBit } from '../../base/bits.js'
import type { Indexes } from '../../indexes/indexes.js'
import type { Arena, Hits, Query } from '../../kernel/port.js'
import type { Cue } from '../query/cue.js'
import { type NeighbourScores, inLine } from './neighbours.js'
import { rarestOf } from '../evidence/pattern.js'
import { dimensionsFor } from '../evidence/scores.js'

/** The arenas of which other threads may hold a part. The structured one is small. */
export const SHARED_ARENAS = ['text', 'latent', 'sentence'] as const
export type SharedArena = (typeof SHARED_ARENAS)[number]

/** What a cue asks of one arena. */
export interface CandidateQuery {
  readonly arena: SharedArena
  readonly query: Query
  /** Of a question that is asked at its heaviest dimensions alone: how many these are. */
  readonly dimensions?: number
  /** The same at all dimensions. */
  readonly exact: Query
}

/** The `k` best of arenas, of the slots in `mask`, absent: of all. */
export type Scan = (
  asked: readonly CandidateQuery[],
  k: number,
  mask: Uint32Array | undefined,
) => Promise<readonly Hits[]>

/** What a cue asks of the arenas that may be shared. */
export function toCandidateQuery(indexes: Indexes, cue: Cue): CandidateQuery[] {
  const queries = { text: cue.text, latent: cue.latent?.query, sentence: cue.sentence }
  return SHARED_ARENAS.flatMap((arena) => {
    const query = queries[arena]
    const size = arenaOf(indexes, arena)?.size ?? 0
    if (query === undefined || size === 0) return []
    const dimensions = dimensionsFor(size, query)
    return [{ arena, query: dimensions === undefined ? query : heaviest(query, dimensions), dimensions, exact: query }]
  })
}

/** The scan of the arenas in this thread alone. */
export function scanHere(
  indexes: Indexes,
  questions: readonly CandidateQuery[],
  k: number,
  mask: Uint32Array | undefined,
): Hits[] {
  return questions.map(({ arena, query }) => arenaOf(indexes, arena)!.scan(query, k, mask))
}

/** An arena by its name. */
export function arenaOf({ text, latents, sentences }: Indexes, name: SharedArena): Arena | undefined {
  return { text, latent: latents?.arena, sentence: sentences?.arena }[name]
}

/**
 * The slots that are worth a closer look: the best of the posting lists, of the text signatures and of the structured
 * signatures, the episodes that name the rarest concept of the cue or the rarest name of its pattern, the session
 * neighbours of all these; those of the time asked about; and the newest where that is not enough.
 *
 * @param depth how many from each source, at least.
 * @param mask the visible slots; absent: all.
 * @param around gives session neighbours.
 * @param hits what the scans of the arenas found.
 * @param timely visible slots of the time that the cue asks about.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one loop over the kinds of candidates
export function candidates(
  indexes: Indexes,
  cue: Cue,
  depth: number,
  mask: Uint32Array | undefined,
  around: NeighbourScores,
  hits: readonly Hits[],
  timely: readonly number[] = [],
): Uint32Array {
  const visible = (slot: number) => mask === undefined || hasBit(mask, slot)
  const found = new Set<number>(indexes.postings.search(cue.terms, depth, mask).slots)
  const structured = cue.structured && indexes.structured.scan(cue.structured, depth, mask)
  for (const { slots } of structured ? [...hits, structured] : hits) for (const slot of slots) found.add(slot)
  for (const slot of rarestConcept(indexes, cue, depth)) if (visible(slot)) found.add(slot)
  const fitting = cue.pattern === undefined ? [] : [...rarestOf(indexes, cue.pattern)].sort((a, b) => b - a)
  for (const slot of fitting.slice(0, depth)) if (visible(slot)) found.add(slot)
  for (const slot of [...found]) {
    for (const side of [around.previous, around.next])
      for (const near of inLine(slot, side, 2)) if (visible(near)) found.add(near)
  }
  for (const slot of timely) found.add(slot)
  if (found.size < depth) for (const slot of indexes.catalog.newest(depth, mask)) found.add(slot)
  return Uint32Array.from(found).sort()
}

/** Newest first, since what was said last is what is most often asked for. */
function rarestConcept(indexes: Indexes, cue: Cue, depth: number): number[] {
  const { concepts } = indexes
  const [rarest] = [...cue.concepts].sort((a, b) => concepts.count(a) - concepts.count(b))
  return rarest === undefined ? [] : [...concepts.slots(rarest)].sort((a, b) => b - a).slice(0, depth)
}
