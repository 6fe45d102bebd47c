import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { SPEECH } from '../test/unit/models/audio/speech.js'
import { test } from './profile.js'
import { serve } from './serve.js'

const FIXTURES = 'test/unit/models/audio/fixtures'
const MODELS = 'node_modules/.cache/agidb-models'
const GOLDEN = JSON.parse(readFileSync(new URL(`../${FIXTURES}/golden.json`, import.meta.url), 'utf8')) as {
  readonly latent: string
}

test('a page remembers sounds in each format and finds them, as SoX and ONNX Runtime hear them', async ({
  context,
}) => {
  const server = await serve()
  const page = await context.newPage()
  await page.goto(`${server.url}/e2e/pages/audio-encoder.html`)
  await page.waitForFunction(() => typeof window.hearing === 'function')
  const sounds = ['wav', 'flac', 'mp3', 'ogg', 'opus'].map((format) => `/${FIXTURES}/voice.${format}`)
  const { latents, cut, found, sameTone } = await page.evaluate(
    ([model, frontEnd, manifest, paths]) => window.hearing(model, frontEnd, manifest, paths),
    [`/${MODELS}/sound-embedding.onnx`, `/${MODELS}/sound-mel.onnx`, SPEECH.manifest, sounds] as const,
  )
  const reference = new Float32Array(Uint8Array.from(Buffer.from(GOLDEN.latent, 'base64')).buffer)
  const cosines = latents.map((latent) => latent.reduce((sum, value, d) => sum + value * reference[d], 0))
  for (const lossless of cosines.slice(0, 2)) expect(lossless).toBeGreaterThan(0.999)
  for (const lossy of cosines.slice(2)) expect(lossy).toBeGreaterThan(0.95)
  expect(cut).toBe('AGIDB_MEDIA')
  expect(found).toEqual([true, true, true, true, true])
  expect(sameTone).toBe(true)
})
