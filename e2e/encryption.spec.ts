import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type BrowserContext, type Page } from '@playwright/test'
import { holds } from '../test/bytes/forms.js'
import { contentsOf } from '../test/bytes/leveldb.js'
import { test as base } from './profile.js'
import { serve } from './serve.js'

/** What the profile of a browser holds of an encrypted memory. */

const MARKER = 'zebrafish-märker-of-an-encrypted-memory'
const EPISODES = 2000
/** Values of IndexedDB: enough for it to write tables, whose blocks are compressed. */
const VALUES = 8000

const test = base.extend<{ profile: string; start: () => Promise<BrowserContext> }>({
  profile: async ({ launchOptions: _ }, use) => {
    const profile = await mkdtemp(join(tmpdir(), 'agidb-profile-'))
    await use(profile)
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  },
  start: async ({ playwright, launchOptions, profile }, use) => {
    let context: BrowserContext | undefined
    await use(async () => (context = await playwright.chromium.launchPersistentContext(profile, launchOptions)))
    await context?.close()
  },
})

let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})

/**
 * The files of a profile that hold the marker: in UTF-8 or UTF-16, escaped, in hexadecimal digits or base64, also in
 * compressed blocks and values of IndexedDB.
 */
async function found(profile: string): Promise<string[]> {
  const entries = (await readdir(profile, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const names: string[] = []
  for (const { parentPath, name } of entries) {
    // A file may go while the browser ends.
    const bytes = await readFile(join(parentPath, name)).catch(() => Buffer.alloc(0))
    if (contentsOf(name, bytes).some((content) => holds(content, MARKER))) names.push(name)
  }
  return names
}

/** A tab in which a memory can be opened. */
async function tab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${server.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  return page
}

/** Tells a memory the marker in all that an episode has, and a session beside it; answers what is found again. */
function told(page: Page, encryption: 'none' | 'keys-beside') {
  return page.evaluate(
    async ([marker, encryption, episodes]) => {
      const open = () => window.library.open({ name: 'secret', codebook: 'none', encryption, tombstoneDays: 0 })
      const db = await open()
      await db.observeMany(
        Array.from({ length: episodes as number }, (_, i) => ({
          text: `the ${marker} number ${i} is in the tank`,
          session: `session of ${marker}`,
          speaker: marker as string,
          tags: [marker as string],
          metadata: { place: marker as string },
        })),
      )
      await db.observe('the cat is in the garden', { session: 'another' })
      await db.assertBelief({ claim: `${marker} is a fish`, confidence: 0.9 })
      await db.flush()
      await db.close()
      const again = await open()
      const { matches } = await again.recall('which number is in the tank?', { k: 1 })
      const { kind } = (await again.stats()).encryption
      await again.close()
      return { kind, found: matches[0]?.text.includes(marker as string) }
    },
    [MARKER, encryption, EPISODES] as const,
  )
}

test('without encryption what was said stands in the profile', async ({ profile, start }) => {
  test.slow()
  const context = await start()
  expect(await told(await tab(context), 'none')).toEqual({ kind: 'none', found: true })
  await context.close()
  expect((await found(profile)).length).toBeGreaterThan(1)
})

test('what stands in compressed tables of IndexedDB is found there', async ({ profile, start }) => {
  test.slow()
  const context = await start()
  const page = await tab(context)
  await page.evaluate(
    async ([marker, values]) => {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open('plain', 1)
        request.onupgradeneeded = () => request.result.createObjectStore('texts')
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error!)
      })
      const transaction = db.transaction('texts', 'readwrite', { durability: 'strict' })
      for (let i = 0; i < values; i++)
        transaction.objectStore('texts').put(`${i} ${'the same again and '.repeat(50)} ${marker}`, i)
      await new Promise((resolve) => (transaction.oncomplete = resolve))
      db.close()
    },
    [MARKER, VALUES] as const,
  )
  await context.close()
  const tables = (await found(profile)).filter((name) => name.endsWith('.ldb'))
  expect(tables.length).toBeGreaterThan(0)
})

test('a second tab needs the passphrase, and cannot change it', async ({ start }) => {
  const context = await start()
  const [first, second] = [await tab(context), await tab(context)]
  const memory = await first.evaluateHandle(async () => {
    const db = await window.library.open({ name: 'two', codebook: 'none', encryption: { passphrase: 'right' } })
    await db.observe('the cat is in the garden')
    return db
  })
  const openings = () =>
    second.evaluate(async () => {
      const next = { passphrase: 'next', replaces: { passphrase: 'right' } }
      const found: unknown[] = []
      for (const encryption of [{ passphrase: 'right' }, { passphrase: 'wrong' }, 'none', undefined, next] as const) {
        try {
          const db = await window.library.open({ name: 'two', codebook: 'none', ...(encryption && { encryption }) })
          found.push(await db.count())
          await db.close()
        } catch (error) {
          found.push((error as { code: string }).code)
        }
      }
      return found
    })
  const refused = ['AGIDB_PASSPHRASE', 'AGIDB_PASSPHRASE', 'AGIDB_PASSPHRASE']
  expect(await openings()).toEqual([1, ...refused, 'AGIDB_IN_USE'])
  await memory.evaluate((db) => db.close())
  expect(await openings()).toEqual([1, ...refused, 1])
  await context.close()
})

test('with encryption what was said stands nowhere in the profile, and nothing that was cleared comes back', async ({
  profile,
  start,
}) => {
  test.slow()
  let context = await start()
  expect(await told(await tab(context), 'keys-beside')).toEqual({ kind: 'keys-beside', found: true })
  await context.close()
  expect(await found(profile)).toEqual([])

  context = await start()
  const left = await (await tab(context)).evaluate(async (marker) => {
    const db = await window.library.open({ name: 'secret', codebook: 'none', tombstoneDays: 0 })
    await db.unlearn({ session: `session of ${marker}` }, 'asked for')
    await db.compact()
    const texts: string[] = []
    for await (const page of db.episodes()) texts.push(...page.map(({ text }) => text))
    await db.close()
    return texts
  }, MARKER)
  expect(left).toEqual(['the cat is in the garden'])
  await context.close()
  expect(await found(profile)).toEqual([])

  // As "Clear site data" of the browser does.
  context = await start()
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Storage.clearDataForOrigin', { origin: server.url, storageTypes: 'all' })
  await context.close()
  context = await start()
  const after = await (await tab(context)).evaluate(async () => {
    const db = await window.library.open({ name: 'secret', codebook: 'none' })
    const { episodes, encryption, opening } = await db.stats()
    await db.close()
    return { episodes, kind: encryption.kind, opening: opening.map(({ kind }) => kind) }
  })
  expect(after).toEqual({ episodes: 0, kind: 'none', opening: ['created'] })
  await context.close()
  expect(await found(profile)).toEqual([])
})
