import type { Episode } from '../../api/episode.js'
import type { Context, Turn } from '../../api/recall.js'
import type { Visibility } from '../../indexes/visibility.js'
import type { Indexes } from '../../indexes/indexes.js'
import { inLine, neighbours } from '../candidates/neighbours.js'
import type { Fetch } from '../query/times.js'

/**
 * The turns around slots in their sessions, in order.
 *
 * @param turns how many on each side, at most.
 */
export async function contexts(
  indexes: Indexes,
  slots: readonly number[],
  turns: number,
  visibility: Visibility,
  fetch: Fetch,
): Promise<Context[]> {
  const around = neighbours(indexes, visibility)
  const sides = slots.map((slot) => ({
    before: inLine(slot, around.previous, turns).reverse(),
    after: inLine(slot, around.next, turns),
  }))
  const wanted = [...new Set(sides.flatMap(({ before, after }) => [...before, ...after]))]
  const episodes = await fetch(wanted)
  const known = new Map(wanted.map((slot, i) => [slot, episodes[i]]))
  const toTurns = (side: readonly number[]) =>
    side
      .map((slot) => known.get(slot))
      .filter((episode) => episode !== undefined)
      .map(toTurn)
  return sides.map(({ before, after }) => ({ before: toTurns(before), after: toTurns(after) }))
}

function toTurn({ id, speaker, text, at }: Episode): Turn {
  return { id, ...(speaker !== undefined && { speaker }), text, at }
}
