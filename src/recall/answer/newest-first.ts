import type { EpisodeId } from '../../api/episode.js'
import type { Match, ReplacingStatement } from '../../api/recall.js'
import type { Indexes } from '../../indexes/indexes.js'

/** The slots of some whose episodes state something that is true one at a time. */
export function statingOneAtATime({ predicates, ontology }: Indexes, slots: readonly number[]): number[] {
  return slots.filter((slot) => predicates.of(slot).some((name) => ontology.hasOneAtATime(name)))
}

/**
 * Names in matches what replaces them and what they replace, and has the newer one stand before the older where both
 * answer: of what is true one at a time the newest counts. All else keeps its place.
 */
export function newestFirst(
  matches: readonly Match[],
  by: ReadonlyMap<EpisodeId, ReplacingStatement>,
  of: ReadonlyMap<EpisodeId, readonly ReplacingStatement[]>,
): Match[] {
  const ordered: Match[] = []
  for (const match of matches) {
    const [replacedBy, replaces] = [by.get(match.id), of.get(match.id)]
    const told: Match = {
      ...match,
      ...(replacedBy !== undefined && { replacedBy }),
      ...(replaces !== undefined && { replaces }),
    }
    const older = ordered.findIndex(({ replacedBy }) => replacedBy?.id === match.id)
    if (older < 0) ordered.push(told)
    else ordered.splice(older, 0, told)
  }
  return ordered
}
