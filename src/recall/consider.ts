import type { Indexes } from '../indexes/indexes.js'
import { candidates } from './candidates/candidates.js'
import { findNearest } from './candidates/find-nearest.js'
import { arenaSearch } from './candidates/vector-search.js'
import { shortlist } from './ranking/ranking.js'
import { describe, type FeatureTable } from './ranking/features.js'
import { fuse } from './ranking/fusion.js'
import { FUSED_REACH, neighbours } from './candidates/neighbours.js'
import { scorersOf } from './evidence/scores.js'
import { score, rescore, type CandidateSet } from './evidence/candidate-set.js'
import { gather } from './candidates/gather.js'
import type { Question } from './query/question.js'
import { visibilityOf, searchFor } from './query/search.js'
import { gatherAround, depthOf } from './look.js'

/** The candidates of a cue as a ranker sees them, in ascending order of slot: what it is trained on. */
export async function consider(
  indexes: Indexes,
  question: Question,
): Promise<{ readonly candidates: CandidateSet; readonly features: FeatureTable }> {
  const depth = depthOf(question)
  const visibility = visibilityOf(indexes, question)
  const search = searchFor(indexes, question, visibility)
  const around = neighbours(indexes, visibility)
  const hits = await findNearest(indexes, arenaSearch(indexes), search.queries, depth, search.mask)
  const gathered = gather(candidates(indexes, search.cue, depth, search.mask, around, hits), around, FUSED_REACH)
  const wide = score(indexes, search.cue, gathered, scorersOf(indexes, gathered.added))
  const near = gatherAround(wide, shortlist(wide), around)
  const rescored = rescore(wide, near, scorersOf(indexes, near.added))
  return { candidates: rescored, features: describe(rescored, fuse(rescored)) }
}
