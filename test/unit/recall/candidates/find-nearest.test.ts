import { expect, test, vi } from 'vitest'
import { heaviest } from '../../../../src/encoding/heaviest.js'
import type { CandidateQuery } from '../../../../src/recall/candidates/candidates.js'
import { findNearest } from '../../../../src/recall/candidates/find-nearest.js'
import { arenaSearch, searchArenas } from '../../../../src/recall/candidates/vector-search.js'
import { exact, memory } from './named-signatures.js'

/** What a scan finds in arenas of fewer signatures is refined here. */
const { REFINED_UNDER } = vi.hoisted(() => ({ REFINED_UNDER: 1_000 }))

vi.mock('../../../../src/recall/evidence/scores.js', async (original) => ({
  ...(await original<typeof import('../../../../src/recall/evidence/scores.js')>()),
  REFINED_UNDER,
}))

function query(dimensions: number | undefined): CandidateQuery {
  return {
    space: 'text',
    query: dimensions === undefined ? exact : heaviest(exact, dimensions),
    dimensions,
    exact,
  }
}

test('In a small arena a scan finds three times as many, and the best at all dimensions are kept.', async () => {
  const indexes = memory(600)
  const [{ slots: found }] = searchArenas(indexes, [query(512)], 30)
  const [{ slots }] = await findNearest(indexes, arenaSearch(indexes), [query(512)], 10, undefined)
  const scores = indexes.text.score(exact, found)
  const best = [...scores.keys()].sort((a, b) => scores[b] - scores[a] || a - b).slice(0, 10)
  expect([...slots]).toEqual(best.map((at) => found[at]))
  expect([...slots]).not.toEqual([...found.subarray(0, 10)])
  indexes.free()
})

test('A scan at all dimensions, or of a large arena, is not refined; one at 512 finds at least 100.', async () => {
  const indexes = memory(REFINED_UNDER)
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
