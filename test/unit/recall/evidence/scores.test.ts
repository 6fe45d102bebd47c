import { expect, test } from 'vitest'
import type { Query } from '../../../../src/kernel/port.js'
import { dimensionsFor, LARGE_MEMORY } from '../../../../src/recall/evidence/scores.js'

const weighted: Query = { signs: new Uint8Array(1024), planes: new Uint8Array(4096), norm: 1 }
const binary: Query = { signs: new Uint8Array(1024), norm: 1 }

test('arenas of 4,096 and more are scanned at 512 dimensions, and at fewer as they grow, down to 256', () => {
  const expected = [
    [0, undefined],
    [LARGE_MEMORY - 1, undefined],
    [LARGE_MEMORY, 512],
    [524_288, 512],
    [524_289, 511],
    [786_432, 341],
    [1_044_495, 257],
    [1_048_576, 256],
    [4_000_000, 256],
  ] as const
  expect(LARGE_MEMORY).toBe(4_096)
  expect(expected.map(([size]) => [size, dimensionsFor(size, weighted)])).toEqual(expected)
})

test('a question that weighs nothing is asked at all dimensions', () => {
  for (const size of [LARGE_MEMORY, 1_000_000]) expect(dimensionsFor(size, binary)).toBeUndefined()
})
