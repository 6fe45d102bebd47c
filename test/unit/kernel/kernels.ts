import fc from 'fast-check'
import { readKernel } from '../../../src/kernel/node.js'
import { loadKernel } from '../../../src/kernel/load.js'
import type { Hypervector, Kernel } from '../../../src/kernel/port.js'
import { referenceKernel } from '../../../src/kernel/reference/kernel.js'

export const reference: Kernel = referenceKernel()
export const wasm: Kernel = await loadKernel({ kernel: await readKernel() })
/** Both kernels by name, for `describe.each`. */
export const kernels: [string, Kernel][] = [reference, wasm].map((kernel) => [kernel.name, kernel])

/** Any string, halves of surrogate pairs included. */
export const name: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.array(fc.integer({ min: 0xd7f0, max: 0xe010 }), { maxLength: 6 }).map((units) => String.fromCharCode(...units)),
  fc.integer({ min: 0, max: 3000 }).map((length) => 'long '.repeat(length / 5)),
)

/** Random vectors, and some of few or of almost all bits. */
export const vector: fc.Arbitrary<Hypervector> = fc.oneof(
  fc.nat(1000).map((n) => reference.fromName(`vector ${n}`)),
  fc.constant(new Uint8Array(1024)),
  fc.constant(new Uint8Array(1024).fill(255)),
  fc.nat(8191).map((d) => new Uint8Array(1024).map((_, i) => (i === d >> 3 ? 1 << (d & 7) : 0))),
)

/** Weights of all signs and sizes whose sum stays in an int32. */
export const weight: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, 1, -1, 2, -2),
  fc.integer({ min: -300, max: 300 }),
  fc.integer({ min: -(2 ** 26), max: 2 ** 26 }),
)

/** Names with a weight each. */
export const features: fc.Arbitrary<{ names: string[]; weights: Int32Array }> = fc
  .array(fc.tuple(name, weight), { maxLength: 30 })
  .map((pairs) => ({ names: pairs.map(([n]) => n), weights: Int32Array.from(pairs, ([, w]) => w) }))

const int32 = fc.integer({ min: 1 - 2 ** 31, max: 2 ** 31 - 1 })

/** Sums of 8192 dimensions: of features, and any numbers with zeros and the extremes of an int32 among them. */
export const sum: fc.Arbitrary<Int32Array> = fc.oneof(
  features.map(({ names, weights }) => reference.superpose(names, weights)),
  fc
    .array(fc.oneof(fc.constantFrom(0, 1, -1, 2 ** 31 - 1, 1 - 2 ** 31), int32), { minLength: 1, maxLength: 64 })
    .map((pattern) => Int32Array.from({ length: 8192 }, (_, d) => pattern[(d * 7) % pattern.length])),
)

const coordinate = fc.oneof(
  fc.float({ noNaN: true, noDefaultInfinity: true }),
  fc.float({ min: -1, max: 1, noNaN: true }),
)
const length = fc.oneof(fc.integer({ min: 1, max: 1100 }), fc.constantFrom(2047, 2048, 2049, 5000, 8192))

/** Latents of every length that is accepted, of very large and very small numbers too. */
export const latent: fc.Arbitrary<Float32Array> = fc
  .tuple(length, fc.array(coordinate, { minLength: 1, maxLength: 40 }))
  .map(([count, pattern]) => Float32Array.from({ length: count }, (_, i) => pattern[(i * i + i) % pattern.length]))
  .filter((values) => values.some((value) => value !== 0))
