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

test('while one long text is read, what else waits in the thread has its turn', async () => {
  const extractor = await rulesExtractor()
  let read = false
  const reading = extractor.extract([texts.join('\n')], [context]).finally(() => (read = true))
  let turns = 0
  while (!read) {
    await turn()
    if (!read) turns++
  }
  expect(turns).toBeGreaterThan(3)
  expect(await reading).toHaveLength(1)
})

const items = Array.from({ length: 600 }, (_, id) => ({ id, name: `n${id}`, url: `http://x.y/${id}` }))
const LONG_TEXTS = {
  'JSON without spaces': JSON.stringify(items),
  'a list of addresses without spaces': 'http://a.b/'.repeat(5000),
  'a path of many folders': '/usr/lib/x'.repeat(5000),
  'a run of apostrophes': "'s".repeat(25_000),
  base64: btoa(JSON.stringify(items).repeat(2)),
  'addresses of which each is short': `${'http://a.b/'.repeat(18)} `.repeat(250),
  'words that are spelled out': 'im '.repeat(15_000),
  'words between tabs': 'a\tb\t'.repeat(12_000),
  'a sentence that never ends': 'Ann and Tom '.repeat(4000),
  'clauses that are each within the one before': 'Ann who likes '.repeat(4000),
}

// Most took from seconds to minutes, and the last threw, when the time to read grew faster than the length of a text.
test.each(Object.entries(LONG_TEXTS))(
  'a text of %s is read in a few seconds at most',
  { timeout: 60_000 },
  async (_, text) => {
    const extractor = await rulesExtractor()
    const started = performance.now()
    await extractor.extract([text], [context])
    expect(performance.now() - started).toBeLessThan(5000)
  },
)
