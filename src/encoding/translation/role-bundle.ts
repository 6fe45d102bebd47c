import type { Hypervector, Kernel } from '../../kernel/port.js'

/** Against a tie-breaker of weight 1. */
const PART_WEIGHT = 2

/**
 * The bundle of hypervectors that are bound to their roles, which does not depend on their order; `undefined` without
 * any.
 *
 * @param weight that of the part at a place, a whole number. Default: 1 for all.
 */
export function roleBundle(
  kernel: Kernel,
  parts: readonly Hypervector[],
  weight: (place: number) => number = () => 1,
): Hypervector | undefined {
  if (parts.length === 0) return undefined
  // Broken by a part, ties would lean to it; by a rotation of all parts they do not.
  const tieBreaker = kernel.permute(
    parts.reduce((a, b) => kernel.bind(a, b)),
    1,
  )
  const weights = Int32Array.from([...parts.map((_, place) => PART_WEIGHT * weight(place)), 1])
  return kernel.bundle([...parts, tieBreaker], weights)
}
