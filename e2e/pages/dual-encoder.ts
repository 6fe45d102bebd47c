import { dualEncoder, type ImageManifest } from '../../src/models/browser.js'
import { Agidb } from '../../src/runtimes/browser/index.js'

const wasm = new URL('../../node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm', import.meta.url)

/** Remembers pictures, and looks for each by its words; for tests that run code in the page. */
async function findingByWords(
  folder: string,
  manifest: ImageManifest,
  pictures: readonly { words: string; data: number[]; width: number; height: number }[],
) {
  const file = (name: string) => new URL(`${folder}/${name}`, location.href)
  const image = await dualEncoder({
    text: { model: file('text.onnx'), tokenizer: file('tokenizer.json'), output: 'text_embeds' },
    image: { model: file('image.onnx'), manifest },
    wasm,
  })
  const db = await Agidb.open({ storage: 'memory', encoders: { image } })
  for (const { words, data, width, height } of pictures)
    await db.observeMultimodal({ image: new ImageData(Uint8ClampedArray.from(data), width, height) }, { id: words })
  const found: string[] = []
  for (const { words } of pictures) found.push((await db.recall(words, { modality: 'image' })).matches[0].id)
  const latents = await image.encodeText(pictures.map(({ words }) => words))
  await db.close()
  await image.close()
  return { found, dimension: latents[0].length }
}

declare global {
  interface Window {
    findingByWords: typeof findingByWords
  }
}

window.findingByWords = findingByWords
