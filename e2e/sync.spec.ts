import { expect, type BrowserContext, type Page } from '@playwright/test'
import { test } from './profile.js'
import { serve } from './serve.js'

let server: Awaited<ReturnType<typeof serve>>
test.beforeAll(async () => {
  server = await serve()
})

test('two memories of a page exchange what they wrote, forget together, and know each other after a reload', async ({
  page,
}) => {
  const meet = () =>
    page.evaluate(async () => {
      const [a, b] = await Promise.all(
        ['phone', 'laptop'].map((name) => window.library.open({ name, codebook: 'none', extract: 'none' })),
      )
      const stored = await a.stats().then(({ episodes }) => episodes)
      if (stored === 0) {
        await a.observe('The office is in Oslo.', { id: 'oslo' })
        await b.observe('The dentist moved to Hill Road.', { id: 'dentist' })
      } else await b.unlearn({ episode: 'oslo' }, 'test')
      const came = { a: 0, b: 0 }
      for (let round = 0; round < 2; round++) {
        came.b += (await b.apply(await a.changes(await b.versionVector()))).added
        came.a += (await a.apply(await b.changes(await a.versionVector()))).added
      }
      const ids: string[][] = []
      for (const db of [a, b]) for await (const found of db.episodes()) ids.push(found.map(({ id }) => id))
      const vectors = await Promise.all([a.versionVector(), b.versionVector()])
      await Promise.all([a.close(), b.close()])
      return {
        came,
        ids,
        isSame: JSON.stringify(Object.entries(vectors[0]).sort()) === JSON.stringify(Object.entries(vectors[1]).sort()),
      }
    })
  await page.goto(`${server.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  const first = await meet()
  expect(first.came).toEqual({ a: 1, b: 1 })
  expect(first.ids[0]).toEqual(first.ids[1])
  expect(first.isSame).toBe(true)
  await page.reload()
  await page.waitForFunction(() => typeof window.library === 'object')
  const second = await meet()
  expect(second).toEqual({ came: { a: 0, b: 0 }, ids: [['dentist'], ['dentist']], isSame: true })
})

/** Two tabs with one memory, of which the first owns the files; it holds one episode. */
async function twoTabs(context: BrowserContext): Promise<[owner: Page, client: Page]> {
  const opened = async () => {
    const page = await context.newPage()
    await page.goto(`${server.url}/e2e/pages/library.html`)
    await page.waitForFunction(() => typeof window.library === 'object')
    await page.evaluate(async () => {
      window.kept = { db: await window.library.open({ name: 'shared', codebook: 'none', extract: 'none' }) }
    })
    return page
  }
  const [owner, client] = [await opened(), await opened()]
  expect(await client.evaluate(async () => (await window.kept.db.stats()).role)).toBe('client')
  await owner.evaluate(() => window.kept.db.observe('The office is in Oslo.', { id: 'oslo' }))
  return [owner, client]
}

const idsOf = (page: Page) =>
  page.evaluate(async () => {
    const ids: string[] = []
    for await (const found of window.kept.db.episodes()) ids.push(...found.map(({ id }) => id))
    return ids
  })

test('a tab that does not own the files syncs the memory over streams, and its owner forgets with it', async ({
  context,
}) => {
  const [owner, client] = await twoTabs(context)
  const exchanged = await client.evaluate(async () => {
    const { db } = window.kept
    const other = await window.library.open({ storage: 'memory', codebook: 'none', extract: 'none' })
    await other.observe('The dentist moved to Hill Road.', { id: 'dentist' })
    const [{ added, sent }, { added: came }] = await window.library.exchange(db, other)
    await other.unlearn({ episode: 'oslo' }, 'test')
    const [{ removed }] = await window.library.exchange(db, other)
    const ids: string[] = []
    for await (const found of other.episodes()) ids.push(...found.map(({ id }) => id))
    await other.close()
    return { added, sent, came, removed, ids }
  })
  expect(exchanged).toEqual({ added: 1, sent: 1, came: 1, removed: 1, ids: ['dentist'] })
  expect(await idsOf(owner)).toEqual(['dentist'])
  expect(await idsOf(client)).toEqual(['dentist'])
  expect(await client.evaluate(async () => (await window.kept.db.stats()).role)).toBe('client')
})

test('the owner dies in the midst of a sync of another tab: the sync goes on and nothing is lost', async ({
  context,
}) => {
  const [owner, client] = await twoTabs(context)
  await client.evaluate(async () => {
    const other = await window.library.open({ storage: 'memory', codebook: 'none', extract: 'none' })
    await other.observeMany(window.library.observations(3_000, 'n'))
    const { db } = window.kept
    window.kept.changes = []
    db.subscribe((change) => window.kept.changes?.push(change))
    // Many small pieces, so that the owner dies between two of them or in one.
    window.kept.call = window.library.exchange(db, other, 65_536).then(async () => {
      const ids: string[] = []
      for await (const found of other.episodes()) ids.push(...found.map(({ id }) => id))
      await other.close()
      return ids
    })
  })
  await client.waitForFunction(() => (window.kept.changes?.length ?? 0) > 0)
  await owner.close()
  const ids = (await client.evaluate(() => window.kept.call)) as string[]
  const kinds = await client.evaluate(() => window.kept.changes!.map(({ kind }) => kind))
  // What came after the owner had gone came by this tab.
  expect(kinds.slice(kinds.indexOf('ownerChanged'))).toContain('episodeStored')
  expect(ids).toHaveLength(3_001)
  expect(await idsOf(client)).toEqual(ids)
  expect(await client.evaluate(async () => (await window.kept.db.stats()).role)).toBe('owner')
})
