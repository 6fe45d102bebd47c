import type { Episode } from '../../api/episode.js'
import type { Tier } from '../../api/recall.js'
import type { Indexes } from '../../indexes/indexes.js'
import { type Cue, toFits } from '../query/cue.js'
import { chanceLevel, SIMILAR_MARGIN } from '../evidence/evidence.js'
import { fitOfEpisode } from '../evidence/pattern.js'
import type { Scored } from '../ranking/ranking.js'

/** From the strongest kind of evidence to the weakest. */
export const TIERS: readonly Tier[] = ['exact', 'similarity', 'gist', 'nearest']

/** Share of the cue's idf above which its words alone count as likeness beyond chance. */
const SIMILAR_COVERAGE = 0.5
/**
 * A name that half of the memory shares says little. One is exact evidence if few episodes have it, or if so much of
 * the cue's idf is there with it.
 */
const TELLING_COUNT = 2
const TELLING_SHARE = 0.02
const NAMED_COVERAGE = 0.4
const GIST_COVERAGE = 0.25
/**
 * Cosines of what is meant: of turns of a chat that have nothing to do with a question one in 200 has the first, one in
 * 25 the second.
 */
const SIMILAR_MEANING = 0.5
const GIST_MEANING = 0.35

/** What kind of evidence speaks for a candidate. */
export function tierOf(indexes: Indexes, found: Scored, cue: Cue, episode: Episode): Tier {
  const memories = indexes.catalog.size
  const fits = toFits(cue)
  if (fits !== undefined && fitOfEpisode(found.slot, episode.triples, fits) === 1) return 'exact'
  const telling = (concept: string) =>
    indexes.concepts.count(concept) <= Math.max(TELLING_COUNT, TELLING_SHARE * memories)
  if (found.concepts.some((concept) => found.coverage >= NAMED_COVERAGE || telling(concept))) return 'exact'
  const chance = chanceLevel(memories)
  const { likeness, meaning } = found
  if (likeness >= chance + SIMILAR_MARGIN || found.coverage >= SIMILAR_COVERAGE || meaning >= SIMILAR_MEANING)
    return 'similarity'
  if (likeness >= chance || found.coverage >= GIST_COVERAGE || meaning >= GIST_MEANING) return 'gist'
  return 'nearest'
}

/** Whether a tier is at least as strong as another. */
export function reaches(tier: Tier, floor: Tier): boolean {
  return TIERS.indexOf(tier) <= TIERS.indexOf(floor)
}
