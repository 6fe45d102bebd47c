import { expect, type BrowserContext, type Page } from '@playwright/test'
import { test } from './profile.js'
import { serve } from './serve.js'

/** So many that an export comes in hundreds of chunks, and an import in several commits. */
const EPISODES = 3_000

let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})

/** A tab with a database. */
async function opened(context: BrowserContext, name: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${server.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  await page.evaluate(async (name) => {
    window.kept = { db: await window.library.open({ name, codebook: 'none' }) }
  }, name)
  return page
}

/** Two tabs with the same database; the second does not own it, and keeps an export of another one. */
async function twoTabs(context: BrowserContext, name: string): Promise<[owner: Page, client: Page]> {
  const [owner, client] = [await opened(context, name), await opened(context, name)]
  expect(await client.evaluate(async () => (await window.kept.db.stats()).role)).toBe('client')
  await client.evaluate(async (count) => {
    const other = await window.library.open({ storage: 'memory', codebook: 'none' })
    await other.observeMany(window.library.observations(count, 'n'))
    window.kept.bytes = await new Response(await other.export()).blob()
    await other.close()
  }, EPISODES)
  return [owner, client]
}

const listed = (page: Page) =>
  page.evaluate(async () => {
    const found: string[] = []
    for await (const page of window.kept.db.episodes({ limit: 1_000 })) found.push(...page.map(({ id }) => id))
    return found
  })

const ALL = Array.from({ length: EPISODES }, (_, i) => `n${i}`)

for (const passphrase of [undefined, 'six words that nobody will guess']) {
  test(`a tab that does not own the database imports and exports it (${passphrase ? 'encrypted' : 'plain'})`, async ({
    context,
  }) => {
    const [owner, client] = await twoTabs(context, 'transfer')
    const report = await client.evaluate(() => window.kept.db.import(window.kept.bytes!))
    expect(report).toMatchObject({ format: 'agidb', episodes: EPISODES })
    expect(await listed(owner)).toEqual(ALL)
    const { size, found, refused } = await client.evaluate(async (passphrase) => {
      const pieces: Uint8Array<ArrayBuffer>[] = []
      const stream = await window.kept.db.export({ passphrase })
      for (const reader = stream.getReader(); ; ) {
        const { done, value } = await reader.read()
        if (done) break
        pieces.push(value as Uint8Array<ArrayBuffer>)
      }
      const bytes = new Blob(pieces)
      const other = await window.library.open({ storage: 'memory', codebook: 'none' })
      const refused = passphrase && (await window.library.failure(other.import(bytes)))?.code
      const { episodes } = await other.import(bytes, { passphrase })
      await other.close()
      return { size: bytes.size, found: episodes, refused }
    }, passphrase)
    expect(found).toBe(EPISODES)
    expect(size).toBeGreaterThan(1_000 * EPISODES)
    if (passphrase) expect(refused).toBe('AGIDB_PASSPHRASE')
  })
}

test('an import through another tab that is aborted in its midst changes nothing', async ({ context }) => {
  const [owner, client] = await twoTabs(context, 'transfer')
  await owner.evaluate(() => window.kept.db.observe('stays', { id: 'stays' }))
  const failure = await client.evaluate(() => {
    const controller = new AbortController()
    const done = ({ done }: { readonly done: number }) => done > 0 && controller.abort()
    return window.library.failure(
      window.kept.db.import(window.kept.bytes!, { replace: true, signal: controller.signal, onProgress: done }),
    )
  })
  expect(failure?.code).toBe('AGIDB_ABORTED')
  expect(await listed(client)).toEqual(['stays'])
})

test('the owner dies in the midst of an import of another tab: it takes effect once', async ({ context }) => {
  const [owner, client] = await twoTabs(context, 'transfer')
  await client.evaluate(() => {
    const { db, bytes } = window.kept
    window.kept.call = db.import(bytes!, { onProgress: ({ done }) => (window.kept.done = done) })
  })
  await client.waitForFunction(() => (window.kept.done ?? 0) > 0)
  await owner.close()
  expect(await client.evaluate(() => window.kept.call)).toMatchObject({ format: 'agidb', episodes: EPISODES })
  expect(await listed(client)).toEqual(ALL)
  expect(await client.evaluate(async () => (await window.kept.db.stats()).role)).toBe('owner')
})

test('the owner dies in the midst of an export of another tab: the export is whole', async ({ context }) => {
  const [owner, client] = await twoTabs(context, 'transfer')
  await client.evaluate(async () => {
    await window.kept.db.import(window.kept.bytes!)
    window.kept.call = window.kept.db.export().then((stream) => new Response(stream).arrayBuffer())
  })
  await owner.close()
  const { episodes } = await client.evaluate(async () => {
    const bytes = (await window.kept.call) as ArrayBuffer
    const other = await window.library.open({ storage: 'memory', codebook: 'none' })
    return other.import(new Uint8Array(bytes))
  })
  expect(episodes).toBe(EPISODES)
})
