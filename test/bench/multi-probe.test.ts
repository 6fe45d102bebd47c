import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cheapestFlips, MultiProbe } from '../../bench/multi-probe.js'
import { seeded } from '../../bench/random.js'
import { noise } from '../../src/storage/contract/episodes.js'

test('sets of bits come in order of their weight, each once, the cheapest of all', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 15 }), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 300 }),
      (weights, count) => {
        const sum = (flips: number) => weights.reduce((sum, weight, bit) => sum + ((flips >> bit) & 1) * weight, 0)
        const all = Array.from({ length: 2 ** weights.length }, (_, flips) => sum(flips)).sort((a, b) => a - b)
        const found = cheapestFlips(weights, count)
        expect(new Set(found).size).toBe(found.length)
        expect(found.map(sum)).toEqual(all.slice(0, count))
      },
    ),
  )
})

test('who looks at all buckets finds all, and who looks at one finds at least what is equal', () => {
  const signatures = Array.from({ length: 50 }, (_, i) => noise(i, 1024))
  const index = new MultiProbe(signatures, { tables: 2, bits: 6 }, seeded(1))
  const query = { signs: signatures[7], norm: 1 }
  expect([...index.near(query, 64)]).toEqual(signatures.map((_, i) => i))
  const near = index.near(query, 1)
  expect(near).toContain(7)
  expect(near.length).toBeLessThan(50)
})
