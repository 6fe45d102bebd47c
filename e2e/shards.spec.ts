import { expect } from '@playwright/test'
import { test } from './profile.js'
import { serve } from './serve.js'

let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})
test.afterAll(() => server.close())

test('a worker of the engine worker shares the scan; the answers are the same', async ({ context }) => {
  const page = await context.newPage()
  await page.goto(`${server.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  const { shards, together, alone } = await page.evaluate(() => window.library.shared())
  expect(shards.threads).toBe(1)
  expect(shards.episodes).toBeGreaterThanOrEqual(100)
  expect(together).toEqual(alone)
  expect(together.flat().length).toBe(160)
})
