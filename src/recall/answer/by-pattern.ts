import { log } from '../../base/exponential.js'
import type { Tier } from '../../api/recall.js'
import { logistic } from '../ranking/forest.js'
import { CEILING, type Confidence } from './confidence.js'
import type { Line, PatternCase } from './calibration-curve.js'
import type { Standing } from '../evidence/pattern.js'
import { PATTERN_CURVES } from './pattern-curves.js'
import type { RankingOptions, Scored } from '../ranking/ranking.js'

/** What a curve sees of a candidate. */
export interface Seen {
  readonly case: PatternCase
  readonly inputs: readonly number[]
}

/** Confidences are taken no farther than this from 0 and 1 where odds are weighed. */
const NEAREST_TO_SURE = 1e-3
/** By which two sums of the same numbers may differ. */
const ROUNDING = 1e-9
/** Share of both weights from which a pattern or a cue counts in full. What has less counts in proportion. */
const IN_FULL = 0.25

/** What a pattern and a cue say together of the candidates of one question. */
export class Agreement {
  readonly #byCue: Confidence
  readonly #alone: readonly Scored[]
  readonly #rankOf: ReadonlyMap<number, number>
  readonly #standing: Standing
  /**
   * Of the candidates that have all names of the pattern which the memory knows the log odds by the cue, highest first.
   */
  readonly #reaching: readonly { readonly slot: number; readonly odds: number }[]
  /** The highest of the others. */
  readonly #other: number

  /**
   * @param calibrated the confidence of candidates that are ranked by the cue alone.
   * @param ranked the candidates, best first, each with its fit.
   * @param standing of the pattern, from `standingOf`.
   */
  constructor(calibrated: (ranked: readonly Scored[]) => Confidence, ranked: readonly Scored[], standing: Standing) {
    this.#alone = ranked
      .map((found): Scored => ({ ...found, score: found.byCue ?? found.score }))
      .sort((a, b) => b.score - a.score || a.slot - b.slot)
    this.#rankOf = new Map(this.#alone.map(({ slot }, i) => [slot, i]))
    this.#byCue = calibrated(this.#alone)
    this.#standing = standing
    const odds = ranked.map((found) => ({ slot: found.slot, fit: found.fit ?? 0, odds: logOdds(this.byCue(found)) }))
    this.#reaching = odds.filter(({ fit }) => this.#reaches(fit)).sort((a, b) => b.odds - a.odds)
    this.#other = odds.reduce((most, { fit, odds }) => (this.#reaches(fit) ? most : Math.max(most, odds)), logOdds(0))
  }

  /** The confidence of a candidate by the cue alone, whatever its tier. */
  byCue(found: Scored): number {
    const rank = this.#rankOf.get(found.slot)
    // What did not come as far as being ranked has the rank after the last.
    return this.#byCue(rank === undefined ? found : this.#alone[rank], rank ?? this.#alone.length, 'exact')
  }

  /**
   * What the curve of a candidate's case sees of it. With a cue its log odds by the cue come first.
   *
   * - It fits: how far its log odds are above those of the surest that does not, how far below; how far below those of
   *   the surest that fits, too; whether the cue names a subject or an object of the pattern, whether it names only
   *   others. Where it fits as far as the memory knows the names, also 1 / how many fit so.
   * - Others fit: how far its log odds are above those of the surest that fits, how far below; its fit; what the cue
   *   names, as above.
   * - Nothing fits: its fit.
   *
   * Without a cue there are no log odds and no names.
   *
   * @param fit of its statements, 0 to 1.
   * @param hasCue whether the cue counts.
   */
  seen(found: Scored, fit: number, hasCue: boolean): Seen {
    const { reach, named } = this.#standing
    const own = logOdds(this.byCue(found))
    const above = (other: number) => Math.max(0, own - other)
    const below = (other: number) => Math.max(0, other - own)
    const names = [Number(named === 'own'), Number(named === 'other')]
    const like = this.#reaching.find(({ slot }) => slot !== found.slot)?.odds ?? logOdds(0)
    if (this.#reaches(fit)) {
      const beside = [own, above(this.#other), below(this.#other), below(like), ...names]
      if (reach === 1) return hasCue ? { case: 'fitting', inputs: beside } : { case: 'fittingAlone', inputs: [] }
      const selective = 1 / Math.max(1, this.#reaching.length)
      return hasCue
        ? { case: 'reaching', inputs: [...beside, selective] }
        : { case: 'reachingAlone', inputs: [selective] }
    }
    if (this.#reaching.length === 0)
      return hasCue ? { case: 'apart', inputs: [own, fit] } : { case: 'apartAlone', inputs: [fit] }
    const name = reach === 1 ? 'beside' : 'short'
    return hasCue
      ? { case: name, inputs: [own, above(like), below(like), fit, ...names] }
      : { case: `${name}Alone`, inputs: [fit] }
  }

  #reaches(fit: number): boolean {
    return fit > 0 && fit >= this.#standing.reach - ROUNDING
  }
}

/**
 * The confidence of candidates of a question with a pattern. How sure a pattern makes follows from the memory: what
 * fits it alone, what the cue finds beside that, and whether the two point at the same memory. The weights order the
 * matches; they change the confidence only where one has less than a quarter of both. What fits the pattern is never
 * less sure than by its cue.
 *
 * @param calibrated the confidence of candidates that are ranked by the cue alone.
 * @param ranked the candidates, best first.
 * @param standing of the pattern, from `standingOf`.
 * @param weights absent where there is no cue.
 */
export function confidenceByPattern(
  calibrated: (ranked: readonly Scored[]) => Confidence,
  ranked: readonly Scored[],
  standing: Standing,
  weights?: Required<RankingOptions>['weights'],
): Confidence {
  const agreement = new Agreement(calibrated, ranked, standing)
  const { structured, fuzzy } = weights ?? { structured: 1, fuzzy: 0 }
  const counts = (weight: number) => Math.min(1, weight / (IN_FULL * (structured + fuzzy)))
  const [pattern, cue] = [counts(structured), counts(fuzzy)]
  return (found: Scored, _rank: number, tier: Tier, fit = found.fit ?? 0) => {
    const of = (hasCue: boolean) => logOddsBy(agreement.seen(found, fit, hasCue))
    const both = cue === 0 ? of(false) : cue === 1 ? of(true) : cue * of(true) + (1 - cue) * of(false)
    if (weights === undefined) return Math.min(CEILING[tier], logistic(both))
    const byCue = agreement.byCue(found)
    const together = logistic(pattern * both + (1 - pattern) * logOdds(byCue))
    return Math.min(CEILING[tier], fit === 1 ? Math.max(byCue, together) : together)
  }
}

function logOddsBy({ case: name, inputs }: Seen): number {
  const { intercept, weights }: Line = PATTERN_CURVES[name]
  return inputs.reduce((sum, value, i) => sum + weights[i] * value, intercept)
}

function logOdds(probability: number): number {
  const bounded = Math.min(1 - NEAREST_TO_SURE, Math.max(NEAREST_TO_SURE, probability))
  return log(bounded / (1 - bounded))
}
