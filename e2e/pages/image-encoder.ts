import { imageEncoder, type ImageManifest } from '../../src/models/browser.js'
import { Agidb } from '../../src/runtimes/browser/index.js'

const wasm = new URL('../../node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm', import.meta.url)

/** Remembers pictures, for tests that run code in the page. */
async function seeing(model: string, manifest: ImageManifest, pictures: readonly string[]) {
  const image = await imageEncoder({ model: new URL(model, location.href), manifest, wasm })
  const files = await Promise.all(pictures.map(async (path) => (await fetch(path)).blob()))
  const latents = await image.encode(files)
  const db = await Agidb.open({ storage: 'memory', encoders: { image } })
  const ids: string[] = []
  for (const file of files) ids.push(await db.observeMultimodal({ image: file }, { keep: 'thumbnail' }))
  const thumbnail = await createImageBitmap(await new Response(await db.media(ids[0])).blob())
  const found: number[] = []
  for (const file of files) found.push(ids.indexOf((await db.recall(undefined, { image: file })).matches[0].id))
  await db.close()
  await image.close()
  return { latents: latents.map((latent) => [...latent]), found, thumbnail: [thumbnail.width, thumbnail.height] }
}

declare global {
  interface Window {
    seeing: typeof seeing
  }
}

window.seeing = seeing
