import type { EpisodesOptions } from '../api/episode.js'
import type { EpisodesPage } from '../api/caller.js'
import { checkKeys, checkName, checkWhole } from '../api/check.js'
import { toSpan } from '../api/time.js'
import { liveSlot } from '../write/writer.js'
import type { EngineContext } from './context.js'

const PAGE = 100
const MAX_PAGE = 10_000

/** A page of episodes in the order in which they were observed; `undefined` at the end. */
export async function listEpisodes(
  { indexes, config, fetch }: EngineContext,
  options: EpisodesOptions,
  from: number | undefined,
): Promise<EpisodesPage | undefined> {
  checkKeys('episodes', options, ['after', 'limit', 'session', 'speaker', 'source', 'at'])
  const { after, limit = PAGE, session, speaker, source } = options
  checkWhole('limit', limit, 1, MAX_PAGE)
  for (const [what, name] of Object.entries({ after, session, speaker, source })) checkName(what, name, config.limits)
  const within = toSpan(options.at, 'at')
  const { catalog } = indexes
  const start = from ?? (after === undefined ? 0 : liveSlot(indexes, after) + 1)
  const slots: number[] = []
  // anew for each page: what is there may have changed
  const belongs = catalog.belonging({ session, speaker, source, within })
  for (const slot of catalog.slots(start)) {
    if (belongs(slot)) slots.push(slot)
    if (slots.length === limit) break
  }
  if (slots.length === 0) return undefined
  return {
    episodes: (await fetch(slots)).filter((episode) => episode !== undefined),
    next: slots[slots.length - 1] + 1,
  }
}
