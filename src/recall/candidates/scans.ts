import type { ScanTrace } from '../../api/recall.js'
import type { Indexes } from '../../indexes/indexes.js'
import type { Hits } from '../../kernel/port.js'
import { arenaOf, type CandidateQuery } from './candidates.js'

/** Of so many best the share is told. */
const BEST = 10

/** What scans at the heaviest dimensions found of what exact ones find. Nothing of those that were exact. */
export function scanTraces(
  indexes: Indexes,
  questions: readonly CandidateQuery[],
  hits: readonly Hits[],
  mask: Uint32Array | undefined,
): ScanTrace[] {
  return questions.flatMap(({ arena, dimensions, exact }, i) => {
    if (dimensions === undefined) return []
    const best = arenaOf(indexes, arena)!.scan(exact, BEST, mask).slots
    const found = new Set(hits[i].slots)
    const recall = best.length === 0 ? 1 : best.filter((slot) => found.has(slot)).length / best.length
    return [{ signatures: arena, dimensions, recall }]
  })
}
