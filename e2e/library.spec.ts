import { expect, type BrowserContext, type Page } from '@playwright/test'
import { test } from './profile.js'
import { serve } from './serve.js'

let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})

async function libraryPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${server.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  return page
}

test('what was observed is recalled, and is there when it is opened again', async ({ context }) => {
  const page = await libraryPage(context)
  const first = await page.evaluate(async () => {
    const db = await window.library.open({ name: 'again' })
    await db.observe('Sarah recommended Bawri, a thai place in Bandra.', {
      speaker: 'Sarah',
      at: '2026-05-01T19:00:00Z',
    })
    await db.observeMany(window.library.observations(20, 'n'))
    const stats = await db.stats()
    await db.close()
    return stats
  })
  expect(first).toMatchObject({ episodes: 21, kernel: 'wasm-simd', durability: 'strict' })
  await page.reload()
  const recalled = await page.evaluate(async () => {
    const db = await window.library.open({ name: 'again' })
    const { matches } = await db.recall('what thai place was mentioned?', { k: 3 })
    await db.close()
    return matches
  })
  expect(recalled[0]).toMatchObject({
    text: 'Sarah recommended Bawri, a thai place in Bandra.',
    speaker: 'Sarah',
    at: '2026-05-01T19:00:00.000Z',
  })
})

test('with relaxed durability what was acknowledged is there when the page ends in the same moment', async ({
  context,
}) => {
  const page = await libraryPage(context)
  const durability = await page.evaluate(async () => {
    const db = await window.library.open({ name: 'relaxed', durability: 'relaxed' })
    for (const { text, ...context } of window.library.observations(100, 'n')) await db.observe(text, context)
    return (await db.stats()).durability
  })
  await page.close()
  expect(durability).toBe('relaxed')
  const next = await libraryPage(context)
  const strict = await next.evaluate(async () => {
    const db = await window.library.open({ name: 'relaxed' })
    const { episodes, durability, opening } = await db.stats()
    await db.close()
    return { episodes, durability, torn: opening.filter(({ kind }) => kind === 'torn-tail') }
  })
  expect(strict).toEqual({ episodes: 100, durability: 'strict', torn: [] })
})

test('in memory, in a page: nothing is kept', async ({ context }) => {
  const page = await libraryPage(context)
  const durability = await page.evaluate(async () => {
    const db = await window.library.open({ storage: 'memory' })
    await db.observe('Gone soon.')
    const { durability } = await db.stats()
    await db.close()
    return durability
  })
  expect(durability).toBe('memory')
})

test('errors cross the worker with code, message and details', async ({ context }) => {
  const page = await libraryPage(context)
  const failures = await page.evaluate(async () => {
    const { failure, open } = window.library
    const db = await open({ storage: 'memory' })
    const found = {
      emptyText: await failure(db.observe('   ')),
      unknownOption: await failure(db.recall('x', { depth: 3 } as object)),
      tooLarge: await failure(db.observe('x'.repeat(70_000))),
      surrogate: await failure(db.observe('half \ud800 pair')),
      time: await failure(db.observe('x', { at: 'soon' })),
      function: await failure(db.observe('x', { speaker: (() => 'x') as unknown as string })),
      openUnknown: await failure(open({ path: '/tmp' } as never)),
      openNothing: await failure(open({} as never)),
      openBoth: await failure(open({ name: 'x', storage: 'memory' } as never)),
      openClock: await failure(open({ storage: 'memory', clock: () => 0 })),
      openLimits: await failure(open({ storage: 'memory', limits: { words: 3 } as object })),
    }
    await db.close()
    return { ...found, closed: await failure(db.observe('late')) }
  })
  const codes = Object.fromEntries(Object.entries(failures).map(([name, error]) => [name, error?.code]))
  expect(codes).toEqual({
    emptyText: 'AGIDB_INVALID_TEXT',
    unknownOption: 'AGIDB_UNKNOWN_OPTION',
    tooLarge: 'AGIDB_TOO_LARGE',
    surrogate: 'AGIDB_INVALID_TEXT',
    time: 'AGIDB_INVALID_TIME',
    function: 'AGIDB_INVALID_ARGUMENT',
    openUnknown: 'AGIDB_UNKNOWN_OPTION',
    openNothing: 'AGIDB_INVALID_ARGUMENT',
    openBoth: 'AGIDB_INVALID_ARGUMENT',
    openClock: 'AGIDB_INVALID_ARGUMENT',
    openLimits: 'AGIDB_UNKNOWN_OPTION',
    closed: 'AGIDB_CLOSED',
  })
  expect(failures.unknownOption).toMatchObject({
    message: expect.stringContaining('depth'),
    details: { option: 'depth' },
  })
})

test('the kernel can be given, or be the TypeScript one; a wrong one is refused', async ({ context }) => {
  const page = await libraryPage(context)
  const answers = await page.evaluate(async () => {
    const { failure, open } = window.library
    const url = new URL('/src/kernel/built/agidb_kernel_bg.wasm', location.href)
    const bytes = await (await fetch(url)).arrayBuffer()
    const kernels: string[] = []
    for (const options of [
      { kernel: url },
      { kernel: bytes },
      { kernel: await WebAssembly.compile(bytes) },
      { referenceKernel: true },
    ]) {
      const db = await open({ storage: 'memory', ...options })
      kernels.push((await db.stats()).kernel)
      await db.close()
    }
    return { kernels, wrong: await failure(open({ storage: 'memory', kernel: new Uint8Array([1, 2, 3]) })) }
  })
  expect(answers.kernels).toEqual(['wasm-simd', 'wasm-simd', 'wasm-simd', 'reference'])
  expect(answers.wrong?.code).toBe('AGIDB_KERNEL')
})

test('a worker that is terminated: calls fail with AGIDB_WORKER, and nothing acknowledged is lost', async ({
  context,
}) => {
  const page = await libraryPage(context)
  const seen = await page.evaluate(async () => {
    const { failure, observations, openWithWorker } = window.library
    const { db, worker } = await openWithWorker({ name: 'killed' })
    await db.observeMany(observations(300, 'safe'))
    const waiting = [
      failure(db.observeMany(observations(5_000, 'lost'))),
      failure(db.recall('the valve')),
      failure(db.stats()),
    ]
    worker.terminate()
    const pending = await Promise.all(waiting)
    const later = await failure(db.observe('too late'))
    await db.close()
    return { pending: pending.map((error) => error?.code), later: later?.code }
  })
  expect(seen).toEqual({ pending: ['AGIDB_WORKER', 'AGIDB_WORKER', 'AGIDB_WORKER'], later: 'AGIDB_WORKER' })
  const kept = await page.evaluate(async () => {
    const db = await window.library.open({ name: 'killed' })
    const ids: string[] = []
    for await (const episodes of db.episodes({ limit: 1_000 })) ids.push(...episodes.map(({ id }) => id))
    await db.close()
    return ids
  })
  expect(kept.filter((id) => id.startsWith('safe'))).toHaveLength(300)
})

test('a worker that cannot start is told apart from a database that cannot open', async ({ context }) => {
  const page = await libraryPage(context)
  const failures = await page.evaluate(async () => {
    const { failure, open } = window.library
    const from = (source: string) =>
      new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })), { type: 'module' })
    return {
      missing: await failure(
        open({ storage: 'memory', worker: () => new Worker('/nowhere/engine.js', { type: 'module' }) }),
      ),
      throws: await failure(open({ storage: 'memory', worker: () => from('throw new Error("broken build")') })),
      factory: await failure(
        open({
          storage: 'memory',
          worker: () => {
            throw new Error('no workers today')
          },
        }),
      ),
    }
  })
  expect(failures.missing?.code).toBe('AGIDB_WORKER')
  expect(failures.throws).toMatchObject({ code: 'AGIDB_WORKER', message: expect.stringContaining('broken build') })
  expect(failures.factory).toMatchObject({ code: 'AGIDB_WORKER', message: expect.stringContaining('no workers today') })
})

test('a tab that crashes while it writes loses nothing that was acknowledged', async ({ context }) => {
  const page = await libraryPage(context)
  const acknowledged: string[] = []
  await page.exposeFunction('acknowledged', (id: string) => void acknowledged.push(id))
  const crashed = page.waitForEvent('crash')
  await page.evaluate(async () => {
    const db = await window.library.open({ name: 'crash' })
    const write = async () => {
      for (let i = 0; ; i++)
        await window.acknowledged(await db.observe(`Reading ${i} of the gauge.`, { id: `reading-${i}` }))
    }
    void write()
  })
  await expect.poll(() => acknowledged.length).toBeGreaterThan(50)
  const cdp = await context.newCDPSession(page)
  void cdp.send('Page.crash').catch(() => {})
  await crashed
  const written = [...acknowledged]
  const next = await libraryPage(context)
  const lost = await next.evaluate(async (ids) => {
    const db = await window.library.open({ name: 'crash' })
    const episodes = await Promise.all(ids.map((id) => db.getEpisode(id)))
    await db.close()
    return ids.filter((_, i) => episodes[i] === undefined)
  }, written)
  expect(lost).toEqual([])
})

test('an abort ends a long observation, keeps what was acknowledged, and leaves the database usable', async ({
  context,
}) => {
  const page = await libraryPage(context)
  const seen = await page.evaluate(async () => {
    const { failure, observations, open } = window.library
    const db = await open({ storage: 'memory' })
    const controller = new AbortController()
    let done = 0
    const onProgress = (progress: { done: number }) => {
      done = progress.done
      controller.abort()
    }
    const error = await failure(db.observeMany(observations(10_000, 'n'), { signal: controller.signal, onProgress }))
    await db.observe('Still usable.')
    const { episodes } = await db.stats()
    await db.close()
    return { error, done, episodes }
  })
  expect(seen.error).toMatchObject({ code: 'AGIDB_ABORTED', details: { observed: seen.episodes - 1 } })
  expect(seen.episodes).toBeGreaterThan(seen.done)
  expect(seen.episodes).toBeLessThan(10_000)
})

test('a recall is answered while a long observation is under way', async ({ context }) => {
  const page = await libraryPage(context)
  const order = await page.evaluate(async () => {
    const { observations, open } = window.library
    const db = await open({ storage: 'memory' })
    await db.observe('The valve is open.')
    const ended: string[] = []
    const writing = db.observeMany(observations(5_000, 'n')).then(() => ended.push('observeMany'))
    await db.recall('is the valve open?').then(() => ended.push('recall'))
    await writing
    await db.close()
    return ended
  })
  expect(order).toEqual(['recall', 'observeMany'])
})
