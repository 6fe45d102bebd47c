import type { Line, PatternCase } from './calibration-curve.js'

/**
 * Made by `npm run bench:recall -- --patterns --fit`: do not edit. The curves of confidence with a pattern; the weights
 * are of what `Agreement.seen` gives, in its order. What they were fitted on, and how well: docs/rankers.md.
 */
export const PATTERN_CURVES: Readonly<Record<PatternCase, Line>> = {
  fitting: { weights: [0.0345, 1.09, 0.0217, -0.0822, 1.55, -3.24], intercept: -0.22 },
  beside: { weights: [0.701, 0.084, -0.379, 1.7, 0.121, 1.8], intercept: -2.87 },
  reaching: { weights: [0.502, 0.0618, 0.26, -0.239, 0.438, 0.599, 2.36], intercept: -1.84 },
  short: { weights: [0.822, 0.428, -0.0428, 7.56, 2.24, 5.59], intercept: -8.19 },
  apart: { weights: [1.02, 2.07], intercept: -1.79 },
  fittingAlone: { weights: [], intercept: 3.07 },
  besideAlone: { weights: [0], intercept: -7.84 },
  reachingAlone: { weights: [3.15], intercept: -2.48 },
  shortAlone: { weights: [0], intercept: -8.26 },
  apartAlone: { weights: [0], intercept: -7.77 },
}
