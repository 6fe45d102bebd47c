import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { devices } from './captured.js'
import { test as base } from './profile.js'
import { serve } from './serve.js'

/** What docs/threat-model.md recommends. */
const POLICY = "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; object-src 'none'; base-uri 'none'"

const test = base.extend<{ captured: Page }>({
  captured: async ({ playwright, launchOptions }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'agidb-listening-'))
    const args = [...(launchOptions.args ?? []), ...(await devices(folder))]
    const context = await playwright.chromium.launchPersistentContext('', { ...launchOptions, args })
    const server = await serve({ 'Content-Security-Policy': POLICY })
    const page = await context.newPage()
    await page.goto(`${server.url}/e2e/pages/listening.html`)
    await page.waitForFunction(() => typeof window.listening === 'object')
    await use(page)
    await context.close()
    await server.close()
    await rm(folder, { recursive: true })
  },
})

test('what a camera and a microphone capture becomes frames, and what is new of it is remembered and found', async ({
  captured: page,
}) => {
  const done = await page.evaluate(async () => {
    const { Agidb, encoders } = window.listening
    const db = await Agidb.open({ storage: 'memory', encoders })
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: true })
    const frames: { sense: string; promotedTo?: string }[] = []
    const errors: string[] = []
    const listening = await db.listen(stream, {
      every: 200,
      keep: 'original',
      source: 'room',
      onFrame: (frame) => frames.push(frame),
      onError: ({ code, message }) => errors.push(`${code}: ${message}`),
    })
    await new Promise((resolve) => setTimeout(resolve, 9_000))
    const counts = await listening.stop()
    const ended = await listening.ended
    for (const track of stream.getTracks()) track.stop()
    const { observed, frames: buffered } = await db.workingState()
    const remembered = frames.filter(({ promotedTo }) => promotedTo !== undefined)
    const found: boolean[] = []
    for (const { sense, promotedTo } of remembered) {
      const file = await new Response(await db.media(promotedTo!)).blob()
      const { matches } = await db.recall(undefined, { [sense]: file })
      found.push(matches[0].id === promotedTo)
    }
    const senses = remembered.map(({ sense }) => sense)
    const first = await db.getEpisode(remembered[0]!.promotedTo!)
    const media = await db.listMedia(remembered[0]!.promotedTo!)
    await db.close()
    const sources = [...new Set(buffered.map(({ source }) => source))]
    return { counts, ended, observed, senses, found, errors, sources, first, media }
  })
  console.log(JSON.stringify(done))
  const { counts, errors, found, senses } = done
  expect(errors).toEqual([])
  expect(done.ended).toEqual(counts)
  expect(counts.heard).toBeGreaterThanOrEqual(3)
  expect(counts.seen).toBeGreaterThanOrEqual(3)
  expect(counts).toMatchObject({ dropped: 0, failed: 0, stored: counts.heard + counts.seen })
  expect(done.observed).toBe(counts.stored)
  expect(counts.promoted).toBe(senses.length)
  expect(senses.filter((sense) => sense === 'image').length).toBeGreaterThanOrEqual(2)
  expect(senses.filter((sense) => sense === 'audio').length).toBeGreaterThanOrEqual(1)
  // What came again in the loop of the files was known.
  expect(counts.promoted).toBeLessThan(counts.stored)
  expect(found.every((is) => is)).toBe(true)
  expect(done.sources).toEqual(['room'])
})
