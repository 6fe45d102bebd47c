import { AgidbError, Agidb } from '../../src/runtimes/browser/index.js'
import { videoEncoder } from '../../src/models/browser.js'
import { audioEncoder, dualEncoder, imageEncoder, sentenceEncoder } from '../../src/models/transformers/browser.js'
import { type Scene, recorded } from './recorded.js'

const wasm = new URL(
  '../../node_modules/@huggingface/transformers/node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.asyncify.wasm',
  import.meta.url,
)

interface Picture {
  readonly words: string
  readonly data: number[]
  readonly width: number
  readonly height: number
}

interface Sound {
  readonly words: string
  readonly samples: number[]
  readonly sampleRate: number
}

const pixels = ({ data, width, height }: Picture) => new ImageData(Uint8ClampedArray.from(data), width, height)
const samples = ({ samples, sampleRate }: Sound) => ({ samples: Float32Array.from(samples), sampleRate })

/** The encoders, for tests that run code in the page. */
const encoders = {
  async texts(model: string, texts: readonly string[], options: { sha256?: string } = {}) {
    const encoder = await sentenceEncoder({ model, wasm, ...options })
    const latents = await encoder.encode(texts)
    const { id, device } = encoder
    await encoder.close()
    return { id, device, latents: latents.map((latent) => [...latent]) }
  },

  /** Remembers texts in a database of its own, and asks. */
  async remember(model: string, texts: readonly string[], cue: string) {
    const encoder = await sentenceEncoder({ model, wasm, cueMs: 60_000 })
    const db = await Agidb.open({ storage: 'memory', encoder })
    await db.observeMany(texts.map((text) => ({ text })))
    while ((await db.stats()).encoder!.pending > 0) await new Promise((resolve) => setTimeout(resolve, 20))
    const { matches, attentionTrace } = await db.recall(cue, { traceAttention: true })
    await db.close()
    await encoder.close()
    return { best: matches[0].text, sentence: attentionTrace?.sentence }
  },

  async pictures(model: string, pictures: readonly Picture[], options: { device?: 'webgpu' } = {}) {
    const encoder = await imageEncoder({ model, wasm, ...options })
    const latents = await encoder.encode(pictures.map(pixels))
    await encoder.close()
    const { id, device } = encoder
    return { id, device, latents: latents.map((latent) => [...latent]) }
  },

  async sounds(model: string, window: number, sounds: readonly Sound[]) {
    const encoder = await audioEncoder({ model, wasm, window })
    const latents = await encoder.encode(sounds.map(samples))
    await encoder.close()
    return { id: encoder.id, latents: latents.map((latent) => [...latent]) }
  },

  /** Remembers pictures without words, and looks for each by its words. */
  async picturesByWords(model: string, pictures: readonly Picture[]) {
    const image = await dualEncoder({ model, modality: 'image', wasm })
    const db = await Agidb.open({ storage: 'memory', encoders: { image } })
    for (const picture of pictures) await db.observeMultimodal({ image: pixels(picture) }, { id: picture.words })
    const found: string[] = []
    for (const { words } of pictures) found.push((await db.recall(words, { modality: 'image' })).matches[0].id)
    await db.close()
    await image.close()
    return found
  },

  /** Remembers videos that the page records, one of each colour and shape, and looks for each by its words. */
  async videosByWords(model: string, scenes: Readonly<Record<string, Scene>>) {
    const image = await dualEncoder({ model, modality: 'image', wasm })
    const video = await videoEncoder({ image, every: 250 })
    const db = await Agidb.open({ storage: 'memory', encoders: { video } })
    for (const [words, scene] of Object.entries(scenes))
      await db.observeMultimodal({ video: await recorded([scene]) }, { id: words })
    const found: string[] = []
    for (const words of Object.keys(scenes)) found.push((await db.recall(words, { modality: 'video' })).matches[0].id)
    const again = await recorded([Object.values(scenes)[0]])
    found.push((await db.recall(undefined, { video: again })).matches[0].id)
    await db.close()
    await video.close()
    await image.close()
    return found
  },

  /** Remembers sounds without words, and looks for each by its words. */
  async soundsByWords(model: string, window: number, sounds: readonly Sound[]) {
    const audio = await dualEncoder({ model, modality: 'audio', textLength: 16, window, wasm })
    const db = await Agidb.open({ storage: 'memory', encoders: { audio } })
    for (const sound of sounds) await db.observeMultimodal({ audio: samples(sound) }, { id: sound.words })
    const found: string[] = []
    for (const { words } of sounds) found.push((await db.recall(words, { modality: 'audio' })).matches[0].id)
    await db.close()
    await audio.close()
    return found
  },

  async failure(options: object): Promise<string> {
    try {
      await sentenceEncoder({ wasm, ...options } as Parameters<typeof sentenceEncoder>[0])
      return 'none'
    } catch (error) {
      return error instanceof AgidbError ? `${error.code}: ${error.message}` : String(error)
    }
  },
}

declare global {
  interface Window {
    encoders: typeof encoders
  }
}

window.encoders = encoders
