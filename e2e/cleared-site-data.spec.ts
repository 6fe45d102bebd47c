import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type BrowserContext, type Page } from '@playwright/test'
import { test as base } from './profile.js'
import { serve } from './serve.js'

/** What becomes of a memory whose site data is cleared while tabs have it open. */

/**
 * Starts the browser with one profile, as often as a test asks for it: after its data was cleared Chromium may not open
 * OPFS again before that.
 */
const test = base.extend<{ start: () => Promise<BrowserContext> }>({
  start: async ({ playwright, launchOptions }, use) => {
    const profile = await mkdtemp(join(tmpdir(), 'agidb-profile-'))
    let context: BrowserContext | undefined
    await use(async () => {
      await context?.close()
      context = await playwright.chromium.launchPersistentContext(profile, launchOptions)
      return context
    })
    await context?.close()
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  },
})

let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})

async function tab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${server.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  return page
}

/** A tab that has a memory open, and keeps what it is told of changes. */
async function opened(context: BrowserContext, name: string): Promise<Page> {
  const page = await tab(context)
  await page.evaluate(async (name) => {
    const db = await window.library.open({ name, codebook: 'none' })
    window.kept = { db, changes: [] }
    db.subscribe((change) => window.kept.changes!.push(change))
  }, name)
  return page
}

/** Does what "Clear site data" of the browser does, or the header `Clear-Site-Data: "storage"`. */
async function clearSiteData(context: BrowserContext, page: Page, storageTypes = 'all'): Promise<void> {
  const cdp = await context.newCDPSession(page)
  await cdp.send('Storage.clearDataForOrigin', { origin: server.url, storageTypes })
  await cdp.detach()
}

const observed = (page: Page, text: string) =>
  page.evaluate((text) => window.library.failure(window.kept.db.observe(text)), text)
const kinds = (page: Page) => page.evaluate(() => window.kept.changes!.map(({ kind }) => kind))

/**
 * How many records all tables of this origin in IndexedDB have, by the name of their database. Looks at them in a tab
 * that has nothing open.
 */
async function records(context: BrowserContext): Promise<Record<string, number>> {
  const page = await tab(context)
  const found = await page.evaluate(async () => {
    const counts: Record<string, number> = {}
    for (const { name } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name!)
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error!)
      })
      let count = 0
      for (const store of db.objectStoreNames) {
        count += await new Promise<number>((resolve, reject) => {
          const request = db.transaction(store).objectStore(store).count()
          request.onsuccess = () => resolve(request.result)
          request.onerror = () => reject(request.error!)
        })
      }
      counts[name!] = count
      db.close()
    }
    return counts
  })
  await page.close()
  return found
}

/** What a tab has done that writes until it is refused. */
interface Counts {
  acknowledged: number
  code?: string
}

const TEXTS = Array.from({ length: 201 }, (_, i) => `Secret ${i}: the code of door ${i % 7} is ${1000 + i}.`)

for (const when of ['after IndexedDB has all of it', 'before IndexedDB has any of it'] as const) {
  test(`an open tab writes nothing back after its site data is cleared ${when}, and is notified`, async ({ start }) => {
    const context = await start()
    const page = await opened(context, 'cleared')
    await page.evaluate((texts) => window.kept.db.observeMany(texts.map((text) => ({ text }))), TEXTS)
    if (when.startsWith('after')) await page.evaluate(() => window.kept.db.flush())

    await clearSiteData(context, page)
    // Nothing is written: the tab finds out by itself.
    await expect.poll(() => kinds(page)).toContain('storageDeleted')
    expect((await observed(page, 'Written after it was cleared.'))?.code).toBe('AGIDB_DELETED')
    expect((await page.evaluate(() => window.library.failure(window.kept.db.flush())))?.code).toBe('AGIDB_DELETED')
    expect((await page.evaluate(() => window.library.failure(window.kept.db.compact())))?.code).toBe('AGIDB_DELETED')
    expect(await page.evaluate(async () => (await window.kept.db.stats()).opening.map(({ kind }) => kind))).toContain(
      'storage-deleted',
    )
    // What is in memory can still be read.
    expect(
      await page.evaluate(async () => (await window.kept.db.recall('the code of door 3')).matches.length),
    ).toBeGreaterThan(0)
    await page.waitForTimeout(2500) // longer than the mirror waits before it fills tables that it finds empty
    await page.evaluate(() => window.kept.db.close())
    await page.close()

    expect((await records(context))['agidb:cleared'] ?? 0).toBe(0)
    const next = await opened(await start(), 'cleared')
    const { episodes, opening } = await next.evaluate(() => window.kept.db.stats())
    expect([episodes, opening.map(({ kind }) => kind)]).toEqual([0, ['created']])
  })
}

test('clearing site data during a write refuses it or follows its acknowledgement, and no write reappears', async ({
  start,
}) => {
  const context = await start()
  const page = await opened(context, 'busy')
  await page.evaluate(() => {
    const counts: Counts = ((window.kept as unknown as { counts: Counts }).counts = { acknowledged: 0 })
    void (async () => {
      for (let i = 0; counts.code === undefined; i++) {
        const failed = await window.library.failure(window.kept.db.observe(`Secret ${i}`))
        if (failed === undefined) counts.acknowledged++
        else counts.code = failed.code
      }
    })()
  })
  const counts = () => page.evaluate(() => (window.kept as unknown as { counts: Counts }).counts)
  await expect.poll(async () => (await counts()).acknowledged).toBeGreaterThan(100)
  await clearSiteData(context, page)
  await expect.poll(async () => (await counts()).code).toBe('AGIDB_DELETED')
  await page.waitForTimeout(2500)
  await page.close()
  expect((await records(context))['agidb:busy'] ?? 0).toBe(0)
  const next = await opened(await start(), 'busy')
  expect(await next.evaluate(async () => (await window.kept.db.stats()).episodes)).toBe(0)
})

test('IndexedDB that is cleared alone is filled again from the journal, as after an accident of the browser', async ({
  context,
}) => {
  const page = await opened(context, 'half')
  await page.evaluate((texts) => window.kept.db.observeMany(texts.map((text) => ({ text }))), TEXTS)
  await page.evaluate(() => window.kept.db.flush())
  await clearSiteData(context, page, 'indexeddb')
  expect(await observed(page, 'Written after the copy was cleared.')).toBeUndefined()
  await page.evaluate(() => window.kept.db.flush())
  expect(await page.evaluate(async () => (await window.kept.db.verify()).ok)).toBe(true)
  expect(await kinds(page)).not.toContain('storageDeleted')
})

test('a page whose site data was cleared can open memories without being reloaded', async ({ context }) => {
  const page = await opened(context, 'again')
  await observed(page, 'Known before.')
  await clearSiteData(context, page)
  await expect.poll(async () => (await observed(page, 'Refused.'))?.code).toBe('AGIDB_DELETED')
  await page.evaluate(() => window.kept.db.close())
  const failure = await page.evaluate(async () => {
    const db = await window.library.open({ storage: 'memory', codebook: 'none' })
    const failure = await window.library.failure(db.observe('Known after.'))
    await db.close()
    return failure
  })
  expect(failure).toBeUndefined()
})

test('every tab is told, and refused, when site data is cleared', async ({ context }) => {
  const pages = [await opened(context, 'tabs'), await opened(context, 'tabs')]
  await observed(pages[0], 'Known to both.')
  await clearSiteData(context, pages[0])
  for (const page of pages) {
    await expect.poll(() => kinds(page)).toContain('storageDeleted')
    expect((await observed(page, 'Written after it was cleared.'))?.code).toBe('AGIDB_DELETED')
  }
})
