import { expect, test } from 'vitest'
import { heaviest } from '../../../../src/encoding/heaviest.js'
import { Indexes } from '../../../../src/indexes/indexes.js'
import type { CandidateQuery } from '../../../../src/recall/candidates/candidates.js'
import { findNearest } from '../../../../src/recall/candidates/find-nearest.js'
import { arenaSearch, searchArenas } from '../../../../src/recall/candidates/vector-search.js'
import { REFINED } from '../../../../src/recall/evidence/scores.js'
import { kernel } from '../../encoding/kernel.js'

const NAMES = ['harbour', 'lantern', 'violin', 'orchard', 'granite', 'saddle', 'teapot', 'glacier']
const exact = kernel.quantise(
  kernel.superpose(
    NAMES,
    Int32Array.from(NAMES, (_, i) => 1 + i),
  ),
)

function memory(size: number): Indexes {
  const indexes = new Indexes(kernel)
  for (let slot = 0; slot < size; slot++) {
    const some = [...new Set([NAMES[slot % 8], NAMES[(slot * 3 + 1) % 8], `other ${slot % 97}`, `more ${slot % 89}`])]
    indexes.text.set(slot, kernel.textSignature(some, new Int32Array(some.length).fill(1)))
  }
  return indexes
}

function query(dimensions: number | undefined): CandidateQuery {
  return {
    space: 'text',
    query: dimensions === undefined ? exact : heaviest(exact, dimensions),
    dimensions,
    exact,
  }
}

test('The best at all dimensions are taken of three times as many that a scan at 1,536 found.', async () => {
  const indexes = memory(600)
  const [{ slots: found }] = searchArenas(indexes, [query(REFINED)], 30)
  const [{ slots }] = await findNearest(indexes, arenaSearch(indexes), [query(REFINED)], 10, undefined)
  const scores = indexes.text.score(exact, found)
  const best = [...scores.keys()].sort((a, b) => scores[b] - scores[a] || a - b).slice(0, 10)
  expect([...slots]).toEqual(best.map((at) => found[at]))
  expect([...slots]).not.toEqual([...found.subarray(0, 10)])
  indexes.free()
})

test('What is searched at all dimensions, or at fewer than 1,536, stays; at fewer, 100 at least.', async () => {
  const indexes = memory(300)
  for (const dimensions of [undefined, 512]) {
    for (const k of [10, 200]) {
      const wanted = dimensions === undefined ? k : Math.max(100, k)
      const found = await findNearest(indexes, arenaSearch(indexes), [query(dimensions)], k, undefined)
      expect(found).toEqual(searchArenas(indexes, [query(dimensions)], wanted))
    }
  }
  indexes.free()
})

test('Without anything to search nothing is found.', async () => {
  const indexes = memory(3)
  expect(await findNearest(indexes, arenaSearch(indexes), [], 10, undefined)).toEqual([])
  indexes.free()
})
