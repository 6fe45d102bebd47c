import type { Salience } from '../../api/entry.js'
import { tanh } from '../../base/hyperbolic.js'

/** Shares of the parts, as VecLayer has them: docs/documents.md. */
const SHARES = { interaction: 0.5, perspectives: 0.25, revision: 0.25 }
/** Perspectives from which on the spread is whole. */
const WHOLE_SPREAD = 8
/** Relations around which revision saturates. */
const MANY_RELATIONS = 5

/**
 * How significant an entry is, 0 to 1: .5 of how much it is used, .25 of how many perspectives it is seen from, .25 of
 * how often it was taken up again.
 *
 * @param interaction 0 to 1, `relevancy` of its accesses
 */
export function salienceOf(interaction: number, perspectives: number, relations: number): Salience {
  const spread = Math.min(1, perspectives / WHOLE_SPREAD)
  const revision = tanh(relations / MANY_RELATIONS)
  const composite = SHARES.interaction * interaction + SHARES.perspectives * spread + SHARES.revision * revision
  return { composite, interaction, spread, revision }
}

/** Default share of recency and salience in a score, and with a window. */
const ALPHA = 0.15
const ALPHA_IN_WINDOW = 0.3
/** Default share of salience in that share. */
const SALIENCE_WEIGHT = 0.3

/** How a score is blended. */
export interface Blend {
  readonly alpha: number
  readonly salienceWeight: number
}

/** The blend that was asked for, with VecLayer's defaults. */
export function blendOf(options: {
  readonly alpha?: number
  readonly salienceWeight?: number
  readonly recencyWindow?: unknown
}): Blend {
  const { recencyWindow, alpha = recencyWindow === undefined ? ALPHA : ALPHA_IN_WINDOW } = options
  return { alpha, salienceWeight: options.salienceWeight ?? SALIENCE_WEIGHT }
}

/**
 * A score of similarity blended with recency and salience, all 0 to 1: `similarity · (1 − α) + (recency · (1 − w) +
 * salience · w) · α`. With α = 0 it is the similarity.
 */
export function blended(
  similarity: number,
  recency: number,
  salience: number,
  { alpha, salienceWeight }: Blend,
): number {
  return similarity * (1 - alpha) + (recency * (1 - salienceWeight) + salience * salienceWeight) * alpha
}
