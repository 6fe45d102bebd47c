import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { softClusters } from '../../../src/summaries/mixture.js'
import { principalCoordinates } from '../../../src/summaries/principal.js'

/** Numbers that are spread evenly and are the same each time. */
function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32 - 0.5
  }
}

/** Blobs of points around far corners; point `i` is of blob `i % blobs`. */
function blobs(count: number, each: number, dimension: number, width: number, seed = 1): Float64Array[] {
  const next = sequence(seed)
  return Array.from({ length: count * each }, (_, i) =>
    Float64Array.from({ length: dimension }, (_, d) => (d === i % count ? 1 : 0) + width * next()),
  )
}

describe('soft clusters', () => {
  test.each([1, 2, 3, 5, 8])('%i blobs that lie apart are as many clusters, each of its own points', (count) => {
    const clusters = softClusters(blobs(count, 20, 32, 0.2), 12)
    expect(clusters.map(({ members }) => members)).toEqual(
      Array.from({ length: count }, (_, blob) => Array.from({ length: 20 }, (_, i) => blob + i * count)),
    )
  })

  test('a point between two blobs belongs to both', () => {
    const points = blobs(2, 30, 8, 0.9, 3)
    const between = points[0].map((value, i) => (value + points[1][i]) / 2)
    const shares = softClusters([...points, between], 6).flatMap(({ members, probabilities }) =>
      members.includes(points.length) ? probabilities[members.indexOf(points.length)] : [],
    )
    expect(shares.length).toBeGreaterThan(0)
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeGreaterThan(0.8)
  })

  test('in another order the same points are together', () => {
    const points = blobs(4, 12, 16, 0.3)
    const sets = (order: readonly number[]) =>
      softClusters(
        order.map((i) => points[i]),
        12,
      )
        .map(({ members }) => members.map((at) => order[at]).sort((a, b) => a - b))
        .map(String)
        .sort()
    const order = points.map((_, i) => i)
    expect(sets([...order].reverse())).toEqual(sets(order))
  })

  test('any vectors: each is somewhere, nothing is surer than 1 in all, and the same vectors give the same bits', () =>
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 5 })
          .chain((dimension) =>
            fc.array(
              fc.array(fc.float({ min: -4, max: 4, noNaN: true }), { minLength: dimension, maxLength: dimension }),
              { minLength: 1, maxLength: 40 },
            ),
          ),
        fc.integer({ min: 1, max: 12 }),
        (vectors, most) => {
          const clusters = softClusters(vectors, most)
          expect(clusters.length).toBeLessThanOrEqual(most)
          const sums = new Float64Array(vectors.length)
          for (const { members, probabilities } of clusters)
            for (const [i, member] of members.entries()) {
              expect(probabilities[i]).toBeGreaterThanOrEqual(0.1)
              sums[member] += probabilities[i]
            }
          for (const sum of sums) {
            expect(sum).toBeGreaterThan(0)
            expect(sum).toBeLessThanOrEqual(1 + 1e-9)
          }
          expect(softClusters(vectors, most)).toEqual(clusters)
        },
      ),
    ))
})

test('principal coordinates keep the distances of vectors that lie in as many dimensions', () => {
  const next = sequence(7)
  const [a, b] = [blobs(1, 1, 24, 1, 5)[0], blobs(1, 1, 24, 1, 9)[0]]
  const vectors = Array.from({ length: 30 }, () => {
    const [x, y] = [next(), next()]
    return a.map((value, i) => x * value + y * b[i])
  })
  const rows = principalCoordinates(vectors, 10)
  expect(rows[0].length).toBe(2)
  const apart = (p: ArrayLike<number>, q: ArrayLike<number>) =>
    Math.sqrt(Array.from(p).reduce((sum, value, i) => sum + (value - q[i]) ** 2, 0))
  for (let i = 1; i < rows.length; i++) expect(apart(rows[i], rows[0])).toBeCloseTo(apart(vectors[i], vectors[0]), 9)
})
