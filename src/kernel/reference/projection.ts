import { checkLatent } from '../checks.js'
import { DIMENSION, type Hypervector } from '../port.js'

/** The names of the hypervectors that serve as the diagonals of the projection. */
export const PROJECTION_NAMES = ['agidb/projection/1', 'agidb/projection/2', 'agidb/projection/3']

/**
 * Fewer than this and the transforms of a block have too few directions to obey the law of angles.
 */
const SMALLEST_BLOCK = 256

/**
 * The dense numbers whose signs are the projection of `latent`: the latent, zero-padded to a power
 * of two `n`, stands in each of `8192 / n` blocks; every round multiplies by its ±1 diagonal (a set
 * bit is +1) and applies the fast Walsh–Hadamard transform to each block. One round alone fails for
 * latents with few large coordinates; three do not (Andoni et al. 2015, “Practical and optimal LSH
 * for angular distance”).
 *
 * Arithmetic is float32 addition in a fixed order, so that every implementation gets the same bits.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` on an empty, zero, non-finite or over-long (> 8192) latent
 */
export function projectSigns(latent: Float32Array, diagonals: readonly Hypervector[]): Float32Array {
  checkLatent(latent)
  const block = blockOf(latent.length)
  const scaled = scale(latent)
  const values = new Float32Array(DIMENSION)
  for (let start = 0; start < DIMENSION; start += block) values.set(scaled, start)
  for (const diagonal of diagonals) {
    for (let d = 0; d < DIMENSION; d++) {
      if (((diagonal[d >> 3] >> (d & 7)) & 1) === 0) values[d] = -values[d]
    }
    transform(values, block)
  }
  return values
}

function blockOf(length: number): number {
  let block = SMALLEST_BLOCK
  while (block < length) block *= 2
  return block
}

/** By a power of two, so that the largest coordinate is in [1, 2): no sum can overflow, no digit is lost. */
function scale(latent: Float32Array): Float32Array {
  let largest = 0
  for (const value of latent) largest = Math.max(largest, Math.abs(value))
  let factor = 1
  while (largest * factor < 1) factor *= 2
  while (largest * factor >= 2) factor /= 2
  return latent.map((value) => value * factor)
}

/** The Walsh–Hadamard transform of each block, in place, by butterflies of doubling width. */
function transform(values: Float32Array, block: number): void {
  for (let half = 1; half < block; half *= 2) {
    for (let start = 0; start < DIMENSION; start += 2 * half) {
      for (let i = start; i < start + half; i++) {
        const a = values[i]
        const b = values[i + half]
        values[i] = a + b
        values[i + half] = a - b
      }
    }
  }
}
