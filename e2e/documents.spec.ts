import { expect } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { test } from './profile.js'
import { serve } from './serve.js'

const GUIDE = readFileSync(new URL('../docs/durability.md', import.meta.url), 'utf8')
const PAGE = `<!doctype html><title>Printer</title><nav>Home</nav><main><h1>Printer</h1>
  <p>Open the rear door &amp; pull the sheet out when paper is stuck.</p></main>`

let server: Awaited<ReturnType<typeof serve>>
test.beforeAll(async () => {
  server = await serve()
})

test('documents are read in the worker, found with their path, and there after a reload', async ({ page }) => {
  await page.goto(`${server.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  const stored = await page.evaluate(
    async ([guide, html]) => {
      const db = await window.library.open({ name: 'documents', codebook: 'none', extract: 'none' })
      const markdown = await db.entries.ingest(guide, { source: 'durability.md' })
      const again = await db.entries.ingest(guide, { source: 'durability.md' })
      const page = await db.entries.ingest(new TextEncoder().encode(html), { source: 'printer.html' })
      const [match] = await db.entries.search('paper is stuck')
      const [recalled] = (await db.recall('paper is stuck')).matches
      const slices = (await db.entries.browse({ source: 'durability.md', limit: 1_000 }))
        .filter(({ type }) => type === 'raw')
        .every(({ content, startOffset, endOffset }) => guide.slice(startOffset, endOffset) === content)
      await db.close()
      const [added, kept] = [markdown.added, again.kept]
      return { added, kept, page: page.added, path: match.entry.path, entry: recalled.entry, slices }
    },
    [GUIDE, PAGE] as const,
  )
  expect(stored).toMatchObject({ page: 1, path: 'Printer', entry: { source: 'printer.html' }, slices: true })
  expect(stored.added).toBeGreaterThan(5)
  expect(stored.kept).toBe(stored.added)

  await page.reload()
  await page.waitForFunction(() => typeof window.library === 'object')
  const kept = await page.evaluate(async () => {
    const db = await window.library.open({ name: 'documents', codebook: 'none', extract: 'none' })
    const sources = (await db.entries.sources()).map(({ source }) => source)
    const [root] = await db.entries.tree('printer.html')
    const identity = await db.entries.identity()
    await db.entries.remove({ source: 'printer.html' })
    const left = (await db.entries.search('paper is stuck', { deep: true })).map(({ entry }) => entry.source)
    await db.close()
    return { sources, root: root.entry.content, core: identity.core.length, left }
  })
  expect(kept).toMatchObject({ sources: ['durability.md', 'printer.html'] })
  expect(kept.core).toBeGreaterThan(5)
  expect(kept.root).toBe('# Printer\n\nOpen the rear door & pull the sheet out when paper is stuck.')
  expect(kept.left).not.toContain('printer.html')
})

test('two tabs store and find documents in one memory', async ({ page, context }) => {
  const other = await context.newPage()
  for (const tab of [page, other]) {
    await tab.goto(`${server.url}/e2e/pages/library.html`)
    await tab.waitForFunction(() => typeof window.library === 'object')
  }
  const ingest = (tab: typeof page, source: string, text: string) =>
    tab.evaluate(
      async ([source, text]) => {
        const db = await window.library.open({ name: 'shared-documents', codebook: 'none', extract: 'none' })
        Object.assign(window, { db })
        return (await db.entries.ingest(text, { source })).added
      },
      [source, text] as const,
    )
  expect(await ingest(page, 'durability.md', GUIDE)).toBeGreaterThan(5)
  expect(await ingest(other, 'printer.html', PAGE)).toBe(1)
  for (const tab of [page, other]) {
    const found = await tab.evaluate(async () => {
      const { db } = window as unknown as { db: Awaited<ReturnType<typeof window.library.open>> }
      const [match] = await db.entries.search('paper is stuck', { alpha: 0 })
      return { sources: (await db.entries.sources()).length, best: match.entry.source }
    })
    expect(found).toEqual({ sources: 2, best: 'printer.html' })
  }
})
