import { expect, type Page } from '@playwright/test'
import type { WireError } from '../src/base/errors.js'
import type { StorageRig } from './pages/storage.worker.js'
import { test } from './profile.js'
import { serve } from './serve.js'

/** A disk that fills up at many a moment: `AGIDB_QUOTA_POINTS` says at how many, `npm run test:quota` at 200. */
const POINTS = Number(process.env['AGIDB_QUOTA_POINTS'] ?? 20)
/** Bytes between two points: no multiple of what is written at once, so that they meet every step of it. */
const STEP = 7_919

let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})

function ask<M extends keyof StorageRig>(page: Page, method: M, ...args: Parameters<StorageRig[M]>): Promise<unknown> {
  return page.evaluate(([name, values]) => window.askRig(name, values), [method, args] as const)
}

function code(answer: unknown): string | undefined {
  return (answer as WireError | undefined)?.code
}

test('wherever the quota ends, what was acknowledged is there, can be read, and it goes on when there is room', async ({
  page,
  context,
}) => {
  test.setTimeout(60_000 + POINTS * 40_000)
  await page.goto(`${server.url}/e2e/pages/storage.html`)
  await page.waitForFunction(() => typeof window.startRig === 'function')
  await page.evaluate(() => window.startRig())
  const cdp = await context.newCDPSession(page)
  const origin = server.url
  let refusals = 0
  for (let point = 0; point < POINTS; point++) {
    const name = `quota ${point}`
    const { usage } = await cdp.send('Storage.getUsageAndQuota', { origin })
    await ask(page, 'open', name)
    await ask(page, 'commitBatch', 0, 10, 500)
    await cdp.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + 100_000 + point * STEP })
    let slot = 10
    for (let refused = false; !refused; ) {
      const answer = await ask(page, 'commitBatch', slot, 5, 2000 + point)
      refused = code(answer) !== undefined
      if (refused) expect(code(answer), name).toBe('AGIDB_QUOTA')
      else slot += 5
      expect(slot, 'the quota is not felt').toBeLessThan(5000)
    }
    refusals++
    if (refusals % 20 === 0) console.log(`the room ended at ${refusals} places`)
    // Reading goes on; what was refused left nothing.
    const there = Array.from({ length: slot + 5 }, (_, index) => index)
    expect(await ask(page, 'rowLengths', there), name).toEqual(
      there.map((index) => (index < 10 ? 500 : index < slot ? 2000 + point : -1)),
    )
    const compacted = await ask(page, 'compact')
    if (code(compacted)) expect(code(compacted), name).toBe('AGIDB_QUOTA')
    expect(await ask(page, 'rowLengths', [0, slot - 1, slot]), name).toEqual([500, slot > 10 ? 2000 + point : 500, -1])
    // Closed and opened while it is full.
    if (point % 3 === 0) {
      await ask(page, 'close')
      const opened = await ask(page, 'open', name)
      if (code(opened) === undefined) expect(opened, name).toMatchObject({ nextSlot: slot })
      else expect(code(opened), name).toBe('AGIDB_QUOTA')
    }
    await cdp.send('Storage.overrideQuotaForOrigin', { origin })
    if (point % 3 === 0) await ask(page, 'close').then(() => ask(page, 'open', name))
    expect(await ask(page, 'commitBatch', slot, 5, 100), name).toBe(5)
    expect(await ask(page, 'compact'), name).toBeUndefined()
    expect(await ask(page, 'verify'), name).toEqual([])
    await ask(page, 'close')
    expect(await ask(page, 'open', name), name).toMatchObject({
      nextSlot: slot + 5,
      slots: Array.from({ length: slot + 5 }, (_, index) => index),
    })
    await ask(page, 'close')
  }
  expect(refusals).toBe(POINTS)
})
