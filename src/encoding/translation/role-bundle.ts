import type { Hypervector, Kernel } from '../../kernel/port.js'

/** Against a tie-breaker of weight 1. */
const PART_WEIGHT = 2

/** A hypervector that is bound to its role. */
export interface Part {
  readonly bound: Hypervector
  /** A whole number. Default 1. */
  readonly weight?: number
}

/** The bundle of parts, which does not depend on their order; `undefined` without any. */
export function roleBundle(kernel: Kernel, parts: readonly Part[]): Hypervector | undefined {
  if (parts.length === 0) return undefined
  const bound = parts.map((part) => part.bound)
  // Broken by a part, ties would lean to it; by a rotation of all parts they do not.
  const tieBreaker = kernel.permute(
    bound.reduce((a, b) => kernel.bind(a, b)),
    1,
  )
  return kernel.bundle(
    [...bound, tieBreaker],
    Int32Array.from([...parts.map(({ weight = 1 }) => PART_WEIGHT * weight), 1]),
  )
}
