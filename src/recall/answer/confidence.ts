import { log } from '../../base/exponential.js'
import type { Tier } from '../../api/recall.js'
import { logistic, type Forest } from '../ranking/forest.js'
import type { RankingOptions, Scored } from '../ranking/ranking.js'
import { SMALL } from './small-memory-curve.js'
import { LEARNED } from '../ranking/weights.js'

/**
 * How likely a candidate at a rank (from 0) is to be what was asked for. @param fit with the pattern, where its
 * statements were read.
 */
export type Confidence = (found: Scored, rank: number, tier: Tier, fit?: number) => number

/** Under this confidence of the best the fusion says that nothing answers. */
const ANSWERED = 0.2

/**
 * What the curves of small memories see of a candidate: the share of the cue's idf that its words have, about the
 * cosine of what the two mean, ln(1 + rank), and how far its score is above that of the second best, for the best, or
 * below that of the best, for the others.
 *
 * @param ranked the candidates, best first.
 */
export function inputsOf(found: Scored, rank: number, ranked: readonly Scored[]): number[] {
  const other = found === ranked[0] ? (ranked[1]?.score ?? 0) : ranked[0].score
  return [Math.min(1, found.coverage), found.meaning, log(1 + rank), found.score - other]
}

/**
 * How much the curve of small memories counts: in full up to 40 memories, not at all from 50 on. Beside few others,
 * what the ranker's own curve sees (how a candidate stands beside the rest) says little, and idf next to nothing.
 */
const SMALL_UP_TO = { full: 40, none: 50 }

function smallness(memories: number): number {
  return Math.min(1, Math.max(0, (SMALL_UP_TO.none - memories) / (SMALL_UP_TO.none - SMALL_UP_TO.full)))
}

/**
 * The confidence that the best match has at least where something answers the cue. @param hasCodebook whether the
 * memory has one.
 */
export function answeredFrom(forest: Forest | undefined, memories: number, hasCodebook: boolean): number {
  const small = smallness(memories)
  const large = forest?.model.calibration.answered ?? ANSWERED
  return small === 0 ? large : small * SMALL[hasCodebook ? 'codebook' : 'plain'].answered + (1 - small) * large
}

/** The most confidence that a kind of evidence allows. */
const CEILING: Readonly<Record<Tier, number>> = { exact: 1, similarity: 0.95, gist: 0.6, nearest: 0.3 }

/**
 * Of the logistic curve of the unlearned fusion; set by hand in round numbers. `bench:recall` prints how well it is
 * calibrated (ECE).
 */
const CURVE = { intercept: -4.3, score: 1.3, coverage: 2.6, rank: -0.55 }

/**
 * The confidence of the candidates of one cue: the ranker's own curve (Platt 1999) over what it sees, drawn towards the
 * curve of the fusion when the memory is small; in one of less than 50 memories a curve that is fitted on such; bounded
 * by the tier.
 *
 * @param ranked the candidates, best first.
 * @param memories live episodes.
 * @param hasCodebook whether the memory has one.
 */
export function calibrated(
  forest: Forest | undefined,
  ranked: readonly Scored[],
  memories: number,
  hasCodebook: boolean,
): Confidence {
  const best = ranked.reduce((most, { learned }) => Math.max(most, learned?.score ?? -Infinity), -Infinity)
  const trust = memories / (memories + LEARNED.small)
  const small = smallness(memories)
  const curve = SMALL[hasCodebook ? 'codebook' : 'plain']
  const inSmall = (found: Scored, rank: number) =>
    logistic(inputsOf(found, rank, ranked).reduce((sum, value, i) => sum + curve.weights[i] * value, curve.intercept))
  const inLarge = (found: Scored, rank: number) => {
    const byHand = logistic(
      CURVE.intercept +
        CURVE.score * found.plain +
        CURVE.coverage * Math.min(1, found.coverage) +
        CURVE.rank * log(1 + rank),
    )
    const { learned } = found
    if (forest === undefined || learned === undefined) return byHand
    const { inputs, weights, intercept } = forest.model.calibration
    let logit = intercept
    inputs.forEach((name, i) => {
      const value =
        name === 'score'
          ? learned.score
          : name === 'gap'
            ? learned.score - best
            : name === 'rank'
              ? log(1 + rank)
              : learned.feature(name)
      logit += weights[i] * value
    })
    return trust * logistic(logit) + (1 - trust) * byHand
  }
  return (found, rank, tier) => {
    const likely =
      small === 0
        ? inLarge(found, rank)
        : small === 1
          ? inSmall(found, rank)
          : small * inSmall(found, rank) + (1 - small) * inLarge(found, rank)
    return Math.min(CEILING[tier], likely)
  }
}

/**
 * The log odds that a pattern gives an episode by itself: `intercept`, `share` times the share of the given parts that
 * its best statement has, and `fits` if that statement has all of them.
 */
export interface PatternCurve {
  readonly intercept: number
  readonly share: number
  readonly fits: number
}

/** Set by hand in round numbers. */
export const PATTERN: PatternCurve = { intercept: -2.5, share: 1.5, fits: 4 }
/** Confidences are taken no farther than this from 0 and 1 where odds are weighed. */
const NEAREST_TO_SURE = 1e-3

/**
 * The confidence with what a pattern says of a candidate: the log odds of either side, weighed as the question weighs
 * them, the heavier side in full, added up as independent evidence is. What fits the pattern is never less sure than by
 * its cue.
 *
 * @param calibrated the confidence of candidates that are ranked by the cue alone.
 * @param ranked the candidates, best first.
 * @param weights absent where there is no cue.
 */
export function confidenceByPattern(
  calibrated: (ranked: readonly Scored[]) => Confidence,
  ranked: readonly Scored[],
  weights?: Required<RankingOptions>['weights'],
): Confidence {
  const { structured, fuzzy } = weights ?? { structured: 1, fuzzy: 0 }
  const alone = ranked
    .map((found): Scored => ({ ...found, score: found.byCue ?? found.score }))
    .sort((a, b) => b.score - a.score || a.slot - b.slot)
  const rankOf = new Map(alone.map(({ slot }, i) => [slot, i]))
  const confidence = calibrated(alone)
  return (found, _, tier, fit = found.fit ?? 0) => {
    const rank = rankOf.get(found.slot)
    // What did not come as far as being ranked has the rank after the last.
    const byCue =
      weights === undefined ? 0 : confidence(rank === undefined ? found : alone[rank], rank ?? alone.length, tier)
    return withPattern(byCue, fit, { structured, fuzzy })
  }
}

/**
 * The confidence by the cue and by a pattern together.
 *
 * @param byCue by the cue alone, 0 to 1.
 * @param fit of the pattern, 0 to 1. At 1 the confidence is no less than by the cue.
 * @param weights as in the question; `fuzzy` is 0 where there is no cue.
 * @param curve of the pattern.
 */
export function withPattern(
  byCue: number,
  fit: number,
  weights: NonNullable<RankingOptions['weights']>,
  curve = PATTERN,
): number {
  const { structured, fuzzy } = weights
  const pattern = curve.intercept + curve.share * fit + (fit === 1 ? curve.fits : 0)
  const both = logistic((fuzzy * logOdds(byCue) + structured * pattern) / Math.max(structured, fuzzy))
  return fit === 1 ? Math.max(byCue, both) : both
}

function logOdds(probability: number): number {
  const bounded = Math.min(1 - NEAREST_TO_SURE, Math.max(NEAREST_TO_SURE, probability))
  return log(bounded / (1 - bounded))
}
