import { afterAll, describe, expect, test } from 'vitest'
import { readFacts } from '../../../../bench/recall/facts.js'
import { sit } from '../../../../bench/recall/exam.js'
import { metrics, doubt } from '../../../../bench/recall/metrics.js'
import { modes } from '../../../../bench/recall/modes.js'
import { readCodebook } from '../../../../src/encoding/codebook/node.js'
import { parseCodebook } from '../../../../src/encoding/codebook/codebook.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { openMemory } from '../../../unit/engine/open.js'
import { fileURLToPath } from 'node:url'

const codebook = parseCodebook(await readCodebook())
const open: Engine[] = []
afterAll(async () => {
  for (const db of open) await db.close()
})

async function memory(texts: readonly string[], options = {}): Promise<Engine> {
  const db = await openMemory({ codebook, ...options })
  open.push(db)
  await db.observeMany(texts.map((text) => ({ text })))
  return db
}

describe('in a small memory', () => {
  test("the README's first example is answered without doubt", async () => {
    const db = await memory([])
    await db.observe('Sarah recommended Bawri, a thai place in Bandra.', {
      speaker: 'Sarah',
      session: 's1',
      source: 'chat',
    })
    const [match] = (await db.recall('what thai place was mentioned?', { k: 3 })).matches
    expect(match.lowConfidence).toBe(false)
    expect(match.confidence).toBeGreaterThan(0.3)
    expect((await db.recall('when does my train to Vienna leave?')).matches[0].lowConfidence).toBe(true)
  })

  test('confidence on held-out facts is calibrated, and tells three quarters of the answers and gaps', async () => {
    const exams = await readFacts(fileURLToPath(new URL('../../../../bench/data/facts.json', import.meta.url)))
    const results = (await Promise.all(exams.map((exam) => sit(modes('static')[0], exam)))).flat()
    const { answerableLow, unanswerableLow, ECEOfAll, AUROC } = doubt(results)
    expect(answerableLow).toBeLessThan(0.25)
    expect(unanswerableLow).toBeGreaterThan(0.75)
    expect(ECEOfAll).toBeLessThan(0.03)
    expect(AUROC).toBeGreaterThan(0.85)
    expect(metrics(results.slice(0, 5)).MRR).toBe(1)
  })

  test('confidence changes little per episode between the curves of small and of large memories', async () => {
    const db = await memory(['Sarah recommended Bawri, a thai place in Bandra.'])
    let before: number | undefined
    for (let size = 2; size <= 60; size++) {
      await db.observe(
        `The ${['pump', 'boat', 'lamp', 'tax form', 'visa'][size % 5]} number ${size} is ` +
          `${['broken', 'new', 'late'][size % 3]}.`,
      )
      if (size < 38) continue
      const { confidence } = (await db.recall('what thai place was mentioned?', { k: 1 })).matches[0]
      if (before !== undefined) expect(Math.abs(confidence - before)).toBeLessThan(0.15)
      before = confidence
    }
  })
})
