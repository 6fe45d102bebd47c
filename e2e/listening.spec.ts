import { mkdtemp, readFile, rm } from 'node:fs/promises'
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
    await rm(folder, { recursive: true })
  },
})

test('what a camera and a microphone capture becomes frames, and what is new of it is remembered and found', async ({
  captured: page,
}) => {
  const done = await page.evaluate(async () => {
    const { Agidb, encoders, until } = window.listening
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
    // There are three sounds and three scenes: the fourth of both has come before.
    await until(() => listening.counts.heard > 3 && listening.counts.seen > 3)
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

test('frames that come faster than they are encoded are dropped, and counted', async ({ captured: page }) => {
  const done = await page.evaluate(async () => {
    const { Agidb, encoders, until } = window.listening
    let most = 0
    let encoding = 0
    let goOn = (): void => {}
    const held = new Promise<void>((resolve) => (goOn = resolve))
    const slow: typeof encoders.image = {
      ...encoders.image,
      encode: async (pictures) => {
        most = Math.max(most, ++encoding)
        await held
        encoding--
        return encoders.image.encode(pictures)
      },
    }
    const db = await Agidb.open({ storage: 'memory', encoders: { image: slow } })
    const canvas = document.createElement('canvas')
    const context = canvas.getContext('2d')!
    let hue = 0
    const painting = setInterval(() => {
      context.fillStyle = `hsl(${(hue += 120)} 90% 50%)`
      context.fillRect(0, 0, canvas.width, canvas.height)
    }, 100)
    const stream = canvas.captureStream(10)
    const listening = await db.listen(stream, { every: 100, waiting: 2 })
    await until(() => listening.counts.seen > 6 && listening.counts.dropped > 2)
    const during = listening.counts
    goOn()
    const counts = await listening.stop()
    clearInterval(painting)
    const { observed } = await db.workingState()
    await db.close()
    return { during, counts, observed, most }
  })
  const { during, counts, observed, most } = done
  expect(during.seen).toBeGreaterThan(6)
  // One is encoded and two wait.
  expect(during.seen - during.stored - during.dropped).toBeLessThanOrEqual(3)
  expect(counts.dropped).toBeGreaterThan(2)
  expect(counts).toMatchObject({ heard: 0, failed: 0, seen: counts.stored + counts.dropped })
  expect([observed, most]).toEqual([counts.stored, 1])
})

test('a listening ends with its tracks, with its signal, and when the memory is closed', async ({ captured: page }) => {
  const done = await page.evaluate(async () => {
    const { Agidb, encoders } = window.listening
    const db = await Agidb.open({ storage: 'memory', encoders })
    const camera = () => navigator.mediaDevices.getUserMedia({ video: true })
    const one = await camera()
    const ofTracks = await db.listen(one)
    for (const track of one.getTracks()) track.stop()
    await ofTracks.ended
    const signal = new AbortController()
    const two = await camera()
    const ofSignal = await db.scope({ user: 'ann' }).listen(two, { signal: signal.signal })
    signal.abort()
    await ofSignal.ended
    const ofMemory = await db.listen(two)
    await db.close()
    await ofMemory.ended
    const states = [one, two].map((stream) => stream.getTracks().map(({ readyState }) => readyState))
    for (const track of two.getTracks()) track.stop()
    return { states, seen: (await ofSignal.stop()).failed }
  })
  expect(done).toEqual({ states: [['ended'], ['live']], seen: 0 })
})

test('what is no stream, has ended, or nothing encodes is refused with a code', async ({ captured: page }) => {
  const refusals = await page.evaluate(async () => {
    const { Agidb, encoders } = window.listening
    const db = await Agidb.open({ storage: 'memory', encoders })
    const deaf = await Agidb.open({ storage: 'memory', encoders: { image: encoders.image } })
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: true })
    const over = await navigator.mediaDevices.getUserMedia({ video: true })
    for (const track of over.getTracks()) track.stop()
    const fired = AbortSignal.abort()
    const attempts: Record<string, () => Promise<unknown>> = {
      'not awaited': () => db.listen(navigator.mediaDevices.getUserMedia({ video: true }) as never),
      nothing: () => db.listen(undefined as never),
      'without tracks': () => db.listen(new MediaStream()),
      ended: () => db.listen(over),
      'without encoder': () => deaf.listen(stream),
      'too often': () => db.listen(stream, { every: 10 }),
      'an unknown option': () => db.listen(stream, { often: 10 } as never),
      'a listener that is none': () => db.listen(stream, { onFrame: 'log' as never }),
      'to keep all': () => db.listen(stream, { keep: 'all' as never }),
      'aborted before': () => db.listen(stream, { signal: fired }),
      closed: async () => {
        await db.close()
        await db.listen(stream)
      },
    }
    const found: Record<string, string> = {}
    for (const [name, attempt] of Object.entries(attempts))
      found[name] = await attempt().then(
        () => 'none',
        (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
      )
    await deaf.close()
    for (const track of stream.getTracks()) track.stop()
    return found
  })
  expect(refusals).toEqual({
    'not awaited': expect.stringMatching(/^AGIDB_INVALID_ARGUMENT: stream must be a MediaStream.*await it/),
    nothing: expect.stringMatching(/^AGIDB_INVALID_ARGUMENT: stream must be a MediaStream/),
    'without tracks': expect.stringMatching(/^AGIDB_INVALID_ARGUMENT: the stream has no tracks/),
    ended: expect.stringMatching(/^AGIDB_INVALID_ARGUMENT: the stream has ended/),
    'without encoder': expect.stringMatching(/^AGIDB_INVALID_ARGUMENT: .*no encoder for audio.*encoders: \{ audio/),
    'too often': expect.stringMatching(/^AGIDB_INVALID_ARGUMENT: every is 10/),
    'an unknown option': expect.stringMatching(/^AGIDB_UNKNOWN_OPTION: /),
    'a listener that is none': expect.stringMatching(/^AGIDB_INVALID_ARGUMENT: onFrame/),
    'to keep all': expect.stringMatching(/^AGIDB_INVALID_ARGUMENT: keep/),
    'aborted before': expect.stringMatching(/^AGIDB_ABORTED/),
    closed: expect.stringMatching(/^AGIDB_CLOSED/),
  })
})

test('a frame that cannot be encoded is told of with its code, and the listening goes on', async ({
  captured: page,
}) => {
  const done = await page.evaluate(async () => {
    const { Agidb, encoders, until } = window.listening
    let calls = 0
    const image: typeof encoders.image = {
      ...encoders.image,
      encode: async (pictures) => {
        if (++calls === 1) throw new Error('the device was lost')
        return encoders.image.encode(pictures)
      },
    }
    const db = await Agidb.open({ storage: 'memory', encoders: { image } })
    const stream = await navigator.mediaDevices.getUserMedia({ video: true })
    const errors: string[] = []
    const listening = await db.listen(stream, { every: 200, onError: ({ code }) => errors.push(code) })
    await until(() => errors.length > 0 && listening.counts.stored > 0)
    const counts = await listening.stop()
    for (const track of stream.getTracks()) track.stop()
    await db.close()
    return { errors, counts }
  })
  expect(done.errors).toEqual(['AGIDB_ENCODER'])
  expect(done.counts).toMatchObject({ failed: 1, dropped: 0 })
  expect(done.counts.stored).toBeGreaterThan(0)
})

test('the program of docs/senses.md runs', async ({ captured: page }) => {
  const text = await readFile(new URL('../docs/senses.md', import.meta.url), 'utf8')
  const code = [...text.matchAll(/```js\n([^]*?)```/g)]
    .map(([, code]) => code)
    .find((code) => code.includes('db.listen('))!
  const [begin, end] = code.split('// … and when it is enough:\n')
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  const counts = await page.evaluate(`(async () => {
    const { Agidb, until, encoders: { image, audio } } = window.listening
    ${begin}
    await until(() => listening.counts.heard > 0 && listening.counts.seen > 0)
    ${end}
    await db.close()
    return { heard, seen, stored, promoted, dropped }
  })()`)
  expect(counts).toMatchObject({ dropped: 0 })
  const { heard, seen, stored } = counts as Record<string, number>
  expect([heard > 0, seen > 0, stored === heard + seen]).toEqual([true, true, true])
  expect(logged.filter((line) => /^(image|audio) [\d.]+ /.test(line))).toHaveLength(stored)
})
