import { fileURLToPath } from 'node:url'
import { expect, type BrowserContext, type Page, type Route } from '@playwright/test'
import { readLocomo } from '../bench/recall/locomo.js'
import { BUILT_CODEBOOK } from '../src/encoding/codebook/built.js'
import type { Recall } from '../src/api/recall.js'
import { Agidb } from '../src/runtimes/node/index.js'
import { test } from './profile.js'
import { serve } from './serve.js'

/** The clock of `pages/engine-at-noon.worker.ts`; not imported, since that would stop the clock here. */
const NOW = Date.UTC(2024, 11, 1, 12)
const FILE = fileURLToPath(new URL('../src/encoding/codebook/built/minilm-256.bin', import.meta.url))
const NOTE = { id: 'car', text: 'My automobile broke down near the bridge.' }

let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})

/** A page, and how often the codebook was fetched; `answer` is how the server answers from now on. */
async function codebookPage(
  context: BrowserContext,
): Promise<{ page: Page; fetched: () => number; answer: (how: (route: Route) => unknown) => void }> {
  let count = 0
  let how: (route: Route) => unknown = (route) => route.fulfill({ path: FILE })
  // Not that of its ranker, which the server has.
  await context.route(/\/(?!ranker)[^/]*\.bin/, async (route) => {
    count++
    await how(route)
  })
  const page = await context.newPage()
  await page.goto(`${server.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  return { page, fetched: () => count, answer: (next) => (how = next) }
}

const offline = (route: Route) => route.abort('internetdisconnected')

test('the same question on the same memory has the same answer as in Node, to the bit', async ({ context }) => {
  const { page } = await codebookPage(context)
  const exams = await readLocomo(fileURLToPath(new URL('../bench/data/conversations', import.meta.url)))
  for (const [name, count] of [
    ['flatmates.json', 40],
    ['familie.json', 20],
    ['vecinas.json', 10],
  ] as const) {
    const { observations, questions, unanswerable } = exams.find((exam) => exam.name === name)!
    const all = [...questions, ...unanswerable]
    const cues = Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)].cue)

    const db = await Agidb.open({ storage: 'memory', seed: 7, clock: () => NOW, autoConsolidate: false })
    await db.observeMany(observations)
    await db.recall('anything', { whole: true }) // the statements of the texts are read, too
    const recalls: Recall[] = []
    for (const cue of cues) recalls.push(await db.recall(cue, { traceAttention: true }))
    const { codebook, ranker } = await db.stats()
    await db.close()
    expect(codebook).toBe(BUILT_CODEBOOK)

    const there = await page.evaluate(([observations, cues]) => window.library.answersAtNoon(observations, cues), [
      observations,
      cues,
    ] as const)
    expect(there).toMatchObject({ codebook, ranker })
    for (const [i, cue] of cues.entries()) expect(timeless(there.recalls[i]), cue).toBe(timeless(recalls[i]))
  }
})

/** An answer as text, without the time that it took. */
function timeless(recall: Recall): string {
  return JSON.stringify({ ...recall, elapsedMs: 0 }, null, 1)
}

test('the codebook is fetched once, kept, and there without a network', async ({ context }) => {
  const { page, fetched, answer } = await codebookPage(context)
  const open = () => page.evaluate(() => window.library.codebook({ storage: 'memory' }))
  expect(await open()).toEqual({ id: BUILT_CODEBOOK, late: { episodes: 0 } })
  expect(fetched()).toBe(1)
  await expect
    .poll(() => page.evaluate(() => window.library.keptCodebooks()))
    .toEqual(['/agidb/codebook.bin', '/agidb/ranker.bin'])
  answer(offline)
  expect(await open()).toEqual({ id: BUILT_CODEBOOK })
  expect(fetched()).toBe(1)

  await page.evaluate(() => window.library.keptCodebooks(true))
  expect(await open()).toMatchObject({ id: 'none', problem: expect.stringContaining('cannot be fetched') })
  answer((route) => route.fulfill({ path: FILE }))
  // The worker may end before it has kept what it fetched: then the next one fetches it again.
  const kept = async () => {
    expect(await open()).toMatchObject({ id: BUILT_CODEBOOK })
    return page.evaluate(() => window.library.keptCodebooks())
  }
  await expect.poll(kept).toContain('/agidb/codebook.bin')
  answer(offline)
  expect(await open()).toEqual({ id: BUILT_CODEBOOK })
})

test('a memory that was written without the codebook finds by meaning once it is there', async ({ context }) => {
  const { page, answer } = await codebookPage(context)
  const open = () => page.evaluate(() => window.library.codebook({ name: 'late' }))
  answer(offline)
  await page.evaluate(async (note) => {
    const db = await window.library.open({ name: 'late' })
    await db.observeMany([note])
    await db.close()
  }, NOTE)
  expect(await open()).toMatchObject({
    id: 'none',
    problem: expect.stringContaining('cannot be fetched'),
    best: NOTE.text,
  })
  answer((route) => route.fulfill({ path: FILE }))
  expect(await open()).toMatchObject({ id: BUILT_CODEBOOK, late: { episodes: 1 }, best: NOTE.text })
})

test('a memory opens, remembers and answers before the codebook has arrived, and finds by meaning once it has', async ({
  context,
}) => {
  const { page, fetched, answer } = await codebookPage(context)
  let arrive = () => {}
  answer(async (route) => {
    await new Promise<void>((resolve) => (arrive = resolve))
    await route.fulfill({ path: FILE })
  })
  const early = await page.evaluate(async (note) => {
    const db = await window.library.open({ name: 'early' })
    window.kept = { db, changes: [] }
    db.subscribe((change) => window.kept.changes!.push(change))
    await db.observeMany([note, ...window.library.observations(100, 'n')])
    const { codebookPending } = await db.recall('who had trouble with the car?')
    return { codebookPending, stats: await db.stats() }
  }, NOTE)
  expect(early).toMatchObject({
    codebookPending: true,
    stats: { codebook: 'none', codebookPending: { phase: 'fetching', done: 0, total: 101 } },
  })
  expect(fetched()).toBe(1)
  arrive()
  const late = await page.evaluate(async () => {
    const { db, changes } = window.kept
    const { matches, codebookPending } = await db.recall('who had trouble with the car?', { whole: true })
    const { codebook, opening } = await db.stats()
    await db.flush()
    await db.close()
    return { best: matches[0].text, codebookPending, codebook, opening, told: changes!.map(({ kind }) => kind) }
  })
  expect(late).toMatchObject({
    best: NOTE.text,
    codebook: BUILT_CODEBOOK,
    told: expect.arrayContaining(['codebookReady']),
  })
  expect(late.codebookPending).toBeUndefined()
  expect(late.opening).toContainEqual(expect.objectContaining({ kind: 'codebook-late', details: { episodes: 101 } }))
  answer(offline)
  expect(await page.evaluate(() => window.library.codebook({ name: 'early' }))).toEqual({
    id: BUILT_CODEBOOK,
    best: NOTE.text,
  })
})

test('open fails without the requested codebook; its URL is fetched first, then the cached copy is used', async ({
  context,
}) => {
  const { page, fetched, answer } = await codebookPage(context)
  const open = (path: string) =>
    page.evaluate(
      (path) => window.library.codebook({ storage: 'memory', codebook: new URL(path, location.href) }),
      path,
    )
  const failure = (path: string) =>
    page.evaluate(
      (path) =>
        window.library.failure(
          window.library.open({ storage: 'memory', codebook: path === 'static' ? path : new URL(path, location.href) }),
        ),
      path,
    )
  for (let round = 1; round <= 2; round++) {
    expect(await open('/mine.bin')).toEqual({ id: BUILT_CODEBOOK })
    expect(fetched()).toBe(round)
  }
  await expect
    .poll(() => page.evaluate(() => window.library.keptCodebooks()))
    .toEqual(['/agidb/ranker.bin', '/mine.bin'])
  answer(offline)
  expect(await open('/mine.bin')).toEqual({ id: BUILT_CODEBOOK })
  expect(await failure('/other.bin')).toMatchObject({
    code: 'AGIDB_CODEBOOK',
    message: expect.stringContaining('cannot be fetched'),
  })
  expect((await failure('static'))?.code).toBe('AGIDB_CODEBOOK')
})
