import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Encoder, ImageInput, VideoInput, VideoPicture } from '../../../../src/api/encoder.js'
import { dualEncoder, imageEncoder, videoEncoder } from '../../../../src/models/node.js'
import { openMemory } from '../../engine/open.js'
import { bandEnergies, colourLayout, discs } from '../../toys/senses.js'
import { GOLDEN as TOWERS_GOLDEN, latentOf, TOWERS } from '../dual/towers.js'
import { GOLDEN, picture, TOKENS, VECTOR, video } from './clips.js'

const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i], 0)
/** Discs of one seed after the other, each so long, twice a second, with the noise of a camera. */
const shown = (...scenes: readonly (readonly [seed: number, lasts: number])[]): VideoPicture[] => {
  const pictures: VideoPicture[] = []
  for (const [seed, lasts] of scenes)
    for (let i = 0; i < lasts; i += 500)
      pictures.push({ image: discs(seed, { noise: 10 + (pictures.length % 3) }), at: 500 * pictures.length })
  return pictures
}
async function* arriving(pictures: readonly VideoPicture[]) {
  for (const one of pictures) yield await Promise.resolve(one)
}

/** Counts what an encoder of pictures is given. */
function counting() {
  const given: ImageInput[] = []
  const image: Encoder<'image'> = {
    ...colourLayout,
    encode: (pictures) => {
      given.push(...pictures)
      return colourLayout.encode(pictures)
    },
  }
  return { image, given }
}

describe('a video encoder over an encoder of pictures', () => {
  let image: Encoder<'image'>
  beforeAll(async () => {
    image = await imageEncoder(TOWERS.image)
  })
  afterAll(() => image.close())

  test.each(GOLDEN.scenes)('agrees with ONNX Runtime for Python on the mean of scenes: $scenes', async (golden) => {
    const encoder = await videoEncoder({ image, every: 250 })
    const [latent] = await encoder.encode([video(golden.scenes)])
    expect(cosine(latent, latentOf(golden.latent))).toBeGreaterThan(0.9999)
    expect(encoder).toMatchObject({ modality: 'video', dimension: image.dimension })
  })

  test('encodes a picture of each scene, the longest where there are more than count', async () => {
    const { image, given } = counting()
    const scenes = [
      [1, 3_000],
      [2, 1_000],
      [3, 2_000],
      [4, 500],
      [5, 4_000],
    ] as const
    const all = await videoEncoder({ image })
    await all.encode([shown(...scenes)])
    expect(given).toHaveLength(5)
    const few = await videoEncoder({ image, pictures: 3 })
    const [latent] = await few.encode([shown(...scenes)])
    expect(given).toHaveLength(8)
    const [longest] = await all.encode([shown(scenes[0], scenes[2], scenes[4])])
    expect(cosine(latent, longest)).toBeGreaterThan(0.99)
    expect(few.id).not.toBe(all.id)
  })

  test('takes pictures in arrays and as they arrive, pixels and files, and looks as often as it is told', async () => {
    const { image, given } = counting()
    const encoder = await videoEncoder({ image, every: 1_000 })
    const pictures = shown([1, 2_000], [2, 2_000])
    const [one, other] = await encoder.encode([pictures, arriving(pictures)])
    expect(other).toEqual(one)
    expect(given).toHaveLength(4)
    const asFiles = Promise.all(
      video([
        [0, 500],
        [5, 500],
      ]).map(async ({ image, at }) => {
        const { data, width, height } = image as ReturnType<typeof picture>
        const file = await sharp(data, { raw: { width, height, channels: 4 } })
          .png()
          .toBuffer()
        return { image: new Uint8Array(file), at }
      }),
    )
    const real = await videoEncoder({ image: await imageEncoder(TOWERS.image), every: 250 })
    const [pixels, files] = await real.encode([
      video([
        [0, 500],
        [5, 500],
      ]),
      await asFiles,
    ])
    expect(cosine(pixels, files)).toBeGreaterThan(0.9999)
  })

  test('knows a video again that is cut and noisy, among others', async () => {
    const encoder = await videoEncoder({ image: colourLayout })
    const videos = Array.from({ length: 30 }, (_, i) => shown([3 * i, 2_000], [3 * i + 1, 1_000], [3 * i + 2, 1_500]))
    const latents = await encoder.encode(videos)
    for (const [i, pictures] of videos.entries()) {
      const [again] = await encoder.encode([pictures.slice(1, -1).map(({ image, at }) => ({ image, at: at + 100 }))])
      const likeness = latents.map((latent) => cosine(latent, again))
      expect(likeness.indexOf(Math.max(...likeness))).toBe(i)
    }
  })

  test('takes words where the encoder of pictures does, so that they find videos', async () => {
    const dual = await dualEncoder(TOWERS)
    const encoder = await videoEncoder({ image: dual })
    const db = await openMemory({ encoders: { video: encoder } })
    for (const [place, { words }] of TOWERS_GOLDEN.pictures.entries())
      await db.observeMultimodal({ video: video([[place, 1_000]]) }, { id: words })
    for (const { words } of TOWERS_GOLDEN.pictures)
      expect((await db.recall(words, { modality: 'video' })).matches[0].id).toBe(words)
    await db.close()
    await dual.close()
    expect((await videoEncoder({ image: colourLayout })).encodeText).toBeUndefined()
  })

  test('has room for the sound behind the pictures, which stays empty where there is none', async () => {
    const silent = await videoEncoder({ image: colourLayout })
    const encoder = await videoEncoder({ image: colourLayout, audio: bandEnergies })
    expect(encoder.dimension).toBe(colourLayout.dimension + bandEnergies.dimension)
    expect(encoder.id).not.toBe(silent.id)
    const [[seen], [both]] = await Promise.all([silent, encoder].map((one) => one.encode([shown([1, 1_000])])))
    expect(cosine(both.slice(0, seen.length), seen)).toBeCloseTo(1, 5)
    expect(both.slice(seen.length).every((value) => value === 0)).toBe(true)
  })
})

describe('a video encoder over a model of clips', () => {
  test.each([
    ['pictures and colours', TOKENS],
    ['colours and pictures', VECTOR],
  ])('agrees with ONNX Runtime for Python, with axes of %s', async (_, options) => {
    const encoder = await videoEncoder(options)
    expect(encoder).toMatchObject({ modality: 'video', dimension: 24 })
    const latents = await encoder.encode(GOLDEN.clips.map(({ pictures }) => pictures.map(shownAt)))
    for (const [i, { latent }] of GOLDEN.clips.entries())
      expect(cosine(latents[i], latentOf(latent))).toBeGreaterThan(0.9999)
    // The same pictures in another order are another clip.
    expect(cosine(latents[0], latents[1])).toBeLessThan(0.95)
    await encoder.close()
    await expect(encoder.encode([[]])).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
  })

  test('takes pictures that are far apart of a long video, and some twice of a short one', async () => {
    const encoder = await videoEncoder(TOKENS)
    const long = Array.from({ length: 400 }, (_, i) => ({ image: picture(Math.floor(i / 100)), at: 40 * i }))
    const [four, many, one] = await encoder.encode([[0, 1, 2, 3].map(shownAt), arriving(long), [shownAt(4)]])
    expect(cosine(many, four)).toBeGreaterThan(0.9999)
    expect(cosine(one, latentOf(GOLDEN.clips[2].latent))).toBeGreaterThan(0.9999)
    await encoder.close()
  })

  test.each<[string, object, string]>([
    ['another shape', { ...TOKENS, manifest: VECTOR.manifest }, 'AGIDB_ENCODER'],
    ['another file than its SHA-256 says', { ...TOKENS, sha256: { model: '0'.repeat(64) } }, 'AGIDB_ENCODER'],
    ['bytes that are no model', { ...TOKENS, model: Uint8Array.of(1, 2, 3) }, 'AGIDB_ENCODER'],
    ['no number of pictures', { ...TOKENS, manifest: { size: 48 } }, 'AGIDB_INVALID_ARGUMENT'],
    ['too many pixels', { ...TOKENS, manifest: { size: 1_024, pictures: 64 } }, 'AGIDB_INVALID_ARGUMENT'],
    ['an unknown layout', { ...TOKENS, manifest: { ...TOKENS.manifest, layout: 'nchw' } }, 'AGIDB_INVALID_ARGUMENT'],
    ['an option of scenes', { ...TOKENS, every: 100 }, 'AGIDB_UNKNOWN_OPTION'],
    ['an encoder of another sense', { image: bandEnergies }, 'AGIDB_INVALID_ARGUMENT'],
    ['neither a model nor an encoder', {}, 'AGIDB_INVALID_ARGUMENT'],
    ['nothing', undefined as never, 'AGIDB_INVALID_ARGUMENT'],
    ['a longer video than may be', { image: colourLayout, longest: 400_000 }, 'AGIDB_INVALID_ARGUMENT'],
  ])('cannot be made of %s', async (_, options, code) => {
    await expect(videoEncoder(options as never)).rejects.toMatchObject({ code })
  })
})

describe('refused is', () => {
  const [{ image }] = shown([1, 500])
  const mp4 = Uint8Array.from([...box('ftyp', 8), ...box('mdat', 40), ...box('moov', 20)])
  test.each<[string, unknown, string]>([
    ['a file where nothing decodes it', mp4, 'AGIDB_UNSUPPORTED'],
    ['a file that is cut short', mp4.subarray(0, -4), 'AGIDB_MEDIA'],
    ['a file without what says how to read it', mp4.subarray(0, -28), 'AGIDB_MEDIA'],
    ['a WebM that is cut short', Uint8Array.from([...EBML, 0x18, 0x53, 0x80, 0x67, 0x90, 0, 0, 0, 0]), 'AGIDB_MEDIA'],
    ['a file of something else', new TextEncoder().encode('a text that is no video at all'), 'AGIDB_MEDIA'],
    ['an empty file', new Blob([]), 'AGIDB_MEDIA'],
    ['no pictures', [], 'AGIDB_MEDIA'],
    ['a picture without a time', [{ image }], 'AGIDB_MEDIA'],
    ['something else than pictures', [1, 2], 'AGIDB_MEDIA'],
    ['a number', 7, 'AGIDB_MEDIA'],
    [
      'pictures out of order',
      [
        { image, at: 5 },
        { image, at: 5 },
      ],
      'AGIDB_MEDIA',
    ],
    [
      'more time than may be',
      [
        { image, at: 0 },
        { image, at: 2_001 },
      ],
      'AGIDB_TOO_LARGE',
    ],
    ['more pictures than may be', endless(image), 'AGIDB_TOO_LARGE'],
    ['a picture that is larger than it says', [{ image: { ...discs(1), width: 65 }, at: 0 }], 'AGIDB_MEDIA'],
    [
      'a picture that is too large',
      [{ image: { ...discs(1), width: 2 ** 16, height: 2 ** 16 }, at: 0 }],
      'AGIDB_TOO_LARGE',
    ],
  ])('%s', async (_, given, code) => {
    const encoder = await videoEncoder({ image: colourLayout, longest: 2_000, every: 1_000 })
    await expect(encoder.encode([given as VideoInput])).rejects.toMatchObject({ code })
  })

  test('a file that is too large, before it is read', async () => {
    const encoder = await videoEncoder({ image: colourLayout })
    const large = new Blob([])
    Object.defineProperty(large, 'size', { value: 2 ** 28 + 1 })
    await expect(encoder.encode([large])).rejects.toMatchObject({ code: 'AGIDB_TOO_LARGE' })
  })

  test('what an encoder of pictures refuses, and the next video is encoded', async () => {
    const failing = { ...colourLayout, encode: () => Promise.reject(new Error('out of memory')) }
    const db = await openMemory({ encoders: { video: await videoEncoder({ image: failing }) } })
    await expect(db.observeMultimodal({ video: shown([1, 500]) })).rejects.toMatchObject({ code: 'AGIDB_ENCODER' })
    await db.observe('Text goes on.')
    expect(await db.count()).toBe(1)
    await db.close()
  })
})

/** A head of EBML without contents. */
const EBML = [0x1a, 0x45, 0xdf, 0xa3, 0x80]

const shownAt = (place: number, i = 0) => ({ image: picture(place), at: 1_000 * i })

function* endless(image: ImageInput) {
  for (let at = 0; ; at += 0.001) yield { image, at }
}

function box(name: string, bytes: number): number[] {
  const made = [0, 0, 0, bytes + 8, ...new TextEncoder().encode(name)]
  return [...made, ...new Array<number>(bytes).fill(0)]
}
