import { expect } from '@playwright/test'
import { test } from './profile.js'
import { serve } from './serve.js'

let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})

test('a worker of the engine worker shares the scan, without cross-origin isolation; the answers are the same', async ({
  context,
}) => {
  const page = await context.newPage()
  await page.goto(`${server.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  const { shards, together, alone, ...worker } = await page.evaluate(() => window.library.shared())
  const isolated = { page: await page.evaluate(() => crossOriginIsolated), worker: worker.isolated }
  expect(isolated).toEqual({ page: false, worker: false })
  expect(shards.threads).toBe(1)
  expect(shards.episodes).toBeGreaterThanOrEqual(100)
  expect(together).toEqual(alone)
  expect(together.flat().length).toBe(160)
})
