import { readFileSync } from 'node:fs'
import { Tokenizer } from '@huggingface/tokenizers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Encoder } from '../../../../src/api/encoder.js'
import { dualEncoder, imageEncoder } from '../../../../src/models/node.js'
import { openMemory } from '../../engine/open.js'
import { colourLayout } from '../../toys/senses.js'
import { GOLDEN_SOUNDS, samplesOf, SOUND_TOWERS } from './sound-towers.js'
import { GOLDEN, latentOf, pixelsOf, TOWERS } from './towers.js'

const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i], 0)
let encoder: Encoder<'image'> & Required<Pick<Encoder<'image'>, 'encodeText'>>

beforeAll(async () => {
  encoder = await dualEncoder(TOWERS)
})
afterAll(() => encoder.close())

describe('a dual encoder', () => {
  test.each(GOLDEN.texts)('reads a text into the tokens of byte BPE: $text', ({ text, ids }) => {
    const json = JSON.parse(readFileSync(TOWERS.text.tokenizer as string, 'utf8')) as object
    expect(new Tokenizer(json, {}).encode(text).ids).toEqual(ids)
  })

  test('agrees with ONNX Runtime for Python in texts and pictures', async () => {
    const read = await encoder.encodeText(GOLDEN.texts.map(({ text }) => text))
    const seen = await encoder.encode(GOLDEN.pictures.map(({ rgb }) => pixelsOf(rgb)))
    for (const [i, { latent }] of GOLDEN.texts.entries())
      expect(cosine(read[i], latentOf(latent))).toBeGreaterThan(0.9999)
    for (const [i, { latent }] of GOLDEN.pictures.entries())
      expect(cosine(seen[i], latentOf(latent))).toBeGreaterThan(0.9999)
  })

  test('lets words find pictures that were remembered without words', async () => {
    const db = await openMemory({ encoders: { image: encoder } })
    for (const { words, rgb } of GOLDEN.pictures) await db.observeMultimodal({ image: pixelsOf(rgb) }, { id: words })
    for (const { words } of GOLDEN.pictures) {
      const { matches } = await db.recall(words, { modality: 'image' })
      expect(matches[0].id).toBe(words)
      expect(matches[0].signals.image).toBeGreaterThan(0)
    }
    await db.close()
  })

  test('has the id of its tower of pictures', async () => {
    const image = await imageEncoder(TOWERS.image)
    expect(encoder.id).toBe(image.id)
    await image.close()
  })

  test('refuses towers that do not belong together, and an output that is not there', async () => {
    const other = dualEncoder({ ...TOWERS, text: { ...TOWERS.text, output: 'pooled' } })
    await expect(other).rejects.toMatchObject({ code: 'AGIDB_ENCODER', message: expect.stringContaining('pooled') })
    const flat = { ...TOWERS.image, manifest: { ...TOWERS.image.manifest, output: 'flat' } }
    await expect(dualEncoder({ ...TOWERS, image: flat })).rejects.toMatchObject({ code: 'AGIDB_ENCODER' })
    await expect(dualEncoder({ text: TOWERS.text } as never)).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  })
})

describe('a dual encoder of sounds', () => {
  let sounds: Encoder<'audio'> & Required<Pick<Encoder<'audio'>, 'encodeText'>>

  beforeAll(async () => {
    sounds = await dualEncoder(SOUND_TOWERS)
  })
  afterAll(() => sounds.close())

  test('agrees with ONNX Runtime for Python in sounds, and in texts that are filled up', async () => {
    const read = await sounds.encodeText(GOLDEN_SOUNDS.map(({ words }) => words))
    const heard = await sounds.encode(GOLDEN_SOUNDS.map(({ int16 }) => samplesOf(int16)))
    for (const [i, { ofText, ofSound }] of GOLDEN_SOUNDS.entries()) {
      expect(cosine(read[i], latentOf(ofText))).toBeGreaterThan(0.9999)
      expect(cosine(heard[i], latentOf(ofSound))).toBeGreaterThan(0.9999)
    }
  })

  test('fills texts up with the token that it is told, and to the length that the model takes', async () => {
    const { text } = SOUND_TOWERS
    const other = await dualEncoder({ ...SOUND_TOWERS, text: { ...text, padding: { length: 16, token: 4 } } })
    const [read] = await other.encodeText([GOLDEN_SOUNDS[0].words])
    expect(cosine(read, latentOf(GOLDEN_SOUNDS[0].ofText))).toBeLessThan(0.999)
    await other.close()
    const short = dualEncoder({ ...SOUND_TOWERS, text: { ...text, padding: undefined } })
    await expect(short).rejects.toMatchObject({ code: 'AGIDB_ENCODER', message: expect.stringContaining('tokens') })
    const none = dualEncoder({ ...SOUND_TOWERS, text: { ...text, padding: { length: 4, token: 3 } } })
    await expect(none).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  })

  test('lets words find sounds that were remembered without words', async () => {
    const db = await openMemory({ encoders: { audio: sounds } })
    for (const { words, int16 } of GOLDEN_SOUNDS) await db.observeMultimodal({ audio: samplesOf(int16) }, { id: words })
    for (const { words } of GOLDEN_SOUNDS) {
      const { matches } = await db.recall(words, { modality: 'audio' })
      expect(matches[0].id).toBe(words)
      expect(matches[0].signals.audio).toBeGreaterThan(0)
    }
    await db.close()
  })
})

describe('words for pictures', () => {
  test('are refused without an encoder that knows words, without a cue, and beside a picture', async () => {
    const db = await openMemory({ encoders: { image: colourLayout } })
    const invalid = { code: 'AGIDB_INVALID_ARGUMENT' }
    await expect(db.recall('a red square', { modality: 'image' })).rejects.toMatchObject(invalid)
    await expect(db.recall('a loud bell', { modality: 'audio' })).rejects.toMatchObject(invalid)
    await expect(db.recall(undefined, { modality: 'image' })).rejects.toMatchObject(invalid)
    const both = { modality: 'image', image: pixelsOf(GOLDEN.pictures[0].rgb) } as const
    await expect(db.recall('a red square', both)).rejects.toMatchObject(invalid)
    await db.close()
  })
})
