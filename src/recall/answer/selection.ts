import type { Episode, EpisodeId } from '../../api/episode.js'
import type { Tier } from '../../api/recall.js'
import type { Indexes } from '../../indexes/indexes.js'
import { DuplicateFolder } from './fold-duplicates.js'
import type { Led } from '../graph/lift.js'
import { reaches, TIERS } from './tiers.js'
import type { Fetch } from '../query/times.js'

/** What is asked of a choice. */
export interface SelectionOptions {
  readonly k: number
  readonly tierFloor: Tier
  readonly fold: boolean
}

/** A candidate that is an answer. */
export interface Selected {
  readonly found: Led
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
  ranked: readonly Led[],
  wanted: SelectionOptions,
  tierOf: (found: Led, episode: Episode) => Tier,
  fetch: Fetch,
): Promise<Selection> {
  const kept = new Map<EpisodeId, Selected>()
  const refused = new Map<number, Tier>()
  const folded = new Map<number, EpisodeId>()
  const folding = wanted.fold ? new DuplicateFolder(indexes) : undefined
  const look = (found: Led, episode: Episode) => {
    const tier = tierOf(found, episode)
    if (!reaches(tier, wanted.tierFloor)) return void refused.set(found.slot, tier)
    const hasRoom = kept.size < wanted.k
    const better = folding?.fold(found.slot, episode, hasRoom)
    if (better !== undefined) {
      folded.set(found.slot, better)
      kept.get(better)!.folded.push(episode.id)
    } else if (hasRoom) kept.set(episode.id, { found, episode, tier, folded: [] })
  }
  const read = async (candidates: readonly Led[]) => {
    if (candidates.length === 0) return
    const slots = candidates.map(({ slot }) => slot)
    const episodes = await fetch(slots)
    // What is kept is compared with what comes.
    await indexes.text.bring?.(Uint32Array.from([...Array.from(kept.values(), ({ found }) => found.slot), ...slots]))
    candidates.forEach((found, i) => episodes[i] && look(found, episodes[i]))
  }
  const size = Math.max(wanted.k, PAGE)
  // Where the tier floor may refuse some, all are read, because a trace tells which.
  const refusesNone = wanted.tierFloor === TIERS.at(-1)
  let start = 0
  let end = refusesNone ? wanted.k : size
  for (; start < ranked.length && kept.size < wanted.k; end = size * (Math.floor(end / size) + 1)) {
    await read(ranked.slice(start, end))
    start = end
  }
  if (folding !== undefined) {
    const following = ranked.slice(start, size * Math.ceil(start / size) + Math.min(size, FOLLOWING))
    await read(refusesNone ? following.filter(({ slot }) => folding.mayFold(slot)) : following)
  }
  return { kept: [...kept.values()], refused, folded }
}
