import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Encoder, Pixels } from '../../../../src/api/encoder.js'
import { readImageHeader } from '../../../../src/models/image/header.js'
import type { ImageEncoderOptions } from '../../../../src/models/image/options.js'
import { openMemory } from '../../engine/open.js'
import { discs } from '../../toys/senses.js'
import { lite0, LITE0 } from './lite0.js'

const ROOT = new URL('../../../../', import.meta.url)
const GOLDEN = JSON.parse(readFileSync(new URL('fixtures/golden.json', import.meta.url), 'utf8')) as {
  readonly picture: string
  readonly latent: string
}[]
const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i], 0)
const raw = ({ data, width, height }: Pixels) => sharp(data, { raw: { width, height, channels: 4 } })
const [PNG, JPEG, WEBP, GIF] = await Promise.all([
  raw(discs(1)).png().toBuffer(),
  raw(discs(1)).jpeg().toBuffer(),
  raw(discs(1)).webp({ lossless: true }).toBuffer(),
  raw(discs(1)).gif().toBuffer(),
])

let encoder: Encoder<'image'>

beforeAll(async () => {
  encoder = await lite0()
})
afterAll(() => encoder.close())

describe('an image encoder', () => {
  test('says what it is, and is another where pictures are prepared otherwise', async () => {
    expect(encoder).toMatchObject({ modality: 'image', dimension: 1_280 })
    expect(encoder.id).toMatch(/^[0-9a-f]{64}$/)
    const other = await lite0({ manifest: { ...LITE0.manifest, crop: 0.9 } })
    expect(other.id).not.toBe(encoder.id)
    await other.close()
  })

  test.each(GOLDEN)('agrees with Pillow and ONNX Runtime for Python: $picture', async ({ picture, latent }) => {
    const [own] = await encoder.encode([new Uint8Array(await readFile(new URL(picture, ROOT)))])
    const reference = new Float32Array(Uint8Array.from(Buffer.from(latent, 'base64')).buffer)
    expect(cosine(own, reference)).toBeGreaterThan(0.999)
    expect(cosine(own, own)).toBeCloseTo(1, 5)
  })

  test('takes files, blobs and pixels', async () => {
    const inputs = [discs(1), new Uint8Array(PNG), new Blob([new Uint8Array(PNG)]), new Uint8Array(WEBP)]
    const [pixels, ...others] = await encoder.encode(inputs)
    for (const other of others) expect(other).toEqual(pixels)
    const [jpeg, gif] = await encoder.encode([new Uint8Array(JPEG), new Uint8Array(GIF)])
    for (const lossy of [jpeg, gif]) expect(cosine(lossy, pixels)).toBeGreaterThan(0.7)
  })

  test('makes a thumbnail of a picture, which is no larger than the picture', async () => {
    const [large, small] = await Promise.all(
      [discs(1, { size: 300 }), discs(1)].map(async (picture) => encoder.thumbnail!(picture)),
    )
    expect(readImageHeader(large.bytes)).toEqual({ type: 'image/jpeg', width: 256, height: 256 })
    expect(readImageHeader(small.bytes)).toMatchObject({ width: 64, height: 64 })
    const [one, other] = await encoder.encode([discs(1, { size: 300 }), large.bytes])
    expect(cosine(one, other)).toBeGreaterThan(0.9)
  })

  test('turns a picture upright as its camera says', async () => {
    const turned = await raw(discs(1)).rotate(90).png().toBuffer()
    const marked = await sharp(turned).withMetadata({ orientation: 8 }).png().toBuffer()
    const [upright, own] = await encoder.encode([discs(1), new Uint8Array(marked)])
    expect(cosine(upright, own)).toBeGreaterThan(0.999)
  })
})

describe('refused is', () => {
  const bomb = new Uint8Array(PNG)
  new DataView(bomb.buffer).setUint32(16, 100_000)
  test.each<[string, unknown, string]>([
    ['a PNG that is cut short', new Uint8Array(PNG.subarray(0, -20)), 'AGIDB_MEDIA'],
    ['a JPEG that is cut short', new Uint8Array(JPEG.subarray(0, -200)), 'AGIDB_MEDIA'],
    ['a WebP that is cut short', new Uint8Array(WEBP.subarray(0, -20)), 'AGIDB_MEDIA'],
    ['a GIF that is cut short', new Uint8Array(GIF.subarray(0, -20)), 'AGIDB_MEDIA'],
    ['a text', new TextEncoder().encode('no picture'), 'AGIDB_MEDIA'],
    ['nothing', new Uint8Array(0), 'AGIDB_MEDIA'],
    ['a PNG whose bytes are damaged', new Uint8Array(PNG).fill(7, 60, 120), 'AGIDB_MEDIA'],
    ['a PNG that says it is enormous', bomb.map((byte, i) => (i === 20 ? 1 : byte)), 'AGIDB_TOO_LARGE'],
    ['pixels of another size', { data: new Uint8Array(16), width: 3, height: 3 }, 'AGIDB_MEDIA'],
    ['a picture without pixels', { data: new Uint8Array(0), width: 0, height: 0 }, 'AGIDB_MEDIA'],
    ['something else', { src: 'cat.png' }, 'AGIDB_MEDIA'],
  ])('%s', async (_, input, code) => {
    await expect(encoder.encode([input as Uint8Array])).rejects.toMatchObject({ code })
  })

  test.each<[string, Partial<ImageEncoderOptions>, string]>([
    ['a model that is not there', { model: '/nowhere.onnx', sha256: {} }, 'AGIDB_ENCODER'],
    ['a model that is another', { sha256: { model: '0'.repeat(64) } }, 'AGIDB_ENCODER'],
    ['bytes that are no model', { model: new Uint8Array(9), sha256: {} }, 'AGIDB_ENCODER'],
    ['a model of another size', { manifest: { size: 96 } }, 'AGIDB_ENCODER'],
    ['an output that the model has not', { manifest: { size: 224, output: 'logits' } }, 'AGIDB_ENCODER'],
    ['a manifest without a size', { manifest: {} as never }, 'AGIDB_INVALID_ARGUMENT'],
    ['a name that is not known', { manifest: { size: 224, colour: 1 } as never }, 'AGIDB_UNKNOWN_OPTION'],
  ])('%s', async (_, options, code) => {
    await expect(lite0(options)).rejects.toMatchObject({ code })
  })
})

test('The kind and the size of a picture are read out of its first bytes.', () => {
  const read = (bytes: Uint8Array) => readImageHeader(new Uint8Array(bytes))
  expect(read(PNG)).toEqual({ type: 'image/png', width: 64, height: 64 })
  expect(read(JPEG)).toEqual({ type: 'image/jpeg', width: 64, height: 64 })
  expect(read(WEBP)).toEqual({ type: 'image/webp', width: 64, height: 64 })
  expect(read(GIF)).toEqual({ type: 'image/gif', width: 64, height: 64 })
})

test('A memory finds pictures by other crops of them, saved again as JPEG.', async () => {
  const db = await openMemory({ encoders: { image: encoder } })
  const count = 24
  for (let i = 0; i < count; i++)
    await db.observeMultimodal({ image: discs(i, { size: 128 }) }, { id: `p-${i}`, session: `s${i % 4}` })
  let right = 0
  for (let i = 0; i < count; i++) {
    const crop = { left: 8, top: 4, width: 112, height: 112 }
    const image = new Uint8Array(
      await raw(discs(i, { size: 128 }))
        .extract(crop)
        .jpeg({ quality: 90 })
        .toBuffer(),
    )
    if ((await db.recall(undefined, { image, k: 1 })).matches[0].id === `p-${i}`) right++
  }
  expect(right / count).toBeGreaterThanOrEqual(0.85)
  await db.close()
}, 300_000)

test('a PNG that ends where it begins is refused as cut short', () => {
  const begins = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0, 0, 0, 0]
  expect(() => readImageHeader(Uint8Array.from(begins))).toThrow(expect.objectContaining({ code: 'AGIDB_MEDIA' }))
})
