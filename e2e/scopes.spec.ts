import { expect } from '@playwright/test'
import { test } from './profile.js'
import { serve } from './serve.js'

let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})

test('scopes of a memory of a page keep apart, and are there when the page is loaded again', async ({ context }) => {
  const page = await context.newPage()
  const load = async () => {
    await page.goto(`${server.url}/e2e/pages/library.html`)
    await page.waitForFunction(() => typeof window.library === 'object')
  }
  await load()
  await page.evaluate(async () => {
    const db = await window.library.open({ name: 'scoped', codebook: 'none' })
    await db.scope({ user: 'ann' }).observe('Sarah recommended Bawri, a thai place in Bandra.')
    await db.scope({ user: 'bob' }).observe('The dentist moved to Hill Road.')
    await db.close()
  })
  await load()
  const found = await page.evaluate(async () => {
    const db = await window.library.open({ name: 'scoped', codebook: 'none' })
    const texts = async (user: string) =>
      (await db.scope({ user }).recall('thai place')).matches.map(({ text }) => text)
    const found = { ann: await texts('ann'), bob: await texts('bob'), own: (await db.stats()).episodes }
    await db.close()
    return found
  })
  expect(found).toEqual({
    ann: ['Sarah recommended Bawri, a thai place in Bandra.'],
    bob: ['The dentist moved to Hill Road.'],
    own: 0,
  })
})
