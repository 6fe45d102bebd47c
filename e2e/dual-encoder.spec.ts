import { expect } from '@playwright/test'
import { GOLDEN, MANIFEST, pixelsOf } from '../test/unit/models/dual/towers.js'
import { test } from './profile.js'
import { serve } from './serve.js'

test('a page finds pictures by words, with two towers of one space', async ({ context }) => {
  const server = await serve()
  const page = await context.newPage()
  await page.goto(`${server.url}/e2e/pages/dual-encoder.html`)
  await page.waitForFunction(() => typeof window.findingByWords === 'function')
  const pictures = GOLDEN.pictures.map(({ words, rgb }) => ({ ...pixelsOf(rgb), words, data: [...pixelsOf(rgb).data] }))
  const { found, dimension } = await page.evaluate(
    ([manifest, shown]) => window.findingByWords('/test/unit/models/dual/fixtures', manifest, shown),
    [MANIFEST, pictures] as const,
  )
  expect(found).toEqual(pictures.map(({ words }) => words))
  expect(dimension).toBe(32)
})
