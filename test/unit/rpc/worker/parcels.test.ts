import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Agidb } from '../../../../src/api/agidb.js'
import type { EpisodeId, Observation } from '../../../../src/api/episode.js'
import { connect } from '../../../../src/rpc/worker/connect.js'
import { Parcels } from '../../../../src/rpc/worker/parcels.js'
import { thread } from './thread.js'

const ids = (count: number): EpisodeId[] => Array.from({ length: count }, (_, i) => `ep_${i}`)

test('ids go in parts, in their order, and then no more', () => {
  fc.assert(
    fc.property(fc.nat(20_000), (count) => {
      const parcels = new Parcels()
      const parts = [parcels.answer(1, ids(count))]
      while (parts.flat().length < count) parts.push(parcels.more(1))
      expect(parts.flat()).toEqual(ids(count))
      for (const part of parts) expect(part.length).toBeLessThanOrEqual(4096)
      expect(() => parcels.more(1)).toThrow(expect.objectContaining({ code: 'AGIDB_NOT_FOUND' }))
    }),
    { numRuns: 30 },
  )
})

test('ids that nobody asks for are not kept for ever', () => {
  const parcels = new Parcels()
  for (let call = 0; call < 129; call++) parcels.answer(call, ids(5000))
  expect(() => parcels.more(0)).toThrow('no more ids')
  expect(parcels.more(1)).toEqual(ids(5000).slice(4096))
})

test('many observations are answered with all their ids, no message of which is long', async () => {
  const engine = {
    observeMany: async (items: readonly Observation[]) => items.map(({ text }) => `ep_${text}`),
    close: async () => {},
  } as unknown as Agidb
  const { thread: far } = thread(async () => engine)
  const lengths: number[] = []
  far.addEventListener('message', (event) => {
    const { value } = (event as MessageEvent<{ value?: { value?: unknown } }>).data
    if (Array.isArray(value?.value)) lengths.push(value.value.length)
  })
  const db = await connect(far, {})
  const items = Array.from({ length: 10_000 }, (_, i) => ({ text: String(i) }))
  expect(await db.observeMany(items)).toEqual(items.map(({ text }) => `ep_${text}`))
  expect(lengths).toEqual([4096, 4096, 1808])
  await db.close()
})
