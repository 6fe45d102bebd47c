import { heaviest } from '../hdc/heaviest.js'
import { hasBit } from '../indexes/bits.js'
import type { Indexes } from '../indexes/indexes.js'
import type { Arena, Query } from '../kernel/port.js'
import type { Cue } from './cue.js'
import type { Around } from './neighbours.js'
import { dimensionsFor } from './scores.js'

/**
 * The slots that are worth a closer look: the best of the posting lists, of the text signatures and
 * of the structured signatures, the episodes that name the rarest concept of the cue, the session
 * neighbours of all these; those of the time asked about; and the newest where that is not enough.
 *
 * @param depth how many from each source, at least.
 * @param mask the visible slots; absent: all.
 * @param around gives the session neighbours of a slot.
 * @param timely visible slots of the time that the cue asks about.
 */
export function candidates(
  indexes: Indexes, cue: Cue, depth: number, mask: Uint32Array | undefined, around: Around, timely: readonly number[] = [],
): Uint32Array {
  const visible = (slot: number) => mask === undefined || hasBit(mask, slot)
  const found = new Set<number>(indexes.postings.search(cue.terms, depth, mask).slots)
  const scans: readonly [Arena | undefined, Query | undefined][] = [
    [indexes.text, cue.text], [indexes.latents?.arena, cue.latent?.query], [indexes.sentences?.arena, cue.sentence], [indexes.structured, cue.structured],
  ]
  for (const [arena, query] of scans) {
    if (arena === undefined || query === undefined) continue
    const dimensions = dimensionsFor(arena.size, query)
    const asked = dimensions === undefined ? query : heaviest(query, dimensions)
    for (const slot of arena.scan(asked, depth, mask).slots) found.add(slot)
  }
  for (const slot of rarestConcept(indexes, cue, depth)) if (visible(slot)) found.add(slot)
  for (const slot of [...found]) {
    const { before, after } = around(slot)
    for (const neighbour of [...before.slice(0, 2), ...after.slice(0, 2)]) if (visible(neighbour)) found.add(neighbour)
  }
  for (const slot of timely) found.add(slot)
  if (found.size < depth) for (const slot of indexes.catalog.newest(depth, visible)) found.add(slot)
  return Uint32Array.from(found).sort()
}

/** Newest first, since what was said last is what is most often asked for. */
function rarestConcept(indexes: Indexes, cue: Cue, depth: number): number[] {
  const { concepts } = indexes
  const [rarest] = [...cue.concepts].sort((a, b) => concepts.count(a) - concepts.count(b))
  return rarest === undefined ? [] : [...concepts.slots(rarest)].sort((a, b) => b - a).slice(0, depth)
}
