import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readCodebook } from '../../../src/encoding/codebook/node.js'
import { parseCodebook } from '../../../src/encoding/codebook/codebook.js'
import { LARGE_MEMORY } from '../../../src/recall/evidence/scores.js'
import { openMemory } from '../../unit/engine/open.js'

const ROUNDS = 4

/** Many short texts that are like what people say: pieces of six words. */
async function pieces(): Promise<string[]> {
  const lines = (await readFile(new URL('../../../demo/data/apollo13.jsonl', import.meta.url), 'utf8'))
    .trim()
    .split('\n')
  const turns = lines.map((line) => (JSON.parse(line) as { text: string }).text.split(/\s+/))
  return Array.from({ length: ROUNDS }, (_, round) =>
    turns.map((words, i) => `${words.slice(3 * round, 3 * round + 6).join(' ')} ${i}`),
  ).flat()
}

/** Memories from which on what a scan found is not refined any more. */
const VERY_LARGE = 32_768

test('a trace of 4,096 memories or more names the scanned dimensions and the recall of the scan', async () => {
  const texts = await pieces()
  const db = await openMemory({ codebook: parseCodebook(await readCodebook()) })
  const scans = async (cue: string) => (await db.recall(cue, { traceAttention: true })).attentionTrace!.scans
  await db.observeMany(texts.slice(0, LARGE_MEMORY - 1).map((text) => ({ text })))
  expect(await scans(texts[0])).toBeUndefined()
  // A few more: of those that are numbers alone nothing is known by meaning.
  await db.observeMany(texts.slice(LARGE_MEMORY - 1, 2 * LARGE_MEMORY).map((text) => ({ text })))
  const few = await scans(texts[0])
  expect(few!.map(({ dimensions }) => dimensions)).toEqual([512, 512])
  await db.observeMany(texts.slice(2 * LARGE_MEMORY, VERY_LARGE + 5_000).map((text) => ({ text })))
  // Like several, and the same as none.
  const cues = Array.from({ length: 20 }, (_, i) => [0, 1, 2].map((j) => texts[997 * i + 331 * j]).join(' '))
  const shares = []
  for (const cue of cues) {
    const told = await scans(cue)
    expect(told).toEqual(
      ['text', 'latent'].map((signatures) => ({ signatures, dimensions: 512, recall: expect.any(Number) as number })),
    )
    shares.push(...told!.map(({ recall }) => recall))
  }
  // Practically all, and not always all: it is told as it is.
  const mean = shares.reduce((sum, share) => sum + share) / shares.length
  expect(mean).toBeGreaterThan(0.9)
  expect(mean).toBeLessThan(1)
  expect((await db.recall(texts[0])).attentionTrace).toBeUndefined()
  await db.close()
}, 180_000)
