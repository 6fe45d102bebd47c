import { expect } from '@playwright/test'
import { audioEncoder, imageEncoder } from '../src/models/transformers/node.js'
import { GOLDEN_SOUNDS, samplesOf } from '../test/unit/models/dual/sound-towers.js'
import { GOLDEN as TOWERS, pixelsOf } from '../test/unit/models/dual/towers.js'
import { GOLDEN, SHA256 } from '../test/unit/models/minilm.js'
import { folderOf } from '../test/unit/models/transformers/folders.js'
import { test } from './profile.js'
import { serve } from './serve.js'
import { close, FOLDERS, modelsPage, pictures, picturesOnGpu } from './transformers-page.js'

const WINDOW = 1_024
const sounds = GOLDEN_SOUNDS.map(({ words, int16 }) => ({ ...samplesOf(int16), words })).map((sound) => ({
  ...sound,
  samples: [...sound.samples],
}))
let server: Awaited<ReturnType<typeof serve>>

test.beforeAll(async () => {
  server = await serve()
})

test('texts have the latents of the reference, and a recall finds what means the same', async ({ context }) => {
  const { page, asked, foreign } = await modelsPage(server.url, context)
  const texts = GOLDEN.map(({ text }) => text)
  const found = await page.evaluate((texts) => window.encoders.texts('/models/minilm/', texts), texts)
  expect(found).toMatchObject({ id: SHA256.model, device: 'wasm' })
  for (const [i, { latent }] of GOLDEN.entries()) expect(close(found.latents[i], latent)).toBeGreaterThan(0.999)
  expect(asked.filter((name) => name.endsWith('.onnx'))).toEqual(['onnx/model.onnx'])
  const memories = ['The physician examined my knee.', 'The invoice is due on Monday.']
  const cue = 'a doctor looked at a leg'
  const recalled = await page.evaluate(([memories, cue]) => window.encoders.remember('/models/minilm', memories, cue), [
    memories,
    cue,
  ] as const)
  expect(recalled).toEqual({ best: memories[0], sentence: 'used' })
  expect(foreign).toEqual([])
})

test('a model is fetched once where its SHA-256 is known', async ({ context }) => {
  const { page, asked } = await modelsPage(server.url, context)
  const open = () => page.evaluate((sha256) => window.encoders.texts('/models/minilm', ['a'], { sha256 }), SHA256.model)
  await open()
  asked.length = 0
  await open()
  expect(asked.filter((name) => name.endsWith('.onnx'))).toEqual([])
})

test('without a graphics processor a model runs in WebAssembly', async ({ context }) => {
  expect(await picturesOnGpu(server.url, context)).toBe('wasm')
})

test('pictures and sounds have the latents that they have in Node, and the same ids', async ({ context }) => {
  const { page, foreign } = await modelsPage(server.url, context)
  const folder = folderOf(FOLDERS.clip)
  const image = await imageEncoder({ model: folder.path, worker: false })
  const seen = await page.evaluate((pictures) => window.encoders.pictures('/models/clip', pictures), pictures)
  expect(seen.id).toBe(image.id)
  const latents = await image.encode(TOWERS.pictures.map(({ rgb }) => pixelsOf(rgb)))
  for (const [i, latent] of latents.entries()) expect(close(seen.latents[i], latent)).toBeGreaterThan(0.9999)
  await image.close()
  folder.remove()
  const other = folderOf(FOLDERS.clap)
  const audio = await audioEncoder({ model: other.path, worker: false, window: WINDOW })
  const heard = await page.evaluate(([window_, sounds]) => window.encoders.sounds('/models/clap', window_, sounds), [
    WINDOW,
    sounds,
  ] as const)
  expect(heard.id).toBe(audio.id)
  const ofNode = await audio.encode(GOLDEN_SOUNDS.map(({ int16 }) => samplesOf(int16)))
  for (const [i, latent] of ofNode.entries()) expect(close(heard.latents[i], latent)).toBeGreaterThan(0.9999)
  await audio.close()
  other.remove()
  expect(foreign).toEqual([])
})

test('words find pictures and sounds', async ({ context }) => {
  const { page } = await modelsPage(server.url, context)
  const seen = await page.evaluate((pictures) => window.encoders.picturesByWords('/models/clip', pictures), pictures)
  expect(seen).toEqual(pictures.map(({ words }) => words))
  const heard = await page.evaluate(
    ([window_, sounds]) => window.encoders.soundsByWords('/models/clap', window_, sounds),
    [WINDOW, sounds] as const,
  )
  expect(heard).toEqual(sounds.map(({ words }) => words))
})

test('words find videos that the page recorded, and so does another recording', async ({ context }) => {
  const { page, foreign } = await modelsPage(server.url, context)
  const scene = { ground: '#e8e0d0', lasts: 1_000 } as const
  const scenes = {
    'a red square': { ...scene, colour: '#dc2828', shape: 'square' },
    'a blue circle': { ...scene, colour: '#3246dc', shape: 'circle' },
    'a green square': { ...scene, colour: '#28aa3c', shape: 'square' },
  } as const
  const found = await page.evaluate((scenes) => window.encoders.videosByWords('/models/clip', scenes), scenes)
  expect(found).toEqual([...Object.keys(scenes), 'a red square'])
  expect(foreign).toEqual([])
})

test('what does not work is said', async ({ context }) => {
  const { page, foreign } = await modelsPage(server.url, context)
  const failure = (options: object) => page.evaluate((options) => window.encoders.failure(options), options)
  expect(await failure({ model: '/models/none' })).toMatch(
    /^AGIDB_ENCODER: config\.json in the folder .*\/models\/none cannot be read: the server answered 404/,
  )
  expect(await failure({ model: '/models/minilm', dtype: 'q8' })).toMatch(
    /^AGIDB_ENCODER: the model at .*model_quantized\.onnx cannot be read/,
  )
  expect(await failure({ model: '/models/minilm', sha256: '0'.repeat(64) })).toMatch(/^AGIDB_ENCODER: .*expected 0{64}/)
  expect(await failure({ model: '/models/minilm', worker: false })).toMatch(/^AGIDB_INVALID_ARGUMENT: worker/)
  expect(foreign).toEqual([])
})
