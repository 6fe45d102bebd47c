import type { Curve } from './calibration-curve.js'

/**
 * Made by tools/rankers/calibrate.ts: do not edit. The curves of confidence in small memories, with the codebook and
 * without; the weights are of what `inputsOf` gives, in its order. What they were fitted on, and how well:
 * docs/rankers.md.
 */
export const SMALL: { readonly codebook: Curve; readonly plain: Curve } = {
  codebook: { weights: [3.78, 2, -0.591, 1.18], intercept: -2.47, answered: 0.276 },
  plain: { weights: [5.48, 0, -0.482, 1.31], intercept: -2.39, answered: 0.214 },
}
