import { log } from '../core/exponential.js'
import type { Tier } from '../core/recall.js'
import { logistic, type Forest } from '../ranker/forest.js'
import type { Scored } from './ranking.js'
import { LEARNED } from './weights.js'

/** How likely a candidate at a rank (from 0) is to be what was asked for. @param fit with the pattern, where its statements were read. */
export type Confidence = (found: Scored, rank: number, tier: Tier, fit?: number) => number

/** Under this confidence of the best the fusion says that nothing answers. */
const ANSWERED = 0.2

/** The confidence that the best match has at least where something answers the cue. */
export function answeredFrom(forest: Forest | undefined): number {
  return forest?.model.calibration.answered ?? ANSWERED
}

/** The most confidence that a kind of evidence allows. */
const CEILING: Readonly<Record<Tier, number>> = { exact: 1, similarity: 0.95, gist: 0.6, nearest: 0.3 }

/** Of the logistic curve of the unlearned fusion; set by hand in round numbers. `bench:recall` prints how well it is calibrated (ECE). */
const CURVE = { intercept: -4.3, score: 1.3, coverage: 2.6, rank: -0.55 }

/**
 * The confidence of the candidates of one cue: the ranker's own curve (Platt 1999) over what it sees, drawn towards the
 * curve of the fusion when the memory is small; bounded by the tier.
 *
 * @param ranked the candidates, best first.
 * @param memories live episodes.
 */
export function calibrated(forest: Forest | undefined, ranked: readonly Scored[], memories: number): Confidence {
  const best = ranked.reduce((most, { learned }) => Math.max(most, learned?.score ?? -Infinity), -Infinity)
  const trust = memories / (memories + LEARNED.small)
  return (found, rank, tier) => {
    const byHand = logistic(CURVE.intercept + CURVE.score * found.plain + CURVE.coverage * Math.min(1, found.coverage) + CURVE.rank * log(1 + rank))
    const { learned } = found
    if (forest === undefined || learned === undefined) return Math.min(CEILING[tier], byHand)
    const { inputs, weights, intercept } = forest.model.calibration
    let logit = intercept
    inputs.forEach((name, i) => {
      const value = name === 'score' ? learned.score : name === 'gap' ? learned.score - best : name === 'rank' ? log(1 + rank) : learned.feature(name)
      logit += weights[i] * value
    })
    return Math.min(CEILING[tier], trust * logistic(logit) + (1 - trust) * byHand)
  }
}

/**
 * The curve of a pattern: what it says by itself of an episode with a statement that fits it in part (`share` of the given parts), and of
 * one with a statement that fits it (`fits`). Set by hand in round numbers.
 */
const PATTERN = { intercept: -2.5, share: 1.5, fits: 4 }
/** Confidences are taken no farther than this from 0 and 1 where odds are weighed. */
const NEAREST_TO_SURE = 1e-3

/**
 * The confidence with what a pattern says of a candidate: the log odds of either side, weighed as the question weighs them, the heavier
 * side in full, added up as independent evidence is. What fits the pattern is never less sure than by its cue.
 *
 * @param weights `fuzzy` is 0 where there is no cue.
 */
export function confidenceByPattern(confidence: Confidence, weights: { readonly structured: number; readonly fuzzy: number }): Confidence {
  const most = Math.max(weights.structured, weights.fuzzy)
  return (found, rank, tier, fit = found.fit ?? 0) => {
    const byCue = weights.fuzzy === 0 ? 0 : confidence(found, rank, tier)
    const odds = weights.fuzzy === 0 ? 0 : logOdds(byCue)
    const pattern = PATTERN.intercept + PATTERN.share * fit + (fit === 1 ? PATTERN.fits : 0)
    const both = logistic((weights.fuzzy * odds + weights.structured * pattern) / most)
    return fit === 1 ? Math.max(byCue, both) : both
  }
}

function logOdds(probability: number): number {
  const bounded = Math.min(1 - NEAREST_TO_SURE, Math.max(NEAREST_TO_SURE, probability))
  return log(bounded / (1 - bounded))
}
