import type { Curve } from './calibration-curve.js'

/**
 * Made by tools/rankers/calibrate.ts: do not edit. The curves of confidence in small memories, with the codebook and
 * without; the weights are of what `inputsOf` gives, in its order. What they were fitted on, and how well:
 * docs/rankers.md.
 */
export const SMALL: { readonly codebook: Curve; readonly plain: Curve } = {
  codebook: { weights: [3.72, 2.03, -0.609, 1.19], intercept: -2.46, answered: 0.282 },
  plain: { weights: [5.48, 0, -0.479, 1.32], intercept: -2.39, answered: 0.214 },
}
