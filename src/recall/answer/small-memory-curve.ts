import type { Curve } from './calibration-curve.js'

/**
 * Made by tools/rankers/calibrate.ts: do not edit. The curves of confidence in small memories, with the codebook and
 * without; the weights are of what `inputsOf` gives, in its order. What they were fitted on, and how well:
 * docs/rankers.md.
 */
export const SMALL: { readonly codebook: Curve; readonly plain: Curve } = {
  codebook: { weights: [3.76, 1.97, -0.592, 1.18], intercept: -2.46, answered: 0.277 },
  plain: { weights: [5.53, 0, -0.465, 1.25], intercept: -2.41, answered: 0.201 },
}
