import { exp } from './exponential.js'

/** Hyperbolic tangent, the same to the last bit in every runtime: tanh x = 1 − 2 / (e^2x + 1). */
export function tanh(x: number): number {
  // Beyond it the nearest number is 1.
  if (x > 20) return 1
  return x < 0 ? -tanh(-x) : 1 - 2 / (exp(2 * x) + 1)
}
