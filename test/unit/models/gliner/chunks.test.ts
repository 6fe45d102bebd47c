import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chunksOf, owns } from '../../../../src/models/gliner/chunks.js'

test('every span up to half the overlap lies whole in the one chunk that owns it', () => {
  const sizes = fc.record({ words: fc.integer({ min: 1, max: 200 }), overlap: fc.integer({ min: 2, max: 24 }) })
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 60 }), ({ words, overlap }, more) => {
      const most = overlap + more
      const chunks = chunksOf(words, most, overlap)
      for (const { from, to } of chunks) expect(to - from).toBeLessThanOrEqual(most)
      for (let first = 0; first < words; first++)
        for (let last = first; last < Math.min(words, first + overlap / 2); last++) {
          const owners = chunks.filter((chunk) => owns(chunk, first, last))
          expect(owners).toHaveLength(1)
          expect(owners[0].from <= first && last < owners[0].to).toBe(true)
        }
    }),
    { seed: 17, numRuns: 100 },
  )
})

test('a text that fits is one chunk', () => {
  expect(chunksOf(24, 24, 8).map(({ from, to }) => [from, to])).toEqual([[0, 24]])
  expect(chunksOf(25, 24, 8).map(({ from, to }) => [from, to])).toEqual([
    [0, 24],
    [16, 25],
  ])
})
