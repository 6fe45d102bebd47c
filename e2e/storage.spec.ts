import { mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { StorageStats } from '../src/api/storage.js'
import type { WireError } from '../src/base/errors.js'
import type { StorageRig } from './pages/storage.worker.js'
import { test } from './profile.js'
import { serve } from './serve.js'

let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})

async function openPage(page: Page): Promise<void> {
  await page.goto(`${server.url}/e2e/pages/storage.html`)
  await page.waitForFunction(() => typeof window.startRig === 'function')
  await page.evaluate(() => window.startRig())
}

/** Calls a method of a worker's rig. */
function ask<M extends keyof StorageRig>(page: Page, method: M, ...args: Parameters<StorageRig[M]>): Promise<unknown> {
  return page.evaluate(([name, values]) => window.askRig(name, values), [method, args] as const)
}

function code(answer: unknown): string | undefined {
  return (answer as WireError | undefined)?.code
}

for (const place of ['opfs', 'idb-only'] as const) {
  test(`the storage contract holds in ${place}`, async ({ page }) => {
    test.setTimeout(400_000)
    await openPage(page)
    const names = (await ask(page, 'cases', place)) as string[]
    expect(names.length).toBeGreaterThan(10)
    for (const name of names) {
      await test.step(name, async () => {
        const outcome = await ask(page, 'runCase', place, name)
        expect.soft(outcome, name).toBe('kept')
      })
    }
  })
}

test('another tab is refused while the first lives, and takes over when it closes', async ({ context, page }) => {
  const other = await context.newPage()
  await openPage(page)
  await openPage(other)
  await ask(page, 'open', 'tabs')
  await ask(page, 'commit', 0, 20, 100)
  const refused = await ask(other, 'open', 'tabs')
  expect(code(refused)).toBe('AGIDB_IN_USE')
  expect((refused as WireError).message).toContain('tabs')
  await page.close()
  const opened = await ask(other, 'open', 'tabs')
  expect(opened).toMatchObject({ nextSlot: 20 })
})

test('a reload and a worker that is terminated hand over', async ({ page }) => {
  await openPage(page)
  await ask(page, 'open', 'handover')
  await ask(page, 'commit', 0, 10, 100)
  await page.evaluate(() => window.endRig())
  await page.evaluate(() => window.startRig())
  expect(await ask(page, 'open', 'handover')).toMatchObject({ nextSlot: 10 })
  await ask(page, 'commit', 10, 10, 100)
  await page.reload()
  await page.waitForFunction(() => typeof window.startRig === 'function')
  await page.evaluate(() => window.startRig())
  expect(await ask(page, 'open', 'handover')).toMatchObject({ nextSlot: 20 })
})

test('a commit over the quota is refused whole, reading goes on, and there is room again later', async ({
  page,
  context,
}) => {
  await openPage(page)
  const cdp = await context.newCDPSession(page)
  const origin = server.url
  await cdp.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 4_000_000 })
  await ask(page, 'open', 'quota')
  await ask(page, 'commit', 0, 50, 2000)

  let slot = 50
  let refused: unknown
  for (; slot < 550; slot += 10) {
    refused = await ask(page, 'commitBatch', slot, 10, 30_000)
    if (code(refused)) break
  }
  expect(code(refused)).toBe('AGIDB_QUOTA')
  const slots = Array.from({ length: 10 }, (_, index) => slot + index)
  expect(await ask(page, 'rowLengths', [0, 49, ...slots])).toEqual([2000, 2000, ...slots.map(() => -1)])
  expect(code(await ask(page, 'commitBatch', slot, 10, 30_000))).toBe('AGIDB_QUOTA')
  await ask(page, 'close')
  expect(await ask(page, 'open', 'quota')).toMatchObject({ nextSlot: slot })

  await cdp.send('Storage.overrideQuotaForOrigin', { origin })
  expect(await ask(page, 'commitBatch', slot, 10, 30_000)).toBe(10)
  await ask(page, 'flush')
  await ask(page, 'close')
  const opened = await ask(page, 'open', 'quota')
  expect(opened).toMatchObject({ nextSlot: slot + 10, slots: Array.from({ length: slot + 10 }, (_, index) => index) })
  expect(await ask(page, 'stats')).toMatchObject({ durability: 'strict', opening: [] })
})

test('IndexedDB alone refuses a commit over the quota as well', async ({ page, context }) => {
  await openPage(page)
  const cdp = await context.newCDPSession(page)
  const origin = server.url
  await cdp.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 2_000_000 })
  await ask(page, 'withoutOpfs')
  await ask(page, 'open', 'quota-idb')
  await ask(page, 'commit', 0, 20, 2000)
  expect(code(await ask(page, 'commitBatch', 20, 40, 100_000))).toBe('AGIDB_QUOTA')
  expect(await ask(page, 'rowLengths', [0, 19, 20])).toEqual([2000, 2000, -1])
  await cdp.send('Storage.overrideQuotaForOrigin', { origin })
  await expect.poll(() => ask(page, 'commitBatch', 20, 40, 100_000), { timeout: 60_000 }).toBe(40)
  expect(await ask(page, 'stats')).toMatchObject({ durability: 'idb-only' })
})

for (const [method, error, reason] of [
  ['getDirectory', 'SecurityError', 'private windows'],
  ['getDirectory', 'UnknownError', 'private windows'],
  ['createSyncAccessHandle', 'NotSupportedError', 'no sync access handles'],
] as const) {
  test(`open uses IndexedDB alone when ${method} fails with ${error}, but never ignores an existing journal`, async ({
    page,
  }) => {
    await openPage(page)
    await ask(page, 'open', 'journaled')
    await ask(page, 'commit', 0, 3, 100)
    await ask(page, 'close')
    await ask(page, 'withBrokenOpfs', method, error)
    expect(code(await ask(page, 'open', 'journaled'))).toBe('AGIDB_STORAGE')
    for (const nextSlot of [0, 3]) {
      expect(await ask(page, 'open', 'second best')).toMatchObject({ nextSlot })
      expect(await ask(page, 'stats')).toMatchObject({
        durability: 'idb-only',
        durabilityReason: expect.stringContaining(reason),
      })
      await ask(page, 'commit', nextSlot, 3, 100)
      await ask(page, 'close')
    }
  })
}

test('a database with a journal in OPFS is not opened without it', async ({ page }) => {
  await openPage(page)
  await ask(page, 'open', 'journaled')
  await ask(page, 'commit', 0, 3, 100)
  await ask(page, 'close')
  await ask(page, 'withoutOpfs')
  expect(code(await ask(page, 'open', 'journaled'))).toBe('AGIDB_STORAGE')
  await page.reload()
  await page.waitForFunction(() => typeof window.startRig === 'function')
  await page.evaluate(() => window.startRig())
  expect(await ask(page, 'open', 'journaled')).toMatchObject({ nextSlot: 3 })
})

test('an IndexedDB that Chromium wipes after a torn log is healed from the journal', async ({
  playwright,
  launchOptions,
}) => {
  const profile = await mkdtemp(join(tmpdir(), 'agidb-profile-'))
  const session = async (from: number): Promise<{ slots: number[]; kinds: string[] }> => {
    const context = await playwright.chromium.launchPersistentContext(profile, launchOptions)
    const page = await context.newPage()
    await openPage(page)
    const { slots } = (await ask(page, 'open', 'torn')) as { slots: number[] }
    const { opening } = (await ask(page, 'stats')) as StorageStats
    for (let slot = from; slot < from + 50; slot += 10) {
      await ask(page, 'commitBatch', slot, 10, 500)
      await ask(page, 'flush')
    }
    await ask(page, 'close')
    await context.close()
    return { slots, kinds: opening.map(({ kind }) => kind) }
  }
  const reports: string[] = []
  for (let round = 0; round < 4; round++) {
    const { slots, kinds } = await session(round * 50)
    expect(slots).toEqual(Array.from({ length: round * 50 }, (_, index) => index))
    reports.push(...kinds)
    await cutLogs(join(profile, 'Default', 'IndexedDB'), 20)
  }
  expect(reports).toContain('mirror-wiped')
  await rm(profile, { recursive: true, force: true, maxRetries: 5 })
})

/** Cuts the last bytes off the logs of every IndexedDB, as a crash can. */
async function cutLogs(folder: string, bytes: number): Promise<void> {
  const logs = (await readdir(folder, { recursive: true })).filter((name) => /leveldb.\d+\.log$/.test(name))
  expect(logs.length).toBeGreaterThan(0)
  for (const name of logs) {
    const path = join(folder, name)
    await truncate(path, Math.max(0, (await stat(path)).size - bytes))
  }
}
