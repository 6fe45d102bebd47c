import { expect, type BrowserContext, type Page } from '@playwright/test'
import { test } from './profile.js'
import { serve } from './serve.js'

let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})
test.afterAll(() => server.close())

/** A tab with the library. */
async function tab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${server.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  return page
}

/** A tab that has a database open, and keeps what it is told of changes. */
async function opened(context: BrowserContext, name: string, options: object = {}): Promise<Page> {
  const page = await tab(context)
  await page.evaluate(async ([name, options]) => {
    const db = await window.library.open({ name, ...options })
    window.kept = { db, changes: [] }
    db.subscribe((change) => window.kept.changes!.push(change))
  }, [name, options] as const)
  return page
}

const role = (page: Page) => page.evaluate(async () => (await window.kept.db.stats()).role)
const count = (page: Page) => page.evaluate(async () => (await window.kept.db.stats()).episodes)

test('two tabs have the same memory: each sees what the other learned, and is told of it', async ({ context }) => {
  const one = await opened(context, 'two', { writer: 'one' })
  const two = await opened(context, 'two', { writer: 'two' })
  expect([await role(one), await role(two)]).toEqual(['owner', 'client'])

  const first = await one.evaluate(() => window.kept.db.observe('Sarah recommended Bawri, a thai place in Bandra.'))
  const found = await two.evaluate(() => window.kept.db.recall('which thai place?', { traceAttention: true }))
  expect(found.matches[0].id).toBe(first)
  const second = await two.evaluate(() => window.kept.db.observe('The valve was opened at noon.'))
  const goal = await two.evaluate(() => window.kept.db.setGoal({ description: 'eat well' }))
  const episode = await one.evaluate((id) => window.kept.db.getEpisode(id), second)
  expect(episode).toMatchObject({ text: 'The valve was opened at noon.', provenance: { writer: 'two' } })
  expect(await one.evaluate(async () => (await window.kept.db.activeGoals()).map(({ description }) => description))).toEqual(['eat well'])

  for (const page of [one, two]) {
    const own = page === two
    await expect.poll(() => page.evaluate(() => window.kept.changes!.length)).toBe(4)
    expect(await page.evaluate(() => window.kept.changes)).toMatchObject([
      { kind: 'episodeStored', ids: [first], writer: 'one', own: !own },
      { kind: 'attentionTraced', writer: 'two', own },
      { kind: 'episodeStored', ids: [second], writer: 'two', own },
      { kind: 'goalSet', ids: [goal, expect.any(String)], writer: 'two', own },
    ])
  }
})
