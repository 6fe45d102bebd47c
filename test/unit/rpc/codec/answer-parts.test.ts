import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Agidb } from '../../../../src/api/agidb.js'
import type { EpisodeId, Observation } from '../../../../src/api/episode.js'
import { connect } from '../../../../src/rpc/worker/connect.js'
import { AnswerParts } from '../../../../src/rpc/codec/answer-parts.js'
import { thread } from '../worker/thread.js'

const ids = (count: number): EpisodeId[] => Array.from({ length: count }, (_, i) => `ep_${i}`)

test('ids cross in parts, in their order, and then there are no more', () => {
  fc.assert(
    fc.property(fc.nat(20_000), (count) => {
      const answers = new AnswerParts()
      const parts: unknown[][] = [answers.first(1, ids(count))]
      while (parts.flat().length < count) parts.push(answers.next(1))
      expect(parts.flat()).toEqual(ids(count))
      for (const part of parts) expect(part.length).toBeLessThanOrEqual(4096)
      expect(() => answers.next(1)).toThrow(expect.objectContaining({ code: 'AGIDB_NOT_FOUND' }))
    }),
    { numRuns: 30 },
  )
})

test('the ids of an answer that nobody asks for are dropped', () => {
  const answers = new AnswerParts()
  for (let call = 0; call < 129; call++) answers.first(call, ids(5000))
  expect(() => answers.next(0)).toThrow('no more ids')
  expect(answers.next(1)).toEqual(ids(5000).slice(4096))
})

test('many observations are answered with all their ids in messages of at most 4,096', async () => {
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
