import { expect, test } from 'vitest'
import { Clusters } from '../../bench/clusters.js'
import { seeded } from '../../bench/random.js'
import { readKernel } from '../../src/kernel/node.js'
import { loadKernel } from '../../src/kernel/load.js'
import { noise } from '../../src/storage/contract/episodes.js'

const kernel = await loadKernel({ kernel: await readKernel() })
const middles = [noise(1, 1024), noise(2, 1024)]
/** Alternately near to the one and to the other, a byte in eight apart. */
const signatures = Array.from({ length: 60 }, (_, i) =>
  middles[i % 2].map((byte, at) => (at % 8 === i % 8 ? byte ^ noise(i, 1024)[at] : byte)),
)

test('of as many clusters as there are kinds, the nearest has all of a kind and no other', () => {
  const clusters = new Clusters(kernel, signatures, 2, seeded(3))
  for (const kind of [0, 1]) {
    expect([...clusters.near(kernel.query(middles[kind]), 1)]).toEqual(
      signatures.flatMap((_, i) => (i % 2 === kind ? [i] : [])),
    )
  }
  clusters.free()
})

test('who looks at all clusters finds each item once', () => {
  const clusters = new Clusters(kernel, signatures, 7, seeded(3))
  expect([...clusters.near(kernel.query(middles[0]), 7)]).toEqual(signatures.map((_, i) => i))
  expect(clusters.bytes).toBeCloseTo(4 + (7 * 1024) / 60, 9)
  clusters.free()
})
