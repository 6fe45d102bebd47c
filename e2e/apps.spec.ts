import { EventEmitter } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import { Agidb } from '../src/runtimes/node/index.js'
import { test } from './profile.js'
import { serveSources } from './serve-sources.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The names that examples import, as sources. */
const named = {
  name: 'agidb',
  config: () => ({ resolve: { alias: { agidb: join(ROOT, 'src/runtimes/browser/index.ts') } } }),
}

test('the page of the example for Electron remembers through a port, in the folder of another process', async ({
  page,
}) => {
  const path = '../examples/electron/serve-memory.mjs'
  const { serveMemory } = (await import(path)) as { serveMemory(db: Agidb, port: EventEmitter): void }
  const folder = await mkdtemp(join(tmpdir(), 'agidb-electron-'))
  const db = await Agidb.open({ path: folder, codebook: 'none', extract: 'none' })
  const server = await serveSources({}, [named])
  try {
    const port = Object.assign(new EventEmitter(), {
      start: () => {},
      postMessage(message: unknown) {
        // As in Electron, a message to a page that has been closed is lost.
        page
          .evaluate((message) => window.fromMain(message), message)
          .catch((error) => {
            if (!page.isClosed()) throw error
          })
      },
    })
    serveMemory(db, port)
    await page.exposeFunction('toMain', (data: unknown) => void port.emit('message', { data }))
    await page.goto(`${server.url}/examples/electron/index.html`)
    // What Electron and the preload script do: the page gets one end of a channel, whose other end leads out of it.
    await page.evaluate(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => window.toMain(data)
      window.fromMain = (message) => port1.postMessage(message)
      window.postMessage('memory', '*', [port2])
    })
    await expect(page.locator('output')).toHaveText('0 memories')
    const say = async (text: string) => {
      await page.locator('input').fill(text)
      await page.locator('input').press('Enter')
    }
    await say('The office is in Oslo.')
    await expect(page.locator('output')).toHaveText('1 memories')
    await db.observe('The dentist moved to Hill Road.')
    await expect(page.locator('output')).toHaveText('2 memories')
    await say('where is the office?')
    await expect(page.locator('li').first()).toHaveText('The office is in Oslo.')
  } finally {
    await page.close()
    await server.close()
    await db.close()
    await rm(folder, { recursive: true, force: true })
  }
})

test('the page of the example for Tauri keeps its memory in OPFS under the policy of its configuration', async ({
  page,
}) => {
  const configuration = await readFile(join(ROOT, 'examples/tauri/src-tauri/tauri.conf.json'), 'utf8')
  const { csp } = (JSON.parse(configuration) as { app: { security: { csp: Record<string, string> } } }).app.security
  const policy = Object.entries(csp).map(([directive, sources]) => `${directive} ${sources}`)
  const server = await serveSources({ 'Content-Security-Policy': policy.join('; ') }, [named])
  const violations: string[] = []
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text())
  })
  try {
    // The host by which the webview of Windows knows the page.
    const url = server.url.replace('127.0.0.1', 'tauri.localhost')
    await page.goto(`${url}/examples/tauri/page/index.html`)
    const said = page.locator('output')
    await expect(said).toHaveText(/^0 memories, .*OPFS.*, strict, wasm-simd$/)
    const say = async (text: string) => {
      await page.locator('input').fill(text)
      await page.locator('input').press('Enter')
    }
    await say('The office is in Oslo.')
    await expect(said).toHaveText(/^1 memories/)
    await page.reload()
    await expect(said).toHaveText(/^1 memories/)
    await say('where is the office?')
    await expect(page.locator('li').first()).toHaveText('The office is in Oslo.')
    expect(violations).toEqual([])
  } finally {
    await server.close()
  }
})

declare global {
  interface Window {
    toMain(message: unknown): void
    fromMain(message: unknown): void
  }
}
