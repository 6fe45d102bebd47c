import type { Episode } from '../../api/episode.js'
import type { ExtractionContext } from '../../api/extractor.js'
import type { Indexes } from '../../indexes/indexes.js'

/** Earlier turns of its session that a text is read with. */
export const TURNS_BEFORE = 4

/** The slots of the turns that stand before one in its session, the nearest last. */
export function turnsBefore({ timeline }: Indexes, slot: number): number[] {
  const turns: number[] = []
  for (let at = timeline.previous(slot); at >= 0 && turns.length < TURNS_BEFORE; at = timeline.previous(at))
    turns.push(at)
  return turns.reverse()
}

/** The slots of the turns that are read with one, because they stand after it in its session. */
export function turnsAfter({ timeline }: Indexes, slot: number): number[] {
  const turns: number[] = []
  for (let at = timeline.next(slot); at >= 0 && turns.length < TURNS_BEFORE; at = timeline.next(at)) turns.push(at)
  return turns
}

/** The turns of a session that stand right behind a slot whose episode may be gone. */
export function turnsBehind({ timeline }: Indexes, session: string, slot: number): number[] {
  const turns: number[] = []
  for (const at of timeline.of(session)) {
    if (at <= slot) break
    turns.push(at)
  }
  return turns.slice(-TURNS_BEFORE)
}

/**
 * What an extractor is told of an episode.
 *
 * @param turns those of {@link turnsBefore}.
 */
export function contextOf({ speaker, at }: Episode, turns: readonly Episode[]): ExtractionContext {
  const others = new Set(turns.flatMap((turn) => turn.speaker ?? []))
  if (speaker !== undefined) others.delete(speaker)
  return {
    ...(speaker !== undefined && { speaker }),
    ...(others.size > 0 && { others: [...others] }),
    at,
    ...(turns.length > 0 && {
      before: turns.map(({ speaker, text }) => ({ ...(speaker !== undefined && { speaker }), text })),
    }),
  }
}
