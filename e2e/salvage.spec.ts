import { expect, type BrowserContext, type Page } from '@playwright/test'
import { test } from './profile.js'
import { serve } from './serve.js'

const EPISODES = 600

let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})

/** A page with a closed database of so many episodes, a goal and a belief. */
async function pageWithMemory(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${server.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  await page.evaluate(async (count) => {
    const db = await window.library.open({ name: 'broken', codebook: 'none' })
    for (const item of window.library.observations(count, 'n')) void db.observe(item.text, { id: item.id })
    await db.setGoal({ description: 'check the tanks' })
    await db.assertBelief({ claim: 'the valve holds', evidence: ['n3'] })
    await db.flush()
    await db.close()
  }, EPISODES)
  return page
}

const failure = (page: Page) =>
  page.evaluate(() => window.library.failure(window.library.open({ name: 'broken', codebook: 'none' })))

/** What the files of the database are, by name. */
const digests = (page: Page) =>
  page.evaluate(async () => {
    const digest = async (file: { arrayBuffer(): Promise<ArrayBuffer> }) =>
      new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer())).join()
    return Object.fromEntries(
      await Promise.all((await window.library.files('broken')).map(async (file) => [file.name, await digest(file)])),
    )
  })

/** Salvages the database, and imports what is brought out into another. */
const salvaged = (page: Page, passphrase?: string) =>
  page.evaluate(async (passphrase) => {
    const { report, memory, files } = await window.library.salvage('broken', passphrase)
    const db = await window.library.open({ name: 'mended', codebook: 'none' })
    const imported = await db.import(memory, { passphrase, replace: true })
    const ids: string[] = []
    for await (const page of db.episodes({ limit: 1_000 })) ids.push(...page.map(({ id }) => id))
    const goals = (await db.activeGoals()).map(({ description }) => description)
    const best = (await db.recall('Note 7: which valve was checked?', { k: 3 })).matches.map(({ id }) => id)
    await db.close()
    const digest = async (file: { arrayBuffer(): Promise<ArrayBuffer> }) =>
      new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer())).join()
    return {
      report,
      imported,
      ids,
      goals,
      best,
      kept: Object.fromEntries(await Promise.all(files.map(async (file) => [file.name, await digest(file)]))),
    }
  }, passphrase)

test('open of a damaged journal without a mirror names salvage, which exports the intact rows', async ({ context }) => {
  const page = await pageWithMemory(context)
  const half = await page.evaluate(async () =>
    Math.floor((await window.library.files('broken')).find(({ name }) => name === 'journal.agidb')!.size / 2),
  )
  await page.evaluate(async (half) => {
    await window.library.overwrite('broken', 'journal.agidb', [
      [0, 200],
      [half, 10_000],
    ])
    await new Promise<void>((resolve, reject) => {
      const request = indexedDB.deleteDatabase('agidb:broken')
      request.onsuccess = () => resolve()
      request.onerror = () => reject(new Error('not deleted'))
    })
  }, half)
  const before = await digests(page)
  const refused = await failure(page)
  expect(refused).toMatchObject({ code: 'AGIDB_FOREIGN_FILE', message: expect.stringContaining('Agidb.salvage') })

  const { report, imported, ids, goals, best, kept } = await salvaged(page)
  expect(report).toMatchObject({ fromCopy: 0, episodes: ids.length, damages: expect.any(Number) })
  expect(imported).toMatchObject({ episodes: report.episodes, records: report.records })
  expect(report.episodes).toBeGreaterThan(EPISODES / 2)
  expect(report.episodes).toBeLessThan(EPISODES)
  expect(report.unread.some(({ file, at, bytes }) => file === 'journal.agidb' && at <= half && at + bytes > half)).toBe(
    true,
  )
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !/^n\d+$/.test(id))).toEqual([])
  expect(goals).toEqual(['check the tanks'])
  expect(best).toContain('n7')
  expect(kept['journal.agidb']).toBe(before['journal.agidb'])
  const { 'salvaged.agidb': _, ...after } = await digests(page)
  expect(after).toEqual(before)
  expect(await failure(page)).toEqual(refused)
})

test('a journal of which nothing is left is brought out of its copy; encrypted if wished', async ({ context }) => {
  const page = await pageWithMemory(context)
  await page.evaluate(async () => {
    const { size } = (await window.library.files('broken')).find(({ name }) => name === 'journal.agidb')!
    const most = 65_536 // random bytes at a time
    const stretches = Array.from({ length: Math.ceil(size / most) }, (_, i): [number, number] => [
      i * most,
      Math.min(most, size - i * most),
    ])
    await window.library.overwrite('broken', 'journal.agidb', stretches)
  })
  expect((await failure(page))?.message).toContain('Agidb.salvage')
  const { report, ids, goals } = await salvaged(page, 'six words that nobody will guess')
  expect(report).toMatchObject({ episodes: EPISODES, setAside: 0 })
  expect(report.fromCopy).toBe(report.episodes + report.records)
  expect(ids).toHaveLength(EPISODES)
  expect(goals).toEqual(['check the tanks'])
})

/** Repairs the database, opens it and adds to it; opens it again. */
const repaired = (page: Page) =>
  page.evaluate(async () => {
    const { report, kept, files } = await window.library.salvage('broken', undefined, true)
    const options = { name: 'broken', codebook: 'none' } as const
    const first = await window.library.open(options)
    const { problems } = await first.verify()
    await first.observe('Ada moved to Zanzibar.', { id: 'added' })
    await first.close()
    const db = await window.library.open(options)
    const ids: string[] = []
    for await (const page of db.episodes({ limit: 1_000 })) ids.push(...page.map(({ id }) => id))
    const goals = (await db.activeGoals()).map(({ description }) => description)
    const best = (await db.recall('Who moved to Zanzibar?', { k: 1 })).matches.map(({ id }) => id)
    await db.close()
    const tables = (await indexedDB.databases())
      .map(({ name }) => name)
      .filter((name) => name?.startsWith('agidb:broken'))
    return { report, kept, files: files.map(({ name }) => name), problems, ids, goals, best, tables }
  })

test('a repaired database opens with all readable rows; damaged files and mirror are kept', async ({ context }) => {
  const page = await pageWithMemory(context)
  const size = await page.evaluate(
    async () => (await window.library.files('broken')).find(({ name }) => name === 'journal.agidb')!.size,
  )
  await page.evaluate(
    async (half) =>
      window.library.overwrite('broken', 'journal.agidb', [
        [0, 200],
        [half, 10_000],
      ]),
    size >> 1,
  )
  const before = await digests(page)
  expect((await failure(page))?.message).toContain('Agidb.salvage')
  const { report, kept, files, problems, ids, goals, best, tables } = await repaired(page)
  expect(report).toMatchObject({ episodes: EPISODES, setAside: 0 })
  expect([new Set(ids).size, ids.length, goals, best, problems]).toEqual([
    EPISODES + 1,
    EPISODES + 1,
    ['check the tanks'],
    ['added'],
    [],
  ])
  expect(tables).toEqual(['agidb:broken', expect.stringMatching(/^agidb:broken#[0-9a-f]{32}$/)])
  expect([kept, files]).toEqual([
    [`journal.agidb: ${size} bytes of torn.agidb from byte 0 on`],
    expect.arrayContaining(['torn.agidb']),
  ])
  const digest = await page.evaluate(async (size) => {
    const torn = (await window.library.files('broken')).find(({ name }) => name === 'torn.agidb')!
    return new Uint8Array(await crypto.subtle.digest('SHA-256', await torn.slice(0, size).arrayBuffer())).join()
  }, size)
  expect(digest).toBe(before['journal.agidb'])
})

test('a database of which nothing can be read is empty when it is repaired, and its files are kept', async ({
  context,
}) => {
  const page = await pageWithMemory(context)
  const size = await page.evaluate(async () => {
    const { size } = (await window.library.files('broken')).find(({ name }) => name === 'journal.agidb')!
    const most = 65_536 // random bytes at a time
    const stretches = Array.from({ length: Math.ceil(size / most) }, (_, i): [number, number] => [
      i * most,
      Math.min(most, size - i * most),
    ])
    await window.library.overwrite('broken', 'journal.agidb', stretches)
    await new Promise<void>((resolve, reject) => {
      const request = indexedDB.deleteDatabase('agidb:broken')
      request.onsuccess = () => resolve()
      request.onerror = () => reject(new Error('not deleted'))
    })
    return size
  })
  expect(await page.evaluate(() => window.library.failure(window.library.salvage('broken')))).toMatchObject({
    code: 'AGIDB_CORRUPT',
  })
  const { report, kept, problems, ids, goals } = await repaired(page)
  expect(report).toMatchObject({ episodes: 0, records: 0, fromCopy: 0 })
  expect([ids, goals, problems, kept]).toEqual([
    ['added'],
    [],
    [],
    [`journal.agidb: ${size} bytes of torn.agidb from byte 0 on`],
  ])
})

test('what is not there, is open, or is no name is not salvaged', async ({ context }) => {
  const page = await pageWithMemory(context)
  const code = (name: unknown) =>
    page.evaluate(
      (name) => window.library.failure(window.library.salvage(name as string)).then((failure) => failure?.code),
      name,
    )
  expect(await code('nothing')).toBe('AGIDB_NOT_FOUND')
  expect(await code('')).toBe('AGIDB_INVALID_ARGUMENT')
  expect(await code(7)).toBe('AGIDB_INVALID_ARGUMENT')
  await page.evaluate(async () => {
    window.kept = { db: await window.library.open({ name: 'broken', codebook: 'none' }) }
  })
  expect(await code('broken')).toBe('AGIDB_IN_USE')
  await page.evaluate(() => window.kept.db.close())
  // One that is well is brought out whole.
  expect((await salvaged(page)).report).toMatchObject({ episodes: EPISODES, damages: 0, setAside: 0, unsigned: 0 })
})
