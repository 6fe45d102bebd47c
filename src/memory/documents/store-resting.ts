import type { Caller } from '../../api/caller.js'
import type { EntryFacet, EntryId } from '../../api/entry-facet.js'
import type { Episode, Observation } from '../../api/episode.js'
import type { NewEvent } from '../../records/event-log.js'
import type { DocumentContext } from './context.js'

/**
 * Stores entries that were made of others, in one commit with what is learned of them, and answers with their ids. A
 * model may take seconds to make them, and what they were made of may be forgotten meanwhile. One that rests on what is
 * gone by now is not stored, since it may quote it.
 *
 * @param entries those that others of them rest on come first
 * @param eventsOf what is learned when those with some ids are stored
 */
export async function storeResting(
  { indexes: { catalog }, prepare, releaseId, learn }: DocumentContext,
  entries: readonly (readonly [Observation, EntryFacet])[],
  caller: Caller,
  eventsOf: (ids: readonly EntryId[]) => readonly NewEvent[] = () => [],
): Promise<readonly EntryId[]> {
  const episodes: Episode[] = []
  try {
    for (const [observation, entry] of entries) episodes.push({ ...prepare(observation, caller), entry })
    return await learn(caller, () => {
      // Nothing else is written from here on.
      const kept = new Map<EntryId, Episode>()
      const isThere = (id: EntryId) => kept.has(id) || catalog.slot(id) !== undefined
      for (const episode of episodes)
        if (episode.entry?.summarizes?.every(isThere) !== false) kept.set(episode.id, episode)
      const ids = [...kept.keys()]
      return { episodes: [...kept.values()], events: ids.length === 0 ? [] : eventsOf(ids), result: () => ids }
    })
  } finally {
    episodes.forEach(releaseId)
  }
}
