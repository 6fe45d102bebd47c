import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { latentQuery, latentSignature } from '../../../src/encoding/latent.js'
import { DIMENSION } from '../../../src/kernel/port.js'
import { referenceKernel } from '../../../src/kernel/reference/kernel.js'
import { kernel } from './kernel.js'

/** Normally distributed numbers that are a function of the seed (mulberry32, Box and Muller). */
function normal(seed: number, length: number): Float32Array {
  const uniform = () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return Float32Array.from(
    { length },
    () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
  )
}

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, i) => sum + value * y[i], 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const centred = (values: readonly number[]) =>
    Float32Array.from(values, (value) => value - values.reduce((x, y) => x + y) / values.length)
  return cosine(centred(a), centred(b))
}

const ranks = (values: readonly number[]) => values.map((value) => values.filter((other) => other > value).length)

/** Memories at all angles from the cue. */
function around(cue: Float32Array, count: number): Float32Array[] {
  return Array.from({ length: count }, (_, i) => {
    const other = normal(1000 + i, cue.length)
    return cue.map((value, d) => value * (i / count) + other[d] * (1 - i / count))
  })
}

function scores(query: ReturnType<typeof latentQuery>, memories: readonly Float32Array[]): number[] {
  const arena = kernel.arena()
  memories.forEach((memory, slot) => arena.set(slot, latentSignature(kernel, memory)))
  const found = arena.score(query, Uint32Array.from(memories.keys()))
  arena.free()
  return Array.from(found, (score) => score / query.norm)
}

describe('a latent as a query', () => {
  test.each([128, 256, 384, 512])('orders memories as the cosine of %i numbers does', (length) => {
    const cue = normal(length, length)
    const memories = around(cue, 200)
    const cosines = memories.map((memory) => cosine(cue, memory))
    const weighted = correlation(ranks(scores(latentQuery(kernel, cue), memories)), ranks(cosines))
    expect(weighted).toBeGreaterThan(0.998)
  })

  test('orders them better than its signs alone do', () => {
    const better = [1, 2, 3, 4, 5].map((seed) => {
      const cue = normal(seed, 384)
      const memories = Array.from({ length: 300 }, (_, i) =>
        normal(100 * seed + i, 384).map((value, d) => value + 0.5 * cue[d]),
      )
      const cosines = memories.map((memory) => cosine(cue, memory))
      const signs = kernel.query(latentSignature(kernel, cue))
      return (
        correlation(scores(latentQuery(kernel, cue), memories), cosines) - correlation(scores(signs, memories), cosines)
      )
    })
    for (const gain of better) expect(gain).toBeGreaterThan(0)
  })

  test('is the same on every kernel, whatever its length as a vector', () => {
    const reference = referenceKernel()
    fc.assert(
      fc.property(
        fc.integer(),
        fc.constantFrom(3, 128, 384, 1000),
        fc.integer({ min: -60, max: 60 }),
        (seed, length, exponent) => {
          const latent = normal(seed, length)
          const query = latentQuery(kernel, latent)
          expect(latentQuery(reference, latent)).toEqual(query)
          expect(
            latentQuery(
              kernel,
              latent.map((value) => value * 2 ** exponent),
            ),
          ).toEqual(query)
        },
      ),
      { numRuns: 20 },
    )
  })

  test('has the signs of the signature', () => {
    const latent = normal(7, 384)
    expect(kernel.hamming(latentQuery(kernel, latent).signs, latentSignature(kernel, latent))).toBeLessThan(
      DIMENSION / 1000,
    )
  })

  test.each([
    ['zero', new Float32Array(4)],
    ['empty', new Float32Array(0)],
    ['not a number', Float32Array.of(1, NaN)],
    ['too long', new Float32Array(DIMENSION + 1).fill(1)],
  ])('is refused when the latent is %s', (_, latent) => {
    const refused = expect.objectContaining({ code: 'AGIDB_INVALID_ARGUMENT' })
    expect(() => latentQuery(kernel, latent)).toThrow(refused)
    expect(() => latentSignature(kernel, latent)).toThrow(refused)
  })
})
