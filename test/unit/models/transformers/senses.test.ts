import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Encoder } from '../../../../src/api/encoder.js'
import { audioEncoder, dualEncoder, imageEncoder, type RunsOn } from '../../../../src/models/transformers/node.js'
import { openMemory } from '../../engine/open.js'
import { GOLDEN_SOUNDS, samplesOf } from '../dual/sound-towers.js'
import { GOLDEN, latentOf, pixelsOf } from '../dual/towers.js'
import { cosine } from '../minilm.js'
import { CLIP, folderOf, SOUNDS } from './folders.js'

const clip = folderOf({ ...CLIP, 'onnx/model.onnx': CLIP['onnx/vision_model.onnx'] })
const clap = folderOf({ ...SOUNDS, 'onnx/model.onnx': SOUNDS['onnx/audio_model.onnx'] })
const refused = (message: RegExp, code = 'AGIDB_ENCODER') => ({
  code,
  message: expect.stringMatching(message) as string,
})

afterAll(() => {
  clip.remove()
  clap.remove()
})

describe('an image encoder over transformers.js', () => {
  let encoder: Encoder<'image'> & RunsOn

  beforeAll(async () => {
    encoder = await imageEncoder({ model: clip.path, worker: false })
  })
  afterAll(() => encoder.close())

  test('agrees with ONNX Runtime for Python in pixels, and in a file of them', async () => {
    expect(encoder).toMatchObject({ modality: 'image', dimension: 32, device: 'cpu' })
    expect(encoder.id).toMatch(/^[0-9a-f]{64}$/)
    const latents = await encoder.encode(GOLDEN.pictures.map(({ rgb }) => pixelsOf(rgb)))
    for (const [i, { latent }] of GOLDEN.pictures.entries())
      expect(cosine(latents[i], latentOf(latent))).toBeGreaterThan(0.9999)
    const { data, width, height } = pixelsOf(GOLDEN.pictures[0].rgb)
    const png = await sharp(data, { raw: { width, height, channels: 4 } })
      .png()
      .toBuffer()
    const [ofFile] = await encoder.encode([new Uint8Array(png)])
    expect(cosine(ofFile, latents[0])).toBeGreaterThan(0.9999)
  })

  test('lays transparent pixels on white, and makes thumbnails', async () => {
    const clear = { data: new Uint8ClampedArray(4 * 48 * 48), width: 48, height: 48 }
    const white = { ...clear, data: clear.data.map(() => 255) }
    const [a, b] = await encoder.encode([clear, white])
    expect(a).toEqual(b)
    expect(await encoder.thumbnail!(white)).toMatchObject({ type: 'image/jpeg' })
  })

  test('refuses what is no picture, another output, and a folder without an image processor', async () => {
    await expect(encoder.encode([new Uint8Array(9)])).rejects.toMatchObject({ code: 'AGIDB_MEDIA' })
    await expect(imageEncoder({ model: clip.path, worker: false, output: 'pooled' })).rejects.toMatchObject(
      refused(/gives image_embeds; expected pooled/),
    )
    const { 'preprocessor_config.json': _, ...bare } = CLIP
    const folder = folderOf({ ...bare, 'onnx/model.onnx': CLIP['onnx/vision_model.onnx'] })
    await expect(imageEncoder({ model: folder.path, worker: false })).rejects.toMatchObject(
      refused(/image processor .* cannot be read/),
    )
    folder.remove()
  })
})

describe('a dual encoder over transformers.js', () => {
  test('agrees with ONNX Runtime for Python, and lets words find pictures', async () => {
    const encoder = await dualEncoder({ model: clip.path, modality: 'image', worker: false })
    const read = await encoder.encodeText(GOLDEN.texts.map(({ text }) => text))
    for (const [i, { latent }] of GOLDEN.texts.entries())
      expect(cosine(read[i], latentOf(latent))).toBeGreaterThan(0.9999)
    const db = await openMemory({ encoders: { image: encoder } })
    for (const { words, rgb } of GOLDEN.pictures) await db.observeMultimodal({ image: pixelsOf(rgb) }, { id: words })
    for (const { words } of GOLDEN.pictures)
      expect((await db.recall(words, { modality: 'image' })).matches[0].id).toBe(words)
    await db.close()
    await encoder.close()
  })

  test('fills texts up, and lets words find sounds', async () => {
    const encoder = await dualEncoder({
      model: clap.path,
      modality: 'audio',
      textLength: 16,
      window: 1_024,
      worker: false,
    })
    const read = await encoder.encodeText(GOLDEN_SOUNDS.map(({ words }) => words))
    for (const [i, { ofText }] of GOLDEN_SOUNDS.entries())
      expect(cosine(read[i], latentOf(ofText))).toBeGreaterThan(0.9999)
    const db = await openMemory({ encoders: { audio: encoder } })
    for (const { words, int16 } of GOLDEN_SOUNDS) await db.observeMultimodal({ audio: samplesOf(int16) }, { id: words })
    for (const { words } of GOLDEN_SOUNDS)
      expect((await db.recall(words, { modality: 'audio' })).matches[0].id).toBe(words)
    await db.close()
    await encoder.close()
  })

  test('refuses towers of other outputs, files that are not there, and what it does not know', async () => {
    const options = { model: clip.path, modality: 'image', worker: false } as const
    await expect(dualEncoder({ ...options, outputs: { text: 'pooled' } })).rejects.toMatchObject(
      refused(/gives last_hidden_state, text_embeds; expected pooled/),
    )
    await expect(dualEncoder({ ...options, modality: 'audio' })).rejects.toMatchObject(
      refused(/audio_model\.onnx cannot be read|feature extractor/),
    )
    await expect(dualEncoder({ ...options, sha256: { image: '0'.repeat(64) } })).rejects.toMatchObject(
      refused(/has the SHA-256/),
    )
    const invalid = { code: 'AGIDB_INVALID_ARGUMENT' }
    await expect(dualEncoder({ ...options, modality: 'video' } as never)).rejects.toMatchObject(invalid)
    await expect(dualEncoder({ ...options, textLength: 2 })).rejects.toMatchObject(invalid)
  })
})

describe('an audio encoder over transformers.js', () => {
  test('agrees with ONNX Runtime for Python, and takes the mean over windows', async () => {
    const encoder = await audioEncoder({ model: clap.path, window: 1_024, worker: false })
    expect(encoder).toMatchObject({ modality: 'audio', dimension: 32, device: 'cpu' })
    const sounds = GOLDEN_SOUNDS.map(({ int16 }) => samplesOf(int16))
    const heard = await encoder.encode(sounds)
    for (const [i, { ofSound }] of GOLDEN_SOUNDS.entries())
      expect(cosine(heard[i], latentOf(ofSound))).toBeGreaterThan(0.9999)
    const both = { samples: Float32Array.of(...sounds[0].samples, ...sounds[1].samples), sampleRate: 8_000 }
    const [mean] = await encoder.encode([both])
    const sum = heard[0].map((value, i) => value + heard[1][i])
    expect(cosine(mean, sum) / Math.hypot(...sum)).toBeGreaterThan(0.9999)
    await encoder.close()
  })

  test('refuses a model that takes another window', async () => {
    await expect(audioEncoder({ model: clap.path, window: 2_048, worker: false })).rejects.toMatchObject(
      refused(/the model fails/),
    )
    await expect(audioEncoder({ model: clap.path, window: 3, worker: false })).rejects.toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
    })
  })
})
