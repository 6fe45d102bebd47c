import { expect, test } from 'vitest'
import { TextReader } from '../../../src/maintenance/text-reader.js'
import { likes } from '../engine/likes.js'
import { openMemory } from '../engine/open.js'

test('fewer texts are read at once while recalls are asked', async () => {
  const recalls = { begun: 0, ending: undefined }
  const options = { load: async () => likes(), indexes: undefined!, fetch: async () => [], recalls: () => recalls }
  const reader = await TextReader.open(options)
  const usual = reader.batch()
  recalls.begun++
  expect(reader.batch()).toBeLessThan(usual)
  expect(reader.batch()).toBe(usual)
})

test('every text is read while recalls follow one another without a pause', async () => {
  const db = await openMemory({ extract: likes() })
  await db.observeMany(Array.from({ length: 100 }, (_, i) => ({ text: `Ann likes tea number ${i}.` })))
  const pending = async () => (await db.stats()).extraction!.pending
  for (let asked = 0; (await pending()) > 0; asked++) {
    expect(asked).toBeLessThan(100_000)
    await db.recall('what does Ann like?')
  }
  await db.close()
})

test('An extractor is not asked for the texts of episodes that all went away.', async () => {
  const extractor = {
    ...likes(),
    extract: () => Promise.reject(new Error('there is nothing to read')),
  }
  const indexes = { timeline: { previous: () => -1 } } as never
  const recalls = () => ({ begun: 0, ending: undefined })
  const reader = await TextReader.open({
    load: async () => extractor,
    indexes,
    fetch: async () => [undefined],
    recalls,
  })
  expect(await reader.read([0])).toEqual([])
})
