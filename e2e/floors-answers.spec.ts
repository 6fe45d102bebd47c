import { expect } from '@playwright/test'
import type { OpenOptions } from '../src/api/public.js'
import { Agidb } from '../src/runtimes/node/index.js'
import { rememberAndRecall } from '../test/runtimes/remember-and-recall.js'
import { test } from './profile.js'
import { serve } from './serve.js'

/** The clock of `pages/engine-at-noon.worker.ts`; not imported, since that would stop the clock here. */
const NOW = Date.UTC(2024, 11, 1, 12)
const OPTIONS: OpenOptions = { seed: 7, extract: 'none', autoConsolidate: false, learnFromRecall: false }

let server: Awaited<ReturnType<typeof serve>>
test.beforeAll(async () => {
  server = await serve()
})

for (const codebook of ['static', 'none'] as const)
  test(`beliefs, atoms, documents and identity are those of Node, to the bit; codebook: ${codebook}`, async ({
    page,
  }) => {
    const options = { ...OPTIONS, codebook }
    const node = await rememberAndRecall(await Agidb.open({ storage: 'memory', clock: () => NOW, ...options }))
    await page.goto(`${server.url}/e2e/pages/library.html`)
    await page.waitForFunction(() => typeof window.library === 'object')
    const there = await page.evaluate((options) => window.library.allFloorsAtNoon(options), options)
    const plain = (answers: unknown): unknown => JSON.parse(JSON.stringify(answers))
    expect(plain(there)).toEqual(plain(node))
  })
