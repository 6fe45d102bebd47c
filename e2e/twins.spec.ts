import { expect } from '@playwright/test'
import { test } from './profile.js'
import { serve } from './serve.js'

/** Histories; more with AGIDB_RUNS, which takes others each time. */
const RUNS = Number(process.env['AGIDB_RUNS'] ?? 12)
const SEED = process.env['AGIDB_RUNS'] === undefined ? 1 : Date.now() % 2 ** 31

let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})

test('a memory in a browser that forgot a session answers as a twin that never saw it', async ({ context }) => {
  test.setTimeout(120_000 + 5_000 * RUNS)
  const page = await context.newPage()
  await page.goto(`${server.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  const { compared, storage, failure } = await page.evaluate(([runs, seed]) => window.library.twins(runs, seed), [
    RUNS,
    SEED,
  ] as const)
  expect(failure).toBeUndefined()
  expect({ compared, storage }).toEqual({ compared: RUNS, storage: 'OPFS journal + IndexedDB' })
})
