import { expect } from '@playwright/test'
import { test } from './profile.js'
import { serve } from './serve.js'

/** Changes while components show live answers. */
const CHANGES = 10_000

let server: Awaited<ReturnType<typeof serve>>
test.beforeAll(async () => {
  server = await serve()
})

test('components of React follow changes in this tab and in another', async ({ page, context }) => {
  const start = async () => {
    const tab = await context.newPage()
    await tab.goto(`${server.url}/e2e/pages/react.html`)
    await tab.waitForFunction(() => typeof window.react === 'object')
    await tab.evaluate(async () => {
      window.react.db = (await window.react.start('react')) as never
    })
    return tab
  }
  const here = await start()
  await expect(here.locator('#first')).toHaveText('gone')
  await expect(here.locator('#error')).toHaveText('AGIDB_INVALID_ARGUMENT')
  await here.evaluate(() => window.react.db!.observe('Sarah recommended Bawri, a thai place.', { id: 'first' }))
  await expect(here.locator('#matches')).toContainText('Sarah recommended Bawri')
  await expect(here.locator('#first')).toHaveText('Sarah recommended Bawri, a thai place.')
  await expect(here.locator('#status')).toHaveText('ready')

  const there = await start()
  await there.evaluate(async () => {
    await window.react.db!.observe('The dentist moved to Hill Road.')
    await window.react.db!.setGoal({ description: 'find a dentist' })
  })
  await expect(here.locator('#goals')).toHaveText('find a dentist')
  await here.getByLabel('Ask').fill('where is the dentist?')
  await expect(here.locator('#matches li').first()).toHaveText('The dentist moved to Hill Road.')
  await there.evaluate(() => window.react.db!.update('first', { text: 'Bawri closed.' }))
  await expect(here.locator('#first')).toHaveText('Bawri closed.')
  await page.close()
})

test('10,000 changes are shown without a torn read, and in one render a frame at most', async ({ page }) => {
  await page.goto(`${server.url}/e2e/pages/react.html`)
  await page.waitForFunction(() => typeof window.react === 'object')
  const seen = await page.evaluate(async (changes) => {
    const db = (window.react.db = (await window.react.start('many')) as never as NonNullable<typeof window.react.db>)
    const before = { ...window.react.seen }
    let pending: Promise<unknown>[] = []
    for (let i = 0; i < changes; i++) {
      pending.push(db.observe(`Turn ${i}.`))
      if (pending.length === 100) {
        await Promise.all(pending)
        pending = []
      }
    }
    await Promise.all(pending)
    const { torn, commits, frames } = window.react.seen
    return { torn, commits: commits - before.commits, frames: frames - before.frames }
  }, CHANGES)
  console.log(`${CHANGES} changes: ${seen.commits} commits in ${seen.frames} frames, ${seen.torn} torn`)
  await expect(page.locator('#list-one')).toContainText(`Turn ${CHANGES - 1}.`)
  expect(seen.torn).toBe(0)
  expect(seen.commits).toBeGreaterThan(3)
  // Strict mode runs the effects of the first commit twice.
  expect(seen.commits).toBeLessThanOrEqual(seen.frames + 2)
})
