import { seeded } from '../random.js'
import { quantile } from '../section.js'

/** A ratio, and the interval that holds it with a probability of 95 %. */
export interface Ratio {
  readonly ratio: number
  readonly from: number
  readonly to: number
}

const DRAWS = 2000

/** How long two versions took in one round. */
interface Times {
  readonly before: number
  readonly after: number
}

/**
 * The ratios after / before, each of two rounds that follow each other: in one of them the version before went first,
 * in the other the version after, and who goes second finds the caches full of the other's.
 *
 * @param rounds of one pair of processes, in their order; an even number
 */
export function ratiosOf(rounds: readonly Times[]): number[] {
  return rounds.flatMap(({ before, after }, i) => {
    const next = rounds[i + 1]
    return i % 2 === 1 || next === undefined ? [] : [(after + next.after) / (before + next.before)]
  })
}

/**
 * The median of paired ratios. The interval is a percentile bootstrap (Efron 1979) that draws pairs of processes first
 * and rounds within each: rounds of one pair of processes resemble each other more than those of another.
 *
 * @param pairs the ratios after / before of each pair of processes, see {@link ratiosOf}; no pair may be empty
 */
export function pairedRatio(pairs: readonly (readonly number[])[]): Ratio {
  const random = seeded(1)
  const drawn = <T>(items: readonly T[]): T[] => items.map(() => items[Math.floor(random() * items.length)])
  const medians = Array.from({ length: DRAWS }, () => quantile(drawn(pairs).flatMap(drawn), 0.5))
  return { ratio: quantile(pairs.flat(), 0.5), from: quantile(medians, 0.025), to: quantile(medians, 0.975) }
}
