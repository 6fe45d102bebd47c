import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { StorageAdapter } from '../../../../src/api/storage.js'
import { Postings } from '../../../../src/indexes/postings/postings.js'
import { memoryStorage } from '../../../../src/storage/adapters/memory.js'
import { openMemory } from '../../engine/open.js'

/** Words of which a few make a text, light ones, stop words and marks among them. */
const WORDS = [
  'pump',
  'pumps',
  'broken',
  'oh,',
  'the',
  'a',
  'is',
  'not',
  '30',
  '$30',
  "isn't",
  'Ann',
  'bricht',
  '泵',
  '!',
]

test('Near-duplicates are folded although only those are read and compared that may be some.', async () => {
  const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }).map((words) => words.join(' '))
  const item = fc.record({ text, speaker: fc.constantFrom('Ann', 'Tom Pump', undefined) }, { requiredKeys: ['text'] })
  const items = fc.array(item, { minLength: 20, maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(items, text, fc.integer({ min: 1, max: 6 }), async (items, cue, k) => {
      const db = await openMemory({ ranker: 'fusion' })
      await db.observeMany(items.map((one, i) => ({ id: String(i), ...one })))
      const ask = async () =>
        (await db.recall(cue, { k, learn: false, graph: false })).matches.map(({ id, folded }) => ({ id, folded }))
      const some = await ask()
      // By these all have the same terms, so that the words of all are compared.
      const spy = vi.spyOn(Postings.prototype, 'termsOf').mockReturnValue(Uint32Array.from({ length: 32 }, (_, i) => i))
      expect(some).toEqual(await ask())
      spy.mockRestore()
      await db.close()
    }),
    { numRuns: 60 },
  )
})

test('Of episodes that have no near-duplicate no more are read than are answered.', async () => {
  const read: number[] = []
  const place = memoryStorage()
  const storage: StorageAdapter = {
    async open(...args) {
      const opened = await place.open(...args)
      const { rows } = opened
      return { ...opened, rows: { ...rows, get: (slots) => (read.push(...slots), rows.get(slots)) } }
    },
  }
  const db = await openMemory({ storage })
  const nouns = ['river', 'lamp', 'garden', 'violin', 'harbour', 'kettle', 'ladder', 'forest', 'window', 'pepper']
  await db.observeMany(
    nouns.flatMap((noun, i) => nouns.map((other, j) => ({ text: `The ${noun} ${i}${j} stands beside the ${other}.` }))),
  )
  const { matches } = await db.recall('what stands beside the river?', { k: 10 })
  expect(matches).toHaveLength(10)
  expect(read).toHaveLength(10)
  await db.close()
})
