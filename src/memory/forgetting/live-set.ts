import type { Episode } from '../../api/episode.js'
import type { StoredEpisode } from '../../api/storage.js'
import { stopwatch } from '../../base/clock.js'
import { turn } from '../../base/event-loop-turn.js'
import type { Indexes } from '../../indexes/indexes.js'
import { decodeEpisode } from '../../records/kinds/episode.js'

/** Milliseconds for which indexes are changed before other calls get their turn. */
const SLICE_MS = 8

/** An episode and its place. */
export interface Placed {
  readonly slot: number
  readonly episode: Episode
}

/** Takes episodes out of the indexes, and others in as they are now. Other calls go on between. */
export async function takeOut(indexes: Indexes, removed: readonly Placed[], updated: readonly Placed[]): Promise<void> {
  // Of what is taken back after a failure, some may not have come.
  const there = removed.filter(({ slot }) => indexes.catalog.has(slot))
  await inSlices(there, ({ slot, episode }) => indexes.remove(slot, episode))
  for (const { slot, episode } of updated) indexes.update(slot, episode)
}

/** Takes stored episodes into the indexes again, at their places. */
export async function takeIn(indexes: Indexes, stored: readonly StoredEpisode[]): Promise<void> {
  const missing = stored.filter(({ slot }) => !indexes.catalog.has(slot))
  await inSlices(missing, (one) => indexes.restore(one.slot, decodeEpisode(one.row), one))
}

async function inSlices<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  let until = stopwatch() + SLICE_MS
  for (const item of items) {
    work(item)
    if (stopwatch() < until) continue
    await turn()
    until = stopwatch() + SLICE_MS
  }
}
