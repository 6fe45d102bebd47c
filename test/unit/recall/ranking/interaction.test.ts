import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { interact, noInteraction } from '../../../../src/recall/ranking/interaction.js'

/** Three candidates in a line, and one episode before the first that is no candidate. */
const LINE = {
  slots: Uint32Array.of(10, 11, 12, 9),
  before: Int32Array.of(3, 0, 1),
  after: Int32Array.of(1, 2, -1),
}
const IDF = Float64Array.of(4, 2)

test('cosines are weighed by idf, and low ones count nothing', () => {
  // Row by row: the candidates, then the one before.
  const cosines = Float64Array.of(1, 0.29, 0.5, 0.6, 0, 0.2, 0, 0.9)
  const found = interact(LINE, cosines, IDF)
  expect([...found.own.values]).toEqual([4, 0.5 * 4 + 0.6 * 2, 0])
  expect(found.idf).toBe(6)
  expect([...found.missing]).toEqual([0.5, 0, 1])
  expect([...found.rarest]).toEqual([1, 0.5, 0])
})

test('what is beside a candidate lends the pieces that the candidate itself does not have', () => {
  const cosines = Float64Array.of(1, 0, 0.5, 0.6, 0, 0, 0, 0.9)
  const { near, before, after } = interact(LINE, cosines, IDF)
  expect([...near.values]).toEqual([4 + 0.9 * 2, 4 + 0.6 * 2, 0.5 * 4 + 0.6 * 2])
  // Over the best candidate, which has 4.
  expect([...before]).toEqual([(0.9 * 2) / 4, 1, (0.5 * 4 + 0.6 * 2) / 4])
  expect([...after]).toEqual([(0.5 * 4 + 0.6 * 2) / 4, 0, 0])
})

test('without a codebook nothing is like anything', () => {
  const { own, near, idf, missing } = noInteraction(3)
  expect([...own.values, ...near.values, ...missing, idf]).toEqual(new Array(10).fill(0))
})

describe('laws', () => {
  const cosines = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 })
  const idf = fc.array(fc.double({ min: 1, max: 12, noNaN: true }), { minLength: 2, maxLength: 2 })

  test('no sum is more than all of the idf, and what is near adds to what a candidate has itself', () => {
    fc.assert(
      fc.property(cosines, idf, (some, weights) => {
        const {
          own,
          near,
          idf: all,
          missing,
          rarest,
        } = interact(LINE, Float64Array.from(some), Float64Array.from(weights))
        for (let i = 0; i < 3; i++) {
          expect(own.values[i]).toBeGreaterThanOrEqual(0)
          expect(near.values[i]).toBeGreaterThanOrEqual(own.values[i])
          expect(near.values[i]).toBeLessThanOrEqual(all + 1e-9)
          for (const share of [missing[i], rarest[i]]) expect(share >= 0 && share <= 1).toBe(true)
        }
      }),
    )
  })

  test('a higher cosine never lowers the sum of its candidate', () => {
    fc.assert(
      fc.property(cosines, idf, fc.nat(5), fc.double({ min: 0, max: 1, noNaN: true }), (some, weights, at, more) => {
        const higher = [...some]
        higher[at] = Math.min(1, some[at] + more)
        const [a, b] = [some, higher].map((of) => interact(LINE, Float64Array.from(of), Float64Array.from(weights)))
        const i = Math.floor(at / 2)
        expect(b.own.values[i]).toBeGreaterThanOrEqual(a.own.values[i])
        expect(b.near.values[i]).toBeGreaterThanOrEqual(a.near.values[i])
      }),
    )
  })
})
