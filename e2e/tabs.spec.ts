import { expect, type BrowserContext, type Page } from '@playwright/test'
import { test } from './profile.js'
import { serve } from './serve.js'

let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})
test.afterAll(() => server.close())

/** A tab with the library. */
async function tab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${server.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  return page
}

/** A tab that has a database open, and keeps what it is told of changes. */
async function opened(context: BrowserContext, name: string, options: object = {}): Promise<Page> {
  const page = await tab(context)
  await page.evaluate(async ([name, options]) => {
    const db = await window.library.open({ name, ...options })
    window.kept = { db, changes: [] }
    db.subscribe((change) => window.kept.changes!.push(change))
  }, [name, options] as const)
  return page
}

const role = (page: Page) => page.evaluate(async () => (await window.kept.db.stats()).role)

test('two tabs have the same memory: each sees what the other learned, and is told of it', async ({ context }) => {
  const one = await opened(context, 'two', { writer: 'one' })
  const two = await opened(context, 'two', { writer: 'two' })
  expect([await role(one), await role(two)]).toEqual(['owner', 'client'])

  const first = await one.evaluate(() => window.kept.db.observe('Sarah recommended Bawri, a thai place in Bandra.'))
  const found = await two.evaluate(() => window.kept.db.recall('which thai place?', { traceAttention: true }))
  expect(found.matches[0].id).toBe(first)
  const second = await two.evaluate(() => window.kept.db.observe('The valve was opened at noon.'))
  const goal = await two.evaluate(() => window.kept.db.setGoal({ description: 'eat well' }))
  const episode = await one.evaluate((id) => window.kept.db.getEpisode(id), second)
  expect(episode).toMatchObject({ text: 'The valve was opened at noon.', provenance: { writer: 'two' } })
  expect(await one.evaluate(async () => (await window.kept.db.activeGoals()).map(({ description }) => description))).toEqual(['eat well'])

  for (const page of [one, two]) {
    const own = page === two
    await expect.poll(() => page.evaluate(() => window.kept.changes!.length)).toBe(4)
    expect(await page.evaluate(() => window.kept.changes)).toMatchObject([
      { kind: 'episodeStored', ids: [first], writer: 'one', own: !own },
      { kind: 'attentionTraced', writer: 'two', own },
      { kind: 'episodeStored', ids: [second], writer: 'two', own },
      { kind: 'goalSet', ids: [goal, expect.any(String)], writer: 'two', own },
    ])
  }
})

/** How long the eight tabs work, in seconds: 15, or as long as `npm run test:tabs` says. */
const SECONDS = Number(process.env['AGIDB_TABS_SECONDS'] ?? 15)
const KILL_EVERY_MS = 5000
const TABS = 8

test('eight tabs write and recall while their owner is killed again and again: nothing is lost, nothing is doubled', async ({ context }) => {
  test.setTimeout(180_000 + 3_000 * SECONDS)
  const tabs = new Map<string, Page>()
  const stored = new Map<string, string>()
  const goals: string[] = []
  const calls = new Map<string, [number, number][]>()
  const failures: string[] = []
  let opened = 0

  const open = async () => {
    const name = `tab${opened++}`
    const page = await context.newPage()
    await page.goto(`${server.url}/e2e/pages/tabs.html`)
    await page.waitForFunction(() => typeof window.busy === 'object')
    await page.evaluate((name) => window.busy.start('eight', name), name)
    tabs.set(name, page)
  }
  const collect = async (name: string, page: Page) => {
    const done = await page.evaluate(() => window.busy.take())
    for (const [id, text] of Object.entries(done.stored)) {
      expect(stored.has(id), `the id ${id} was given twice`).toBe(false)
      stored.set(id, text)
    }
    goals.push(...done.goals)
    calls.set(name, [...(calls.get(name) ?? []), ...done.calls])
    failures.push(...done.failures.map((failure) => `${name}: ${failure}`))
  }
  const ownerOf = async () => {
    for (const [name, page] of tabs) {
      if ((await page.evaluate(async () => (await window.busy.db!.stats()).role)) === 'owner') return { name, page }
    }
    throw new Error('no tab is the owner')
  }

  for (let i = 0; i < TABS; i++) await open()
  const took: number[] = []
  const watch = await context.newPage()
  await watch.goto(`${server.url}/e2e/pages/tabs.html`)
  await watch.evaluate(() => { (window as any).dbg = []; (window as any).ch = new BroadcastChannel('dbg'); (window as any).ch.onmessage = (e: any) => (window as any).dbg.push(e.data) })
  const until = Date.now() + 1000 * SECONDS
  for (let kill = 0; Date.now() < until; kill++) {
    await new Promise((resolve) => setTimeout(resolve, KILL_EVERY_MS))
    const { name, page } = await ownerOf()
    await collect(name, page)
    tabs.delete(name)
    const at = Date.now()
    if (kill % 2) await page.close()
    else {
      const crashed = page.waitForEvent('crash')
      const cdp = await context.newCDPSession(page)
      void cdp.send('Page.crash').catch(() => {})
      await crashed
      void page.close()
    }
    const dead = Date.now()
    await new Promise((resolve) => setTimeout(resolve, 2500))
    console.log(kill % 2 ? 'close' : 'crash', dead - at, JSON.stringify(((await watch.evaluate(() => (window as any).dbg.splice(0))) as [string, number][]).map(([s, t]) => [s, t - at])))
    for (const [name, page] of tabs) {
      await collect(name, page)
      const [, answered] = calls.get(name)!.find(([, answered]) => answered > dead) ?? [at, Infinity]
      took.push(answered - at)
    }
    await open()
  }
  for (const page of tabs.values()) await page.evaluate(() => void (window.busy.running = false))
  await new Promise((resolve) => setTimeout(resolve, 1000))
  for (const [name, page] of tabs) await collect(name, page)
  expect(failures).toEqual([])

  const [[, page]] = tabs
  const found = await page.evaluate(async () => {
    const all: [string, string][] = []
    for await (const episodes of window.busy.db!.episodes({ limit: 1000 })) all.push(...episodes.map(({ id, text }): [string, string] => [id, text]))
    return { all, goals: (await window.busy.db!.activeGoals()).map(({ description }) => description) }
  })
  const there = new Map(found.all)
  expect(there.size).toBe(found.all.length)
  expect(new Set(there.values()).size, 'some text is there twice').toBe(there.size)
  expect([...stored].filter(([id, text]) => there.get(id) !== text), 'lost').toEqual([])
  expect(new Set(found.goals).size, 'some goal is there twice').toBe(found.goals.length)
  expect(goals.filter((goal) => !found.goals.includes(goal)), 'goals lost').toEqual([])

  const sorted = took.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
  const writes = `${stored.size} episodes and ${goals.length} goals acknowledged`
  console.log(`${TABS} tabs, ${took.length / (TABS - 1)} owners killed, ${writes}; from the kill to a tab's next answer: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(1)} ms`)
})
