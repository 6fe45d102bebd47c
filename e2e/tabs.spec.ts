import { expect, type BrowserContext, type Page } from '@playwright/test'
import { test } from './profile.js'
import { serve } from './serve.js'

let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})

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
  await page.evaluate(
    async ([name, options]) => {
      const db = await window.library.open({ name, ...options })
      window.kept = { db, changes: [] }
      // The codebook, and what is read and learned in the background, come when they come.
      db.subscribe(
        (change) =>
          void (
            ['codebookReady', 'statementsFound', 'recallsLearned'].includes(change.kind) ||
            window.kept.changes!.push(change)
          ),
      )
    },
    [name, options] as const,
  )
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
  expect(
    await one.evaluate(async () => (await window.kept.db.activeGoals()).map(({ description }) => description)),
  ).toEqual(['eat well'])

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

for (const death of ['closes', 'crashes', 'loses its worker'] as const) {
  test(`a call of another tab is answered and takes effect once when the leader ${death} during it`, async ({
    context,
  }) => {
    const one = await tab(context)
    await one.evaluate(async () => {
      window.kept = await window.library.openWithWorker({ name: 'death' })
    })
    const two = await opened(context, 'death')
    expect([await role(one), await role(two)]).toEqual(['owner', 'client'])
    await two.evaluate(() => {
      const items = window.library.observations(2_000, 'n').map(({ text }) => ({ text }))
      window.kept.call = window.kept.db.observeMany(items, { onProgress: ({ done }) => (window.kept.done = done) })
    })
    await two.waitForFunction(() => (window.kept.done ?? 0) > 0)
    if (death === 'closes') await one.close()
    else if (death === 'loses its worker') await one.evaluate(() => window.kept.worker!.terminate())
    else {
      const crashed = one.waitForEvent('crash')
      const cdp = await context.newCDPSession(one)
      void cdp.send('Page.crash').catch(() => {})
      await crashed
    }
    const { ids, found, changes } = await two.evaluate(async () => {
      const ids = (await window.kept.call) as string[]
      const found: string[] = []
      for await (const page of window.kept.db.episodes({ limit: 1_000 })) found.push(...page.map(({ id }) => id))
      return { ids, found, changes: window.kept.changes!.map(({ kind }) => kind) }
    })
    expect(ids).toHaveLength(2_000)
    expect(found).toEqual(ids)
    expect(changes).toContain('ownerChanged')
    expect(await role(two)).toBe('owner')
    if (death === 'loses its worker') {
      expect((await one.evaluate(() => window.library.failure(window.kept.db.stats())))?.code).toBe('AGIDB_WORKER')
    }
  })
}

test('a page that is about to be frozen releases the database to another tab and rejoins when it resumes', async ({
  context,
}) => {
  const one = await opened(context, 'frozen')
  const two = await opened(context, 'frozen')
  await one.evaluate(() => window.kept.db.observe('before'))
  // A headless browser freezes no page; this is what it would tell it.
  await one.evaluate(() => document.dispatchEvent(new Event('freeze')))
  await two.evaluate(() => window.kept.db.observe('meanwhile'))
  await expect.poll(() => role(two)).toBe('owner')
  await one.evaluate(() => document.dispatchEvent(new Event('resume')))
  expect(await one.evaluate(async () => (await window.kept.db.stats()).episodes)).toBe(2)
  expect(await role(one)).toBe('client')
  await two.close()
  await expect.poll(() => role(one)).toBe('owner')
})

test('an unresponsive leader is replaced, and a waiting call takes effect once', async ({ context }) => {
  const one = await tab(context)
  await one.evaluate(async () => {
    window.kept = await window.library.openSleepy({ name: 'sleepy' })
  })
  const two = await opened(context, 'sleepy')
  await two.evaluate(async () => {
    await window.kept.db.observe('before')
    new BroadcastChannel('sleep').postMessage(7_500)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await window.kept.db.observe('while it slept')
  })
  expect(await role(two)).toBe('owner')
  expect(await one.evaluate(async () => (await window.kept.db.stats()).episodes)).toBe(2)
  expect(await role(one)).toBe('client')
})

test('read only: beside an owner, as the owner, and where there is nothing to read', async ({ context }) => {
  const page = await tab(context)
  const nothing = await page.evaluate(async () => {
    const { code } = (await window.library.failure(window.library.open({ name: 'nothing', readOnly: true })))!
    const root = await navigator.storage.getDirectory()
    const folders: string[] = []
    for await (const name of root.keys()) folders.push(name)
    return { code, folders, databases: await indexedDB.databases() }
  })
  expect(nothing).toEqual({ code: 'AGIDB_NOT_FOUND', folders: [], databases: [] })

  const writer = await opened(context, 'read')
  const reader = await opened(context, 'read', { readOnly: true })
  await writer.evaluate(() => window.kept.db.observe('Sarah recommended Bawri.'))
  const refused = () => reader.evaluate(() => window.library.failure(window.kept.db.observe('no')))
  const best = () => reader.evaluate(async () => (await window.kept.db.recall('Sarah')).matches[0].text)
  expect((await refused())?.code).toBe('AGIDB_READ_ONLY')
  expect(await best()).toBe('Sarah recommended Bawri.')
  await writer.close()
  expect(await best()).toBe('Sarah recommended Bawri.')
  expect((await refused())?.code).toBe('AGIDB_READ_ONLY')
  expect(await role(reader)).toBe('owner')
  const next = await opened(context, 'read')
  await next.evaluate(() => window.kept.db.observe('The reader lets others write.'))
  expect(await reader.evaluate(async () => (await window.kept.db.stats()).episodes)).toBe(2)
})

test('a dedicated worker opens a database of its own; shared workers and service workers are refused', async ({
  context,
}) => {
  const page = await tab(context)
  const came = (kind: string) =>
    page.evaluate(async (kind) => {
      const url = window.library.userWorker(kind)
      if (kind === 'dedicated') new Worker(url, { type: 'module' })
      if (kind === 'shared') new SharedWorker(url, { type: 'module' })
      if (kind === 'service') {
        const registration = await navigator.serviceWorker.register(url, { type: 'module' })
        const worker = registration.installing ?? registration.waiting ?? registration.active!
        while (worker.state !== 'activated')
          await new Promise((resolve) => worker.addEventListener('statechange', resolve, { once: true }))
      }
      const channel = new BroadcastChannel(`user-${kind}`)
      return new Promise<string>((resolve) => {
        const ask = setInterval(() => channel.postMessage('use'), 300)
        channel.onmessage = ({ data }) => {
          clearInterval(ask)
          channel.close()
          resolve(data as string)
        }
      })
    }, kind)
  expect(await came('dedicated')).toBe('owner strict 1')
  expect(await came('shared')).toContain('AGIDB_UNSUPPORTED')
  expect(await came('service')).toContain('AGIDB_UNSUPPORTED')
})

/** When the engine of a tab had the lock and when it had the database open, for the last time, by the wall clock. */
async function steps(page: Page, since: number): Promise<[lock: number, open: number]> {
  for (const worker of page.workers()) {
    const [lock, open] = await worker.evaluate(() =>
      ['agidb: lock', 'agidb: open'].map(
        (mark) => performance.timeOrigin + (performance.getEntriesByName(mark).at(-1)?.startTime ?? NaN),
      ),
    )
    if (lock >= since) return [lock, open]
  }
  throw new Error('the owner has no engine that was opened since')
}

/** How long the eight tabs work, in seconds, as `npm run test:tabs` says; without it until three owners were killed. */
const SECONDS = Number(process.env['AGIDB_TABS_SECONDS'] ?? 0)
const KILLS = 3
/** How many calls a tab has had answered before the next owner is killed. */
const ANSWERED = 10
const TABS = 8

test('eight tabs lose no episode and duplicate none while their leader is killed again and again', async ({
  context,
}) => {
  test.setTimeout(180_000 + 3_000 * SECONDS)
  const tabs = new Map<string, Page>()
  const stored = new Map<string, string>()
  const goals: string[] = []
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
  const parts: { readonly [part in 'lock' | 'open' | 'answer']: number[] } = { lock: [], open: [], answer: [] }
  const until = Date.now() + 1000 * SECONDS
  for (let kill = 0; kill < KILLS || Date.now() < until; kill++) {
    for (const page of tabs.values())
      await page.waitForFunction((most) => window.busy.done.calls.length >= most, ANSWERED)
    const { name, page } = await ownerOf()
    await collect(name, page)
    tabs.delete(name)
    const cdp = await context.newCDPSession(page)
    const at = Date.now()
    if (kill % 2) await page.close()
    else {
      const crashed = page.waitForEvent('crash')
      void cdp.send('Page.crash').catch(() => {})
      await crashed
      void page.close()
    }
    const dead = Date.now()
    for (const [name, page] of tabs) {
      const answered = await page.waitForFunction(
        (dead) => window.busy.done.calls.find(([, answered]) => answered > dead)?.[1],
        dead,
      )
      took.push((await answered.jsonValue())! - at)
      await collect(name, page)
    }
    const [lock, opened] = await steps((await ownerOf()).page, at)
    parts.lock.push(lock - at)
    parts.open.push(opened - lock)
    parts.answer.push(...took.slice(-tabs.size).map((answered) => answered - (opened - at)))
    await open()
  }
  for (const page of tabs.values()) await page.evaluate(() => window.busy.stop())
  for (const [name, page] of tabs) await collect(name, page)
  expect(failures).toEqual([])

  const [[, page]] = tabs
  const found = await page.evaluate(async () => {
    const all: [string, string][] = []
    for await (const episodes of window.busy.db!.episodes({ limit: 1000 }))
      all.push(...episodes.map(({ id, text }): [string, string] => [id, text]))
    return { all, goals: (await window.busy.db!.activeGoals()).map(({ description }) => description) }
  })
  const there = new Map(found.all)
  expect(there.size).toBe(found.all.length)
  expect(new Set(there.values()).size, 'some text is there twice').toBe(there.size)
  expect(
    [...stored].filter(([id, text]) => there.get(id) !== text),
    'lost',
  ).toEqual([])
  expect(new Set(found.goals).size, 'some goal is there twice').toBe(found.goals.length)
  expect(
    goals.filter((goal) => !found.goals.includes(goal)),
    'goals lost',
  ).toEqual([])

  const told = (values: number[]) => {
    const sorted = values.toSorted((a, b) => a - b)
    const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))])
    return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(1)} ms`
  }
  const writes = `${stored.size} episodes and ${goals.length} goals acknowledged`
  console.log(
    `${TABS} tabs, ${took.length / (TABS - 1)} owners killed, ${writes}; from the kill to a tab's next answer: ` +
      `${told(took)}`,
  )
  console.log(
    `  from the kill to the lock: ${told(parts.lock)}; to the open database: ${told(parts.open)}; to a tab's ` +
      `answer: ${told(parts.answer)}`,
  )
})
