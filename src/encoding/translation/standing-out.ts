import { DIMENSION, type Hypervector, type Kernel } from '../../kernel/port.js'

/** Standard deviations above chance that a part must reach to be read from a bundle. */
export const LEAST_Z = 5
/** The standard deviation of the dot product of two unrelated hypervectors of −1 and 1. */
export const DEVIATION = Math.sqrt(DIMENSION)

/** How much more alike two hypervectors are than unrelated ones, in standard deviations of chance. */
export function standingOut(kernel: Kernel, a: Hypervector, b: Hypervector): number {
  return (DIMENSION - 2 * kernel.hamming(a, b)) / DEVIATION
}
