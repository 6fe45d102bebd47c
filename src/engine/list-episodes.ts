import { EPISODES_ORDERS, type EpisodesOptions } from '../api/episode-pages.js'
import type { EpisodesPage } from '../api/caller.js'
import { checkFilter, checkNarrowing } from '../api/check-filter.js'
import { checkChoice, checkKeys, checkName, checkWhole } from '../api/check.js'
import type { Filter } from '../api/filter.js'
import { toSpan } from '../api/time.js'
import { countBits, slotsBackwards, slotsOf } from '../base/bits.js'
import { unexpiredSlots } from '../indexes/filter.js'
import { liveSlot } from '../write/writer.js'
import type { EngineContext } from './context.js'

/** Episodes a page, by default. */
const PAGE = 100
/** Episodes a page, at most. */
const MAX_PAGE = 10_000

/** A page of episodes, by when they were observed; `undefined` at the end. */
export async function listEpisodes(
  { indexes, config, fetch }: EngineContext,
  options: EpisodesOptions,
  from: number | undefined,
): Promise<EpisodesPage | undefined> {
  checkKeys('episodes', options, ['order', 'after', 'limit', 'session', 'speaker', 'source', 'at', 'filter'])
  const { order = 'oldest', after, limit = PAGE } = options
  checkChoice('order', order, EPISODES_ORDERS)
  checkWhole('limit', limit, 1, MAX_PAGE)
  checkName('after', after, config.limits)
  const { filter, ...belonging } = checkNarrowing(options, config.limits)
  const within = toSpan(options.at, 'at')
  const { catalog } = indexes
  const step = order === 'oldest' ? 1 : -1
  const start = from ?? (after === undefined ? undefined : liveSlot(indexes, after) + step)
  const slots: number[] = []
  // anew for each page: what is there may have changed
  const among = unexpiredSlots(indexes, filter, config.clock())
  const belongs = catalog.belonging({ ...belonging, within })
  const walk = order === 'oldest' ? slotsOf : slotsBackwards
  for (const slot of walk(among ?? catalog.live, start)) {
    if (belongs(slot)) slots.push(slot)
    if (slots.length === limit) break
  }
  if (slots.length === 0) return undefined
  return {
    episodes: (await fetch(slots)).filter((episode) => episode !== undefined),
    next: slots[slots.length - 1] + step,
  }
}

/** How many episodes there are, or pass a filter. */
export function countEpisodes({ indexes, config }: EngineContext, filter: Filter | undefined): number {
  const checked = filter === undefined ? undefined : checkFilter('filter', filter, config.limits)
  const slots = unexpiredSlots(indexes, checked, config.clock())
  return slots === undefined ? indexes.catalog.size : countBits(slots)
}
