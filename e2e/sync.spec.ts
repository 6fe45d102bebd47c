import { expect } from '@playwright/test'
import { test } from './profile.js'
import { serve } from './serve.js'

let server: Awaited<ReturnType<typeof serve>>
test.beforeAll(async () => {
  server = await serve()
})
test.afterAll(() => server.close())

test('two memories of a page exchange what they wrote, forget together, and know each other after a reload', async ({
  page,
}) => {
  const meet = () =>
    page.evaluate(async () => {
      const [a, b] = await Promise.all(
        ['phone', 'laptop'].map((name) => window.library.open({ name, codebook: 'none', extract: 'none' })),
      )
      const stored = await a.stats().then(({ episodes }) => episodes)
      if (stored === 0) {
        await a.observe('The office is in Oslo.', { id: 'oslo' })
        await b.observe('The dentist moved to Hill Road.', { id: 'dentist' })
      } else await b.unlearn({ episode: 'oslo' }, 'test')
      const came = { a: 0, b: 0 }
      for (let round = 0; round < 2; round++) {
        came.b += (await b.apply(await a.changes(await b.versionVector()))).added
        came.a += (await a.apply(await b.changes(await a.versionVector()))).added
      }
      const ids: string[][] = []
      for (const db of [a, b]) for await (const found of db.episodes()) ids.push(found.map(({ id }) => id))
      const vectors = await Promise.all([a.versionVector(), b.versionVector()])
      await Promise.all([a.close(), b.close()])
      return {
        came,
        ids,
        isSame: JSON.stringify(Object.entries(vectors[0]).sort()) === JSON.stringify(Object.entries(vectors[1]).sort()),
      }
    })
  await page.goto(`${server.url}/e2e/pages/library.html`)
  await page.waitForFunction(() => typeof window.library === 'object')
  const first = await meet()
  expect(first.came).toEqual({ a: 1, b: 1 })
  expect(first.ids[0]).toEqual(first.ids[1])
  expect(first.isSame).toBe(true)
  await page.reload()
  await page.waitForFunction(() => typeof window.library === 'object')
  const second = await meet()
  expect(second).toEqual({ came: { a: 0, b: 0 }, ids: [['dentist'], ['dentist']], isSame: true })
})
