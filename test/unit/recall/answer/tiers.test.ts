import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../../../src/engine/engine.js'
import { openMemory } from '../../engine/open.js'

/** Lines of a transcript in one episode: so many that a few shared words do not make the whole alike. */
const LINES_PER_EPISODE = 60

let db: Engine
beforeAll(async () => {
  const lines = readFileSync(new URL('../../../../demo/data/apollo13.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  const texts = lines.slice(0, 20 * LINES_PER_EPISODE).map((line) => (JSON.parse(line) as { text: string }).text)
  db = await openMemory()
  await db.observeMany(
    Array.from({ length: 20 }, (_, i) => ({
      text: texts.slice(i * LINES_PER_EPISODE, (i + 1) * LINES_PER_EPISODE).join(' '),
    })),
  )
})
afterAll(() => db.close())

test('A long text that has all words of the cue is found by similarity.', async () => {
  const [{ tier, text }] = (await db.recall('the income tax', { k: 1 })).matches
  expect(text).toContain('income tax')
  expect(tier).toBe('similarity')
})

test('A long text with one of the two words of the cue is gist, and its confidence is at most .6.', async () => {
  const [{ tier, text, confidence }] = (await db.recall('the sandwich of the bicycle', { k: 1 })).matches
  expect(text).toContain('sandwich')
  expect(text).not.toContain('bicycle')
  expect(tier).toBe('gist')
  expect(confidence).toBeLessThanOrEqual(0.6)
})
