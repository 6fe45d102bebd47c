import { expect, type Page } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import { serveFolder } from '../test/package/site.js'
import { violations } from './accessible.js'
import { openWithChat, view } from './chat.js'
import { test } from './profile.js'

const CHAT = [
  { at: '2026-05-01T19:00:00Z', speaker: 'Sarah', text: 'Try Bawri, the thai place in Bandra.' },
  { at: '2026-05-01T19:05:00Z', speaker: 'Ravi', text: 'Is it open on Mondays?' },
  { at: '2026-05-02T09:00:00Z', speaker: 'Sarah', text: 'The train to Goa leaves from platform four.' },
]
/** Bytes of the page before its worker starts, gzip level 9, that are allowed. */
const FIRST_LOAD = 100_000
/** An interaction takes less than this, or less than twice what it takes with few memories. In milliseconds. */
const INTERACTION_MS = 100
/** How often interactions are measured, if they are too long: a machine that does something else makes them so. */
const ATTEMPTS = 3

/** A red picture of one point. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
)

async function open(page: Page): Promise<void> {
  await page.goto('./')
  await expect(page.locator('#count')).toHaveText(/\d memor/)
}

async function controlled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    while (navigator.serviceWorker.controller === null) await new Promise((resolve) => setTimeout(resolve, 20))
  })
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Ask the memory').fill(question)
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await expect(page.locator('#summary')).toContainText(/in [\d.,]+ ms/)
}

async function tell(page: Page, message: string) {
  await page.getByLabel('Your message').fill(message)
  await page.getByRole('button', { name: 'Send' }).click()
  return page.locator('.turns-of-chat .memory').last()
}

/** Gives the page a chat, as a file that its reader chose. */
async function give(page: Page, turns: readonly object[]): Promise<void> {
  await page.locator('#file').setInputFiles({
    name: 'chat.jsonl',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(turns.map((turn) => JSON.stringify(turn)).join('\n')),
  })
}

test('the app can be installed, and works without a network from the first visit on', async ({ page, context }) => {
  await open(page)
  const cdp = await context.newCDPSession(page)
  const { errors, data } = await cdp.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const manifest = JSON.parse(data!)
  expect(manifest).toMatchObject({ id: './', scope: './', start_url: './', display: 'standalone' })
  expect(manifest.icons.map(({ purpose }: { purpose: string }) => purpose)).toContain('maskable')
  for (const { src, sizes } of manifest.icons as { src: string; sizes: string }[]) {
    const width = await page.evaluate(async (src) => {
      const image = new Image()
      image.src = src
      await image.decode()
      return image.naturalWidth
    }, src)
    if (sizes !== 'any') expect(`${width}x${width}`, src).toBe(sizes)
  }
  await controlled(page)
  expect((await cdp.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([])
  await context.setOffline(true)
  await page.reload()
  await expect(page.locator('#count')).toHaveText(/\d memor/)
  await give(page, CHAT)
  await expect(page.locator('#summary')).toContainText('3 new memories')
  await ask(page, 'thai place')
  await expect(page.locator('.card').first()).toContainText('Bawri')
  await view(page, 'Chat') // a part that was never loaded
  await expect(page.getByLabel('Your message')).toBeVisible()
})

test('the first load of the page stays small', async ({ page, baseURL }) => {
  const sizes = new Map<string, number>()
  const bodies: Promise<void>[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (!/(\/|\/index-[^/]+\.(js|css))$/.test(pathname) || response.fromServiceWorker()) return
    bodies.push(response.body().then((body) => void sizes.set(pathname, gzipSync(body, { level: 9 }).length)))
  })
  await page.goto(baseURL!, { waitUntil: 'load' })
  await Promise.all(bodies)
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  console.log(`first load of the page: ${total} bytes, gzip: ${JSON.stringify([...sizes])}`)
  expect(sizes.size).toBeGreaterThan(2)
  expect(total).toBeLessThan(FIRST_LOAD)
})

test('what another app shares is remembered: a text, a document and a picture', async ({ page }) => {
  await open(page)
  await controlled(page)
  await page.evaluate((png) => {
    const form = document.createElement('form')
    Object.assign(form, { action: './share', method: 'POST', enctype: 'multipart/form-data' })
    const field = (name: string, value: string) => {
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
    }
    field('title', 'A lighthouse')
    field('url', 'https://example.org/lighthouse')
    const files = new DataTransfer()
    files.items.add(new File(['# Kettle\n\nBoil water with vinegar.'], 'kettle.md', { type: 'text/markdown' }))
    const bytes = Uint8Array.from(atob(png), (c) => c.charCodeAt(0))
    files.items.add(new File([bytes], 'red_harbour.png', { type: 'image/png' }))
    const input = Object.assign(document.createElement('input'), { type: 'file', name: 'files', multiple: true })
    input.files = files.files
    form.append(input)
    document.body.append(form)
    // The policy of the page keeps forms from going anywhere; the system's share sheet is no form of the page.
    return fetch('./share', { method: 'POST', body: new FormData(form) })
  }, PNG.toString('base64'))
  await page.goto('./?shared')
  await expect(page.locator('#summary')).toContainText('red_harbour.png is remembered')
  await expect(page.locator('#count')).toHaveText('3 memories')
  expect(new URL(page.url()).search).toBe('')
  await page.reload()
  await expect(page.locator('#count')).toHaveText('3 memories') // taken once
  await ask(page, 'the red harbour')
  const card = page.locator('.card', { hasText: 'red harbour' })
  await expect(card.getByRole('img', { name: 'red harbour' })).toHaveJSProperty('complete', true)
  await card.getByLabel('Caption').fill('the harbour of Bergen')
  await card.getByRole('button', { name: 'Save caption' }).click()
  await expect(page.locator('.card', { hasText: 'the harbour of Bergen' }).getByRole('img')).toBeVisible()
})

test('a new version waits for a click, and what is half-typed stays', async ({ context }) => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const folder = mkdtempSync(join(tmpdir(), 'agidb-app-'))
  const build = (version: string) =>
    execFileSync('npx', ['vite', 'build', '--logLevel', 'error', '--outDir', folder, '--emptyOutDir'], {
      cwd: root,
      env: { ...process.env, AGIDB_BUILD: version },
    })
  build('one')
  const site = await serveFolder(folder)
  try {
    const page = await context.newPage()
    await page.goto(`${site.origin}/index.html`)
    await expect(page.locator('#count')).toHaveText(/\d memor/)
    await controlled(page)
    build('two')
    await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()))
    await expect(page.locator('#update')).toContainText('A new version is ready')
    await view(page, 'Chat')
    await page.getByLabel('Your message').fill('half a sentence')
    let loads = 0
    page.on('load', () => loads++)
    await page.waitForTimeout(500)
    expect(loads).toBe(0) // nothing reloads by itself
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect.poll(() => loads).toBe(1)
    await expect(page.locator('#count')).toHaveText(/\d memor/)
    await expect(page.locator('#update')).toBeHidden()
    await view(page, 'Chat')
    await expect(page.getByLabel('Your message')).toHaveValue('half a sentence')
  } finally {
    await site.close()
    rmSync(folder, { recursive: true })
  }
})

test('the chat answers from memories, cites them, and forgets when that is confirmed', async ({ page }) => {
  await openWithChat(page, CHAT)
  await view(page, 'Chat')
  const answer = await tell(page, 'Which thai place was it?')
  await expect(answer.locator('.answer')).toContainText('Bawri')
  await answer.getByRole('link', { name: 'memory 1' }).click()
  await expect(answer.locator('.cited').first()).toBeFocused()
  await expect(answer.locator('.cited').first()).toContainText('Try Bawri')
  await expect(page.locator('#count')).toHaveText('4 memories') // the question is remembered, the quotation is not

  const forgetting = await tell(page, 'forget that the train to Goa leaves from platform four')
  await expect(forgetting.getByText(/^To be forgotten: 1 memory/)).toBeVisible()
  await expect(forgetting.getByRole('checkbox', { checked: true })).toHaveCount(1)
  await expect(page.locator('#count')).toHaveText('4 memories')
  expect(await violations(page)).toEqual([])
  await forgetting.getByRole('button', { name: 'Forget it' }).click()
  await expect(forgetting.getByRole('status')).toContainText('Forgotten: 1 memory')
  await expect(page.locator('#count')).toHaveText('3 memories')
  await view(page, 'Recall')
  await ask(page, 'which platform does the train to Goa leave from?')
  await expect(page.locator('.card', { hasText: 'platform four' })).toHaveCount(0)
})

/** A server that answers as those with the interface of OpenAI do, in pieces. */
async function model(asked: { body: string; key: string | undefined }[]): Promise<Server> {
  const read = async (request: IncomingMessage) => Buffer.concat(await request.toArray()).toString()
  const server = createServer(async (request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.setHeader('Access-Control-Allow-Headers', '*, Authorization')
    if (request.method === 'OPTIONS') return void response.end()
    const { authorization: key } = request.headers
    asked.push({ body: await read(request), key })
    if (key !== 'Bearer sk-secret') return void response.writeHead(401).end()
    response.setHeader('Content-Type', 'text/event-stream')
    for (const content of ['It was ', 'Bawri [1]', '.'])
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
    response.end('data: [DONE]\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

test('the chat asks a server with a key that is kept under a passphrase', async ({ page }) => {
  const asked: { body: string; key: string | undefined }[] = []
  const server = await model(asked)
  try {
    await open(page)
    await give(page, CHAT)
    await expect(page.locator('#summary')).toContainText('3 new memories')
    await view(page, 'Chat')
    const setUp = async (key: string, passphrase: string) => {
      await page.locator('.who > summary').click()
      await page.getByRole('combobox', { name: 'Who answers' }).selectOption('endpoint')
      await page.getByLabel('Address').fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
      await page.getByRole('textbox', { name: 'Model' }).fill('tiny')
      await page.getByRole('textbox', { name: 'Key, if it needs one' }).fill(key)
      await page.getByRole('textbox', { name: 'Passphrase' }).fill(passphrase)
      await page.getByRole('button', { name: 'Use it' }).click()
    }
    await setUp('sk-secret', 'correct horse')
    await expect(page.locator('.server')).toContainText('Ready.')
    const answer = await tell(page, 'Which thai place was it?')
    await expect(answer.locator('.answer')).toHaveText('It was Bawri 1.')
    await expect(answer.getByRole('link', { name: 'memory 1' })).toBeVisible()
    expect(JSON.parse(asked[0].body)).toMatchObject({ model: 'tiny', stream: true })
    expect(asked[0].body).toContain('<agidb-data>') // memories are data, not instructions
    const stored = () => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    expect(await stored()).not.toContain('sk-secret')

    await page.reload()
    await expect(page.locator('#count')).toHaveText('5 memories')
    await view(page, 'Chat')
    await setUp('', 'wrong horse')
    await expect(page.locator('.server')).toContainText('That is not the passphrase of the key that is kept.')
    await page.getByRole('textbox', { name: 'Passphrase' }).fill('correct horse')
    await page.getByRole('button', { name: 'Use it' }).click()
    await expect(page.locator('.server')).toContainText('Ready.')
    await expect((await tell(page, 'Which place?')).locator('.answer')).toContainText('Bawri')

    await page.getByRole('button', { name: 'Forget the key' }).click()
    expect(await stored()).not.toContain('agidb-app/key')
    await page.getByRole('textbox', { name: 'Key, if it needs one' }).fill('sk-other')
    await page.getByRole('button', { name: 'Use it' }).click()
    await expect(await tell(page, 'Which place?')).toContainText('does not take the key (HTTP 401)')
    await expect(page.locator('#count')).toHaveText('7 memories') // a turn that failed is not remembered
  } finally {
    server.close()
  }
})

test('thousands of memories make typing a question and opening a card no slower', { tag: '@nightly' }, async ({
  page,
}) => {
  await page.addInitScript(() => {
    const slow: { name: string; duration: number }[] = []
    Object.assign(window, { slow })
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) slow.push({ name, duration })
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  })
  const notes = Array.from({ length: 3_100 }, (_, i) => ({
    speaker: i % 2 === 0 ? 'Sarah' : 'Ravi',
    text: `Note ${i}: the ${['ferry', 'train', 'bus', 'tram'][i % 4]} to stop ${i % 97} leaves at ${i % 24} o'clock.`,
  }))
  await open(page)
  await give(page, notes.slice(0, 100))
  await expect(page.locator('#summary')).toContainText('100 new memories')
  const byFew = await longestInteraction(page)
  await give(page, notes.slice(100))
  await expect(page.locator('#summary')).toContainText('3,000 new memories')
  let byMany = Infinity
  for (let attempt = 0; attempt < ATTEMPTS && byMany >= Math.max(INTERACTION_MS, 2 * byFew); attempt++) {
    byMany = await longestInteraction(page)
    console.log(`the longest interaction took ${byMany} ms with 3,100 memories, ${byFew} ms with 100`)
  }
  expect(byMany).toBeLessThan(Math.max(INTERACTION_MS, 2 * byFew))
})

/** Types a question and opens the first card. Returns how long the longest interaction took, in milliseconds. */
async function longestInteraction(page: Page): Promise<number> {
  await page.evaluate(() => ((window as unknown as { slow: unknown[] }).slow.length = 0))
  await page.getByLabel('Ask the memory').fill('')
  await page.getByLabel('Ask the memory').pressSequentially('when does the ferry to stop 12 leave?', { delay: 20 })
  await page.keyboard.press('Enter')
  const card = page.locator('.card').first()
  await card.getByRole('button', { name: 'Why?' }).click()
  expect(await card.locator('.signals dt').count()).toBeGreaterThan(3)
  await card.getByText('What came next').click()
  await expect(card.locator('.next li').first()).toBeVisible()
  const slow = await page.evaluate(() => (window as unknown as { slow: { duration: number }[] }).slow)
  return Math.max(0, ...slow.map(({ duration }) => duration))
}

for (const colorScheme of ['light', 'dark'] as const)
  for (const [width, height] of [
    [390, 844],
    [1360, 900],
  ])
    test(`every view is accessible and fits: ${width} wide, ${colorScheme}`, async ({ page }) => {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await openWithChat(page, CHAT)
      const shot = process.env['AGIDB_SHOTS']
      for (const name of ['Mind', 'Memory', 'Recall', 'Chat'] as const) {
        await view(page, name)
        if (name === 'Recall') await ask(page, 'where is the thai place?')
        if (name === 'Chat') {
          await expect((await tell(page, 'Which thai place?')).locator('.sources')).toBeVisible()
          await page.locator('.who > summary').click()
        }
        expect(await violations(page), name).toEqual([])
        const sideways = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
        expect(await page.evaluate(sideways), name).toBe(0)
        if (shot !== undefined) await page.screenshot({ path: `${shot}/${width}-${colorScheme}-${name}.png` })
      }
    })
