import { expect, test } from 'vitest'
import { openMemory } from './open.js'

/** The ids of recalls that are asked at once, some of which take more steps than others. */
async function idsOfRecalls(busyMs: number): Promise<string[]> {
  const db = await openMemory()
  await db.observe('Ann likes tea.')
  const until = performance.now() + busyMs
  while (performance.now() < until);
  const recalls = [
    db.recall('what does Ann like?', { traceAttention: true, budgetTokens: 100 }),
    db.recall('what does Ann like?'),
    db.recall('what does Ann like?', { structured: { subject: 'Ann' } }),
    db.recall('who likes tea?'),
  ]
  const ids = (await Promise.all(recalls)).map(({ id }) => id)
  await db.close()
  return ids
}

test('recalls that are asked at once get the same ids, however busy the thread was before', async () => {
  expect(await idsOfRecalls(20)).toEqual(await idsOfRecalls(0))
})
