import { expect, type BrowserContext, type Page } from '@playwright/test'
import { GOLDEN as TOWERS, latentOf, pixelsOf } from '../test/unit/models/dual/towers.js'
import { cosine } from '../test/unit/models/minilm.js'
import { CLIP, type Layout, MINILM, SOUNDS } from '../test/unit/models/transformers/folders.js'
import { requestsElsewhere } from './requests.js'

export const FOLDERS: Readonly<Record<string, Layout>> = {
  minilm: MINILM,
  clip: { ...CLIP, 'onnx/model.onnx': CLIP['onnx/vision_model.onnx'] },
  clap: { ...SOUNDS, 'onnx/model.onnx': SOUNDS['onnx/audio_model.onnx'] },
}

export const pictures = TOWERS.pictures.map(({ words, rgb }) => ({
  ...pixelsOf(rgb),
  words,
  data: [...pixelsOf(rgb).data],
}))

/** A page with the folders of models, the files that it asked for, and what it asked other servers for. */
export async function modelsPage(
  url: string,
  context: BrowserContext,
): Promise<{ page: Page; asked: string[]; foreign: string[] }> {
  const asked: string[] = []
  const foreign = requestsElsewhere(context, url)
  await context.route(`${url}/models/**`, async (route) => {
    const [folder, ...rest] = new URL(route.request().url()).pathname.slice('/models/'.length).split('/')
    asked.push(rest.join('/'))
    const file = FOLDERS[folder]?.[rest.join('/')]
    if (file === undefined) await route.fulfill({ status: 404 })
    else await route.fulfill(typeof file === 'string' ? { path: file } : { json: file })
  })
  const page = await context.newPage()
  await page.goto(`${url}/e2e/pages/transformers.html`)
  await page.waitForFunction(() => typeof window.encoders === 'object')
  return { page, asked, foreign }
}

/** The cosine of two latents. */
export const close = (a: readonly number[], b: Float32Array) => cosine(Float32Array.from(a), b)

/** Pictures in a page, with a model that is to run on the graphics processor. */
export async function picturesOnGpu(url: string, context: BrowserContext): Promise<string> {
  const { page, foreign } = await modelsPage(url, context)
  const onGpu = (pictures: Parameters<typeof window.encoders.pictures>[1]) =>
    window.encoders.pictures('/models/clip', pictures, { device: 'webgpu' })
  const { device, latents } = await page.evaluate(onGpu, pictures)
  for (const [i, { latent }] of TOWERS.pictures.entries())
    expect(close(latents[i], latentOf(latent))).toBeGreaterThan(0.999)
  expect(foreign).toEqual([])
  return device
}
