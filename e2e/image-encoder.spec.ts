import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { LITE0 } from '../test/unit/models/image/lite0.js'
import { test } from './profile.js'
import { serve } from './serve.js'

const FIXTURES = 'test/unit/models/image/fixtures'
const GOLDEN = JSON.parse(readFileSync(new URL(`../${FIXTURES}/golden.json`, import.meta.url), 'utf8')) as {
  readonly picture: string
  readonly latent: string
}[]

test('a page remembers pictures by an ONNX model, and finds them, as Pillow and ONNX Runtime see them', async ({
  context,
}) => {
  const server = await serve()
  const page = await context.newPage()
  await page.goto(`${server.url}/e2e/pages/image-encoder.html`)
  await page.waitForFunction(() => typeof window.seeing === 'function')
  const pictures = GOLDEN.map(({ picture }) => `/${picture}`)
  const { latents, found, thumbnail } = await page.evaluate(
    ([model, manifest, paths]) => window.seeing(model, manifest, paths),
    [`/${FIXTURES}/efficientnet-lite0.onnx`, LITE0.manifest, pictures] as const,
  )
  expect(found).toEqual([0, 1, 2])
  expect(thumbnail).toEqual([256, 256])
  for (const [i, { latent }] of GOLDEN.entries()) {
    const reference = new Float32Array(Uint8Array.from(Buffer.from(latent, 'base64')).buffer)
    expect(latents[i].reduce((sum, value, d) => sum + value * reference[d], 0)).toBeGreaterThan(0.999)
  }
})
