import type { Episode } from '../core/episode.js'
import type { Context, Turn } from '../core/recall.js'
import type { Visibility } from '../indexes/catalog.js'
import type { Indexes } from '../indexes/indexes.js'
import { neighbours } from './neighbours.js'
import type { Fetch } from './times.js'

/**
 * The turns around slots in their sessions, in order.
 *
 * @param turns how many on each side, at most.
 */
export async function contexts(
  indexes: Indexes, slots: readonly number[], turns: number, visibility: Visibility, fetch: Fetch,
): Promise<Context[]> {
  const around = neighbours(indexes, visibility, turns)
  const wanted = [...new Set(slots.flatMap((slot) => [...around(slot).before, ...around(slot).after]))]
  const episodes = await fetch(wanted)
  const known = new Map(wanted.map((slot, i) => [slot, episodes[i]]))
  const toTurns = (side: readonly number[]) => side.map((slot) => known.get(slot)).filter((episode) => episode !== undefined).map(toTurn)
  return slots.map((slot) => ({ before: toTurns([...around(slot).before].reverse()), after: toTurns(around(slot).after) }))
}

function toTurn({ id, speaker, text, at }: Episode): Turn {
  return { id, ...(speaker !== undefined && { speaker }), text, at }
}
