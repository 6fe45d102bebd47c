import { expect, test } from 'vitest'
import { turn } from '../../../../src/base/event-loop-turn.js'
import { rulesExtractor } from '../../../../src/extraction/rules/extractor.js'

const TEXT = 'Sarah moved from Pune to Oslo in May 2019, where her sister works at a bakery and owns two dogs.'
const texts = Array.from({ length: 300 }, (_, i) => `${TEXT} It was number ${i}.`)
const context = { at: '2026-05-01T00:00:00.000Z', speaker: 'Tom' }

test('while many texts are read, what else waits in the thread has its turn', async () => {
  const extractor = await rulesExtractor()
  let read = false
  const reading = extractor
    .extract(
      texts,
      texts.map(() => context),
    )
    .finally(() => (read = true))
  let turns = 0
  while (!read) {
    await turn()
    if (!read) turns++
  }
  expect(turns).toBeGreaterThan(3)
  expect(await reading).toHaveLength(texts.length)
})

test('texts that are read at the same time are read as each alone', async () => {
  const extractor = await rulesExtractor()
  const ask = (some: readonly string[]) =>
    extractor.extract(
      some,
      some.map((_, i) => ({ ...context, before: some.slice(Math.max(0, i - 2), i).map((text) => ({ text })) })),
    )
  const [one, other] = [texts.slice(0, 150), texts.slice(150)]
  const together = await Promise.all([ask(one), ask(other)])
  expect(together).toEqual([await ask(one), await ask(other)])
})
