import { afterAll, expect, test } from 'vitest'
import { videoEncoder } from '../../../../src/models/node.js'
import { dualEncoder, imageEncoder } from '../../../../src/models/transformers/node.js'
import { openMemory } from '../../engine/open.js'
import { GOLDEN, pixelsOf } from '../dual/towers.js'
import { cosine } from '../minilm.js'
import { CLIP, folderOf } from './folders.js'

const clip = folderOf({ ...CLIP, 'onnx/model.onnx': CLIP['onnx/vision_model.onnx'] })
afterAll(() => clip.remove())

/** A video with one scene for each of some pictures, a second each, looked at four times. */
const videoOf = (...pictures: readonly (typeof GOLDEN.pictures)[number][]) =>
  pictures.flatMap(({ rgb }, scene) =>
    [0, 250, 500, 750].map((at) => ({ image: pixelsOf(rgb), at: 1_000 * scene + at })),
  )

test('a video is encoded by the pictures of its scenes through an encoder over transformers.js', async () => {
  const image = await imageEncoder({ model: clip.path, worker: false })
  const video = await videoEncoder({ image })
  expect(video).toMatchObject({ modality: 'video', dimension: image.dimension })
  const [one, other] = GOLDEN.pictures
  const [alone, both] = await video.encode([videoOf(one), videoOf(one, other)])
  const [first, second] = await image.encode([one, other].map(({ rgb }) => pixelsOf(rgb)))
  expect(cosine(alone, first)).toBeGreaterThan(0.9999)
  // The mean of two scenes that last as long stands in the middle.
  expect(cosine(both, first)).toBeCloseTo(cosine(both, second), 2)
  expect(await video.thumbnail!(videoOf(one))).toMatchObject({ type: 'image/jpeg' })
  expect(video.encodeText).toBeUndefined()
  await video.close()
  await image.close()
})

test('words find videos through a dual encoder over transformers.js', async () => {
  const image = await dualEncoder({ model: clip.path, modality: 'image', worker: false })
  const video = await videoEncoder({ image })
  const db = await openMemory({ encoders: { video } })
  for (const picture of GOLDEN.pictures) await db.observeMultimodal({ video: videoOf(picture) }, { id: picture.words })
  for (const { words, ...picture } of GOLDEN.pictures) {
    expect((await db.recall(words, { modality: 'video' })).matches[0].id).toBe(words)
    expect((await db.recall(undefined, { video: videoOf({ words, ...picture }) })).matches[0].id).toBe(words)
  }
  await db.close()
  await video.close()
  await image.close()
})
