import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import type { OpenProgress } from '../src/api/open-progress.js'
import { test } from './profile.js'
import { serve } from './serve.js'

const CODEBOOK = fileURLToPath(new URL('../src/encoding/codebook/built/minilm-256.bin', import.meta.url))
/** Too few for the memory to keep its indexes by itself. */
const EPISODES = 100

let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})

test('a page is told how much of the codebook has come, and how many rows are read', async ({ context }) => {
  await context.route(/\/(?!ranker)[^/]*\.bin/, (route) => route.fulfill({ path: CODEBOOK }))
  const visit = async () => {
    const page = await context.newPage()
    await page.goto(`${server.url}/e2e/pages/library.html`)
    await page.waitForFunction(() => typeof window.library === 'object')
    return page
  }
  const first = await visit()
  const came = await first.evaluate(async (episodes) => {
    const told: OpenProgress[] = []
    const options = {
      name: 'opening',
      extract: 'none',
      onProgress: (one: OpenProgress) => void told.push(one),
    } as const
    const { db, worker } = await window.library.openWithWorker(options)
    const items = Array.from({ length: episodes }, (_, i) => ({ text: `Note ${i} is about boat ${i % 90}.` }))
    await db.observeMany(items)
    await db.recall('which note is about a ship?', { whole: true })
    worker.terminate() // so that it cannot keep the indexes
    return told
  }, EPISODES)
  // They were there before the codebook was.
  expect(came.filter(({ what }) => what === 'signatures').at(-1)).toMatchObject({ done: EPISODES, of: EPISODES })
  const codebook = came.filter(({ what }) => what === 'codebook')
  expect(codebook.at(-1)).toMatchObject({ done: statSync(CODEBOOK).size })
  expect(codebook.map(({ done }) => done)).toEqual(codebook.map(({ done }) => done).sort((a, b) => a - b))
  await first.close()

  const again = await visit()
  const opened = await again.evaluate(async () => {
    const told: OpenProgress[] = []
    const options = {
      name: 'opening',
      extract: 'none',
      onProgress: (one: OpenProgress) => void told.push(one),
    } as const
    const db = await window.library.open(options)
    await db.recall('which note is about a ship?', { whole: true })
    await db.close()
    return told
  })
  // The codebook is in the storage of the page now.
  expect(opened.filter(({ what }) => what === 'codebook')).toEqual([])
  const rows = opened.filter(({ what }) => what === 'indexes')
  expect(rows.at(-1)).toEqual({ what: 'indexes', done: EPISODES, of: EPISODES })
})
