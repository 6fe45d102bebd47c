import { expect } from '@playwright/test'
import { test } from './profile.js'
import { serve } from './serve.js'

let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})

test('recall answers while older signatures load from OPFS, and waits for them on request', async ({ context }) => {
  const page = await context.newPage()
  await page.goto(`${server.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  const { storage, kernel, opening, asked, before, early, whole, loading } = await page.evaluate(() =>
    window.library.loaded(),
  )
  expect({ storage, kernel }).toEqual({ storage: 'OPFS journal + IndexedDB', kernel: 'wasm-simd' })
  expect(opening.filter((kind) => kind !== 'mirror-behind')).toEqual([]) // which a busy machine may leave
  // A block of signatures is to come: what is newer is there at once. Of the others the words are known, and found.
  expect(early[0].loading).toEqual({ done: 40_000 - 32_768, total: 40_000 })
  expect(early.map(({ matches }) => matches[0].id)).toEqual(asked)
  expect(whole).toEqual(before)
  expect(loading).toBeUndefined()
})
