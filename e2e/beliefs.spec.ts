import { expect } from '@playwright/test'
import { test } from './profile.js'
import { serve } from './serve.js'

let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})

test('the decideRevision function of the page decides for the engine worker, and its decisions are stored', async ({
  context,
}) => {
  const page = await context.newPage()
  await page.goto(`${server.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  const seen = await page.evaluate(async () => {
    const asked: string[] = []
    let db = await window.library.open({
      name: 'beliefs',
      sourceTrust: { '*': 0.9 },
      decideRevision: async (belief, episode) => {
        asked.push(`${belief.claim} / ${episode.text}`)
        if (episode.text.includes('who knows')) throw new Error('no network')
        return { verdict: 'contradicts', reason: 'Lisbon is in Portugal' }
      },
    })
    const id = await db.assertBelief({ claim: 'Sarah lives in Lisbon', confidence: 0.5 })
    const report = await db.reviseBelief(id, await db.observe('She has left Portugal.'))
    const doubt = await db.observe('She is, who knows where.')
    const refused = await db.reviseBelief(id, doubt).then(
      () => undefined,
      ({ code, message }) => ({ code, message }),
    )
    const before = await db.beliefHistory(id)
    await db.close()
    db = await window.library.open({ name: 'beliefs' })
    const after = await db.beliefHistory(id)
    const believed = await db.whatDoIBelieve('Sarah')
    await db.close()
    return { asked, report, refused, before, after, believed }
  })
  expect(seen.asked).toEqual([
    'Sarah lives in Lisbon / She has left Portugal.',
    'Sarah lives in Lisbon / She is, who knows where.',
  ])
  expect(seen.report).toMatchObject({ before: 0.5, contradicted: true, revision: { reason: 'Lisbon is in Portugal' } })
  expect(seen.report.after).toBeCloseTo(0.1, 12)
  expect(seen.refused?.code).toBe('AGIDB_DECISION')
  expect(seen.refused?.message).toContain('no network')
  expect(seen.after).toEqual(seen.before)
  expect(seen.believed).toMatchObject([{ claim: 'Sarah lives in Lisbon', foundBy: 'concept' }])
})
