import type { Episode, TriplePattern } from '../core/episode.js'
import type { AttentionCandidate, Match, Recall, Tier } from '../core/recall.js'
import { toIso } from '../core/time.js'
import type { Visibility } from '../indexes/catalog.js'
import type { Indexes } from '../indexes/indexes.js'
import type { Query } from '../kernel/port.js'
import type { Forest } from '../ranker/forest.js'
import { candidates } from './candidates.js'
import { analyse } from './cue.js'
import { rank, shortlist, type RankingOptions, type Scored } from './ranking.js'
import { describe, type FeatureTable } from './features.js'
import { fuse, total } from './fusion.js'
import { neighbours } from './neighbours.js'
import { look, narrowed, type Sight } from './sight.js'
import { calibrated, type Confidence } from './confidence.js'
import { reaches, tierOf } from './tiers.js'
import { CANDIDATES } from './weights.js'

/** A checked question. Times are epoch milliseconds. */
export interface Question extends RankingOptions {
  readonly cue: string
  readonly k: number
  readonly tierFloor: Tier
  readonly visibility: Visibility
  readonly pattern?: TriplePattern
  readonly traceAttention: boolean
  /** The cue as a sentence encoder sees it. */
  readonly sentence?: Query
}

/** Gives the episodes of slots, in order; `undefined` for one that went away meanwhile. */
export type Fetch = (slots: readonly number[]) => Promise<(Episode | undefined)[]>

/** The candidates of a cue as a ranker sees them, in ascending order of slot: what it is trained on. */
export function consider(indexes: Indexes, question: Question): { readonly sight: Sight; readonly features: FeatureTable } {
  const all = lookFor(indexes, question)
  const plain = Float64Array.from(fuse(all), total)
  const chosen = shortlist(all, plain)
  const sight = narrowed(all, chosen)
  return { sight, features: describe(sight, Float64Array.from(chosen, (i) => plain[i])) }
}

function lookFor(indexes: Indexes, question: Question): Sight {
  const cue = analyse(indexes, question.cue, question.pattern, question.sentence)
  const mask = indexes.catalog.mask(question.visibility)
  const around = neighbours(indexes, question.visibility)
  return look(indexes, cue, candidates(indexes, cue, Math.max(CANDIDATES, question.k), mask, around), around)
}

/** Answers a question: candidates from every index, one fused score, a tier and a confidence each, the best k. */
export async function recall(indexes: Indexes, fetch: Fetch, forest: Forest | undefined, question: Question): Promise<Omit<Recall, 'elapsedMs'>> {
  const sight = lookFor(indexes, question)
  const { cue } = sight
  // What was recent at the time that is asked about.
  const ranked = rank(sight, forest, { ...question, now: question.visibility.validAsOf ?? question.now })

  const confidence = calibrated(forest, ranked, indexes.catalog.size)
  const matches: Match[] = []
  const refused = new Map<number, Tier>()
  for (let start = 0; start < ranked.length && matches.length < question.k; start += question.k) {
    const page = ranked.slice(start, start + question.k)
    const episodes = await fetch(page.map(({ slot }) => slot))
    page.forEach((found, i) => {
      const episode = episodes[i]
      if (episode === undefined || matches.length >= question.k) return
      const tier = tierOf(indexes, found, cue, episode)
      if (reaches(tier, question.tierFloor)) matches.push(toMatch(found, episode, tier, confidence(found, matches.length, tier)))
      else refused.set(found.slot, tier)
    })
  }
  return {
    matches,
    tierUsed: matches[0]?.tier ?? 'nearest',
    ...(question.traceAttention && {
      attentionTrace: {
        cue: question.cue,
        at: toIso(question.now),
        candidates: ranked.map((found, rank) => toCandidate(indexes, found, rank, matches, refused.get(found.slot), question, confidence)),
      },
    }),
  }
}

function toMatch(found: Scored, episode: Episode, tier: Tier, confidence: number): Match {
  const { id, text, speaker, session, source, at, provenance } = episode
  return {
    id,
    text,
    ...(speaker !== undefined && { speaker }),
    ...(session !== undefined && { session }),
    ...(source !== undefined && { source }),
    at,
    confidence,
    tier,
    lowConfidence: tier === 'nearest',
    goalBiased: false,
    provenance,
    signals: found.signals(),
  }
}

function toCandidate(
  indexes: Indexes, found: Scored, rank: number, matches: readonly Match[], refusedTier: Tier | undefined, question: Question,
  confidence: Confidence,
): AttentionCandidate {
  const id = indexes.catalog.id(found.slot) ?? ''
  const match = matches.find((kept) => kept.id === id)
  const rejection = refusedTier === undefined ? `below the best ${question.k}` : `tier ${refusedTier} is under the floor ${question.tierFloor}`
  return {
    id,
    signals: match?.signals ?? found.signals(),
    score: found.score,
    confidence: match?.confidence ?? confidence(found, rank, refusedTier ?? 'similarity'),
    retained: match !== undefined,
    ...(match === undefined && { rejection }),
  }
}

