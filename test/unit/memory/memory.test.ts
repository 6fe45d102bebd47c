import { expect, test } from 'vitest'
import { openMemory } from '../engine/open.js'

const COUNT = 20
const LONG = 8_192

/** By how much `memoryParts.floors` grows when something is done. */
async function grows(work: (db: Awaited<ReturnType<typeof openMemory>>) => Promise<unknown>): Promise<number> {
  const db = await openMemory()
  await db.observe('The pump house was flooded in spring.')
  const { memoryParts: before } = await db.stats()
  await work(db)
  const { memory, memoryParts: after } = await db.stats()
  expect(memory).toBe(Object.values(after).reduce((sum, bytes) => sum + bytes, 0))
  await db.close()
  return after.floors - before.floors
}

const times = Array.from({ length: COUNT }, (_, i) => i)
const words = (i: number, length: number): string => `number ${i} `.repeat(length / 9).slice(0, length)

test('frames are counted with their latents', async () => {
  const bytes = await grows(async (db) => {
    for (const i of times)
      await db.observeSensory({ modality: 'image', latent: new Float32Array(LONG).fill(i + 1), encoder: 'none' })
  })
  expect(bytes).toBeGreaterThan(COUNT * 4 * LONG)
})

test('goals and beliefs are counted with their words, once', async () => {
  for (const set of [
    (db: Awaited<ReturnType<typeof openMemory>>, text: string) => db.setGoal({ description: text }),
    (db: Awaited<ReturnType<typeof openMemory>>, text: string) => db.assertBelief({ claim: text, evidence: [] }),
    (db: Awaited<ReturnType<typeof openMemory>>, text: string) =>
      db.learnProcedure({ name: text.slice(0, 20), trigger: text, steps: ['go'] }),
  ]) {
    const bytes = await grows(async (db) => {
      for (const i of times) await set(db, words(i, LONG))
    })
    expect(bytes).toBeGreaterThan(COUNT * LONG)
    expect(bytes).toBeLessThan(1.5 * COUNT * LONG)
  }
})

test('the periods in which goals were active are counted', async () => {
  const bytes = await grows(async (db) => {
    const id = await db.setGoal({ description: 'Keep the pumps dry.' })
    for (const i of times) await db.reviseGoal(id, { description: `Keep ${i} pumps dry.` })
  })
  const without = await grows(async (db) => {
    const id = await db.setGoal({ description: 'Keep the pumps dry.' })
    for (const i of times) await db.reviseGoal(id, { deadline: `2030-01-${String(i + 1).padStart(2, '0')}` })
  })
  expect(bytes - without).toBeGreaterThan(COUNT * 100)
})
