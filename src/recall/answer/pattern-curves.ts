import type { Line, PatternCase } from './calibration-curve.js'

/**
 * Made by `npm run bench:recall -- --patterns --fit`: do not edit. The curves of confidence with a pattern; the
 * weights are of what `Agreement.seen` gives, in its order. What they were fitted on, and how well: docs/rankers.md.
 */
export const PATTERN_CURVES: Readonly<Record<PatternCase, Line>> = {
  fitting: { weights: [0.0341, 0.919, 0.00209, -0.00691, 1.53, -3.23], intercept: -0.115 },
  beside: { weights: [0.592, 0.161, -0.472, 2.74, 0.204, 1.49], intercept: -3.18 },
  reaching: { weights: [0.498, 0.015, 0.211, -0.176, 0.61, 0.859, 2.42], intercept: -1.96 },
  short: { weights: [0.94, 0.188, -0.301, 8.09, 1.81, 5.63], intercept: -6.89 },
  apart: { weights: [0.954, 2.48], intercept: -2.11 },
  fittingAlone: { weights: [], intercept: 3.07 },
  besideAlone: { weights: [5.32], intercept: -5.95 },
  reachingAlone: { weights: [3.24], intercept: -2.51 },
  shortAlone: { weights: [0], intercept: -8.16 },
  apartAlone: { weights: [0], intercept: -7.83 },
}
