import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as transformers from '@huggingface/transformers'
import { afterAll, describe, expect, test } from 'vitest'
import type { Transformers } from '../../../../src/models/transformers/folder.js'
import { FolderModel } from '../../../../src/models/transformers/model.js'
import type { FolderLoading } from '../../../../src/models/transformers/options.js'
import { cosine } from '../minilm.js'
import { CLIP, folderOf } from './folders.js'

const right = folderOf(CLIP)
const { 'onnx/vision_model.onnx': tower, ...rest } = CLIP
const wrong = folderOf(rest)
/** The tower of pictures with many weights that are zero. */
const damaged = readFileSync(tower as string).fill(0, 100_000, 400_000)
writeFileSync(join(wrong.path, 'onnx/vision_model.onnx'), damaged)

afterAll(() => {
  right.remove()
  wrong.remove()
})

const loading: FolderLoading = {
  sense: 'image',
  folder: right.path,
  file: 'vision_model',
  dtype: 'fp32',
  gpu: true,
  outputs: ['image_embeds'],
  otherOutput: false,
  pooling: 'mean',
}
const pixels = Float32Array.from({ length: 3 * 48 * 48 }, (_, i) => Math.sin(i / 7))
const feeds = { pixel_values: new transformers.Tensor('float32', pixels, [1, 3, 48, 48]) }

/** The latent of the pixels where the graphics processor computes what the tower in a folder gives. */
async function latentWith(folder: string): Promise<{ latent: Float32Array; loads: number }> {
  let loads = 0
  const from_pretrained = (path: string, { device, ...options }: { device?: string }) => {
    loads += 1
    return transformers.AutoModel.from_pretrained(device === 'webgpu' ? folder : path, options)
  }
  const withGpu = { ...transformers, AutoModel: { from_pretrained } } as unknown as Transformers
  const opened = { path: right.path, hash: '', read: () => Promise.reject(new Error('not read')), release: () => {} }
  const model = await FolderModel.load(withGpu, opened, loading, feeds)
  const latent = await model.latent(feeds)
  await model.release()
  return { latent, loads }
}

describe('a model that is to run on a graphics processor', () => {
  test('runs elsewhere if that gives something else', async () => {
    const good = await latentWith(right.path)
    const bad = await latentWith(wrong.path)
    expect([good.loads, bad.loads]).toEqual([2, 2])
    expect(cosine(bad.latent, good.latent)).toBeGreaterThan(0.9999)
  })

  test('is compared with one that really differs', async () => {
    const other = await FolderModel.load(
      transformers,
      { path: wrong.path, hash: '', read: () => Promise.reject(new Error('not read')), release: () => {} },
      { ...loading, gpu: false },
      feeds,
    )
    expect(cosine(await other.latent(feeds), (await latentWith(right.path)).latent)).toBeLessThan(0.999)
    await other.release()
  })
})
