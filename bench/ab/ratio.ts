import { seeded } from '../random.js'
import { quantile } from '../section.js'

/** A ratio, and the interval that holds it with a probability of 95 %. */
export interface Ratio {
  readonly ratio: number
  readonly from: number
  readonly to: number
}

const DRAWS = 2000

/**
 * The median of paired ratios. The interval is a percentile bootstrap (Efron 1979) that draws pairs of processes first
 * and rounds within each: rounds of one pair of processes resemble each other more than those of another.
 *
 * @param pairs the ratios after / before of each pair of processes, one for each round; no pair may be empty
 */
export function pairedRatio(pairs: readonly (readonly number[])[]): Ratio {
  const random = seeded(1)
  const drawn = <T>(items: readonly T[]): T[] => items.map(() => items[Math.floor(random() * items.length)])
  const medians = Array.from({ length: DRAWS }, () => quantile(drawn(pairs).flatMap(drawn), 0.5))
  return { ratio: quantile(pairs.flat(), 0.5), from: quantile(medians, 0.025), to: quantile(medians, 0.975) }
}
