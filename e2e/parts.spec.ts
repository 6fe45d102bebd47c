import { expect, type Page } from '@playwright/test'
import { test } from './profile.js'
import { serve } from './serve.js'

const PARTS = /\/(?:runtimes\/browser\/built\/[^/]*\.js|kernel\/built\/agidb_graphs_bg\.wasm)/
const TEXT = 'Sarah recommended Bawri, a thai place in Bandra.'

let server: Awaited<ReturnType<typeof serve>>
test.beforeAll(async () => {
  server = await serve()
})

async function libraryPage(page: Page): Promise<string[]> {
  const fetched: string[] = []
  page.context().on('request', (request) => {
    const [path] = PARTS.exec(request.url()) ?? []
    if (path !== undefined) fetched.push(path.replace(/^.*\//, ''))
  })
  await page.goto(`${server.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  return fetched
}

test('the first answer waits for no part that it does not need', async ({ page }) => {
  const fetched = await libraryPage(page)
  const answer = await page.evaluate(async (text) => {
    const db = await window.library.open({ storage: 'memory', codebook: 'none' })
    await db.observe(text)
    const { matches } = await db.recall('what thai place was mentioned?')
    return matches[0].text
  }, TEXT)
  expect(answer).toBe(TEXT)
  expect(fetched).toEqual([])
})

test('all parts are fetched a while after opening, and used when the network is gone', async ({ page, context }) => {
  const fetched = await libraryPage(page)
  await page.evaluate(async (text) => {
    const db = await window.library.open({ storage: 'memory', codebook: 'none' })
    await db.observe(text)
    Object.assign(window, { db })
  }, TEXT)
  await expect
    .poll(() => fetched.sort())
    // The rules because there is a text to be read.
    .toEqual([
      'agidb_graphs_bg.wasm',
      'believing.js',
      'codebook.js',
      'concepts.js',
      'consolidation.js',
      'contrast.js',
      'documents.js',
      'encryption.js',
      'expectation.js',
      'extraction.js',
      'floors.js',
      'forgetting.js',
      'goals.js',
      'graph.js',
      'graphs.js',
      'html.js',
      'lasting.js',
      'markdown.js',
      'mirroring.js',
      'occasional.js',
      'particulars.js',
      'pools.js',
      'portable.js',
      'procedures.js',
      'rules.js',
      'salvage.js',
      'self.js',
      'sequence.js',
      'sync.js',
      'time.js',
      'translations.js',
      'walk.js',
    ])
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  const answer = await page.evaluate(async (text) => {
    const { db } = window as unknown as { db: Awaited<ReturnType<typeof window.library.open>> }
    const { matches } = await db.recall('what was mentioned today?')
    const statement = { subject: 'Bawri', predicate: 'is in', object: 'Bandra' }
    return {
      best: matches[0].text,
      surprise: await db.surpriseScore({ modality: 'text', text }),
      likeness: await db.selfSimilarity(text),
      signatureBytes: (await db.tripleToSignature(statement)).length,
      goal: (await db.setGoal({ description: 'eat in Bandra' })).slice(0, 3),
      procedure: (await db.learnProcedure({ name: 'dine', trigger: 'when hungry', steps: ['book'] })).slice(0, 3),
      isKnown: (await db.concept('Zanzibar')) !== undefined,
      // The episode, the goal and the procedure, for another device.
      changes: await db.changes().then(({ count, more }) => ({ count, more })),
      refused: await db.apply(new Uint8Array(40)).catch(({ code }: { code: string }) => code),
    }
  }, TEXT)
  expect(answer).toEqual({
    best: TEXT,
    surprise: 0,
    likeness: 0,
    signatureBytes: 1024,
    goal: 'go_',
    procedure: 'pr_',
    isKnown: false,
    changes: { count: 3, more: false },
    refused: 'AGIDB_FOREIGN_FILE',
  })
})

test('a call that needs a part which cannot be fetched says so, and works once it can', async ({ page, context }) => {
  await libraryPage(page)
  await context.route(PARTS, (route) => route.abort('internetdisconnected'))
  const ask = (cue: string) =>
    page.evaluate(async (cue) => {
      const { db } = window as unknown as { db: Awaited<ReturnType<typeof window.library.open>> }
      return db.recall(cue).then(
        ({ matches }) => matches[0].text,
        (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
      )
    }, cue)
  await page.evaluate(async (text) => {
    const db = await window.library.open({ storage: 'memory', codebook: 'none' })
    await db.observe(text)
    Object.assign(window, { db })
  }, TEXT)
  expect(await ask('what was mentioned today?')).toMatch(
    /^AGIDB_WORKER: a part .* serve time\.js of this version at http/,
  )
  expect(await ask('what thai place was mentioned?')).toBe(TEXT)
  await context.unroute(PARTS)
  expect(await ask('what was mentioned today?')).toBe(TEXT)
})

test('graphs are refused while their WebAssembly cannot be fetched, and answer once it can', async ({
  page,
  context,
}) => {
  await libraryPage(page)
  await context.route(/agidb_graphs_bg\.wasm/, (route) => route.abort('internetdisconnected'))
  const ask = () =>
    page.evaluate(async () => {
      const { db } = window as unknown as { db: Awaited<ReturnType<typeof window.library.open>> }
      const answer = await db.recall('who leads Apollo?')
      const entities = await db.graph.entities().then(
        (found) => JSON.stringify(found),
        (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
      )
      return { best: answer.matches[0].text, entities, memory: (await db.stats()).memoryParts }
    })
  await page.evaluate(async () => {
    const db = await window.library.open({ storage: 'memory', codebook: 'none' })
    const triples = [{ subject: 'Ann', predicate: 'leads', object: 'Apollo' }]
    await db.observe('Ann leads Apollo.', { triples })
    Object.assign(window, { db })
  })
  const without = await ask()
  expect(without.best).toBe('Ann leads Apollo.')
  expect(without.entities).toMatch(/^AGIDB_WORKER: a part .* serve agidb_graphs_bg\.wasm of this version at http/)
  await context.unroute(/agidb_graphs_bg\.wasm/)
  const answered = await ask()
  expect(answered.best).toBe('Ann leads Apollo.')
  expect(answered.entities).toContain('"Apollo"')
  // The graphs have a memory of their own, which is counted with the indexes; that of the kernel is as it was.
  expect(answered.memory.kernel).toBe(without.memory.kernel)
  expect(answered.memory.indexes - without.memory.indexes).toBeGreaterThan(2 ** 16)
})
