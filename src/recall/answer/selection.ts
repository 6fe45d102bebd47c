import type { Episode, EpisodeId } from '../../api/episode.js'
import type { Tier } from '../../api/recall.js'
import type { Indexes } from '../../indexes/indexes.js'
import { DuplicateFolder } from './fold-duplicates.js'
import type { GoalBoosts } from '../ranking/goal-boost.js'
import { reaches } from './tiers.js'
import type { Fetch } from '../query/times.js'

/** What is asked of a choice. */
export interface SelectionOptions {
  readonly k: number
  readonly tierFloor: Tier
  readonly fold: boolean
}

/** A candidate that is an answer. */
export interface Selected {
  readonly found: GoalBoosts
  readonly episode: Episode
  readonly tier: Tier
  /** Its near-duplicates, best first. */
  readonly folded: EpisodeId[]
}

/** Which candidates are answers, and why others of those that were looked at are not. By slot. */
export interface Selection {
  readonly kept: readonly Selected[]
  readonly refused: ReadonlyMap<number, Tier>
  readonly folded: ReadonlyMap<number, EpisodeId>
}

/** How many texts are read at once, at least. */
const PAGE = 20
/** The most that is looked at after the last answer for what is folded into one. */
const FOLLOWING = 100

/**
 * The best k that reach the tier floor and are near-duplicates of none better.
 *
 * @param ranked best first.
 */
export async function choose(
  indexes: Indexes,
  ranked: readonly GoalBoosts[],
  wanted: SelectionOptions,
  tierOf: (found: GoalBoosts, episode: Episode) => Tier,
  fetch: Fetch,
): Promise<Selection> {
  const kept = new Map<EpisodeId, Selected>()
  const refused = new Map<number, Tier>()
  const folded = new Map<number, EpisodeId>()
  const folding = wanted.fold ? new DuplicateFolder(indexes) : undefined
  const look = (found: GoalBoosts, episode: Episode) => {
    const tier = tierOf(found, episode)
    if (!reaches(tier, wanted.tierFloor)) return void refused.set(found.slot, tier)
    const hasRoom = kept.size < wanted.k
    const better = folding?.fold(found.slot, episode, hasRoom)
    if (better !== undefined) {
      folded.set(found.slot, better)
      kept.get(better)!.folded.push(episode.id)
    } else if (hasRoom) kept.set(episode.id, { found, episode, tier, folded: [] })
  }
  const page = async (start: number, size: number) => {
    const slots = ranked.slice(0, start + size).map(({ slot }) => slot)
    const episodes = await fetch(slots.slice(start))
    // What is kept is compared with what comes.
    await indexes.text.bring?.(Uint32Array.from(slots))
    episodes.forEach((episode, i) => episode && look(ranked[start + i], episode))
  }
  const size = Math.max(wanted.k, PAGE)
  let start = 0
  for (; start < ranked.length && kept.size < wanted.k; start += size) await page(start, size)
  if (folding !== undefined && start < ranked.length) await page(start, Math.min(size, FOLLOWING))
  return { kept: [...kept.values()], refused, folded }
}
