import type { Episode } from '../../api/episode.js'
import { decodeEpisode } from '../../records/kinds/episode.js'
import { withExtraction, withoutExtraction } from '../../records/extraction.js'
import type { MemoryContext } from '../context.js'
import { contextOf, turnsAfter, turnsBefore } from './reading-context.js'
import { RevisedEpisodes } from './revised-episodes.js'

/** The live episodes that were read with one of these before them, and are none of these. */
export function readWith({ indexes }: Pick<MemoryContext, 'indexes'>, slots: readonly number[]): number[] {
  const own = new Set(slots)
  const after = new Set(slots.flatMap((slot) => turnsAfter(indexes, slot)))
  return [...after].filter((slot) => !own.has(slot) && indexes.extracted.isRead(slot)).sort((a, b) => a - b)
}

/**
 * Reads episodes again whose session is another now, and has the indexes hold what is found in them. What cannot be
 * read at once is taken away, and read later.
 *
 * @param pending episodes as they are once what is being made is durable, by slot; those that change are put there.
 */
export async function reread(
  context: MemoryContext,
  slots: readonly number[],
  pending: Map<number, Episode>,
): Promise<RevisedEpisodes> {
  const stored = slots.length === 0 ? [] : await context.read(slots)
  const reread = new RevisedEpisodes(context.indexes, pending)
  try {
    for (const { slot, row, signatures, encoder } of stored) {
      const before = pending.get(slot) ?? decodeEpisode(row)
      const after = await readAgain(context, slot, before)
      if (after === undefined || JSON.stringify(after) === JSON.stringify(before)) continue
      reread.add({ slot, before, after, stored: { signatures, encoder } })
    }
  } catch (error) {
    reread.undo()
    throw error
  }
  return reread
}

/** An episode with what is found in it now; `undefined` where no extractor has read it. */
async function readAgain(context: MemoryContext, slot: number, episode: Episode): Promise<Episode | undefined> {
  const { extraction } = episode
  if (extraction === undefined) return undefined
  const turns = await context.fetch(turnsBefore(context.indexes, slot))
  const found = await context.extractNow(
    episode,
    contextOf(
      episode,
      turns.filter((turn) => turn !== undefined),
    ),
  )
  if (found === undefined) return withoutExtraction(episode)
  return withExtraction(episode, found, { id: extraction.extractor, version: extraction.version })
}
