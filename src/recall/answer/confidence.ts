import { log } from '../../base/exponential.js'
import type { Tier } from '../../api/recall.js'
import { logistic, type Forest } from '../ranking/forest.js'
import type { Scored } from '../ranking/ranking.js'
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
export const CEILING: Readonly<Record<Tier, number>> = { exact: 1, similarity: 0.95, gist: 0.6, nearest: 0.3 }

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
