import { Agidb, AgidbError } from '../../src/runtimes/browser/index.js'
import { gliner, type GlinerOptions } from '../../src/models/gliner/browser.js'

const wasm = new URL('../../node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm', import.meta.url)

const gpuWasm = new URL('../../node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.asyncify.wasm', import.meta.url)

const CONTEXT = { at: '2026-05-01T00:00:00.000Z' }

/** The extractor, for tests that run code in the page. */
const reading = {
  /** What a model finds in each text, and where it runs. */
  async entities(options: GlinerOptions, texts: readonly string[]) {
    const extractor = await gliner({ wasm, gpuWasm, ...options })
    const read = await extractor.extract(
      texts,
      texts.map(() => CONTEXT),
    )
    await extractor.close?.()
    return { device: extractor.device, entities: read.map(({ entities }) => entities) }
  },

  /** Opens a memory with a model, observes a text, and answers what is stored of it. */
  async remember(options: GlinerOptions, text: string) {
    const extractor = await gliner({ wasm, ...options })
    const db = await Agidb.open({ name: 'gliner', extract: extractor })
    const id = await db.observe(text)
    await db.recall(text, { whole: true })
    const episode = await db.getEpisode(id)
    const { extraction } = await db.stats()
    await db.close()
    await extractor.close?.()
    return { version: extractor.version, stored: episode?.extraction, extraction }
  },

  async failure(options: GlinerOptions): Promise<string> {
    try {
      await gliner({ wasm, ...options })
      return 'none'
    } catch (error) {
      return error instanceof AgidbError ? `${error.code}: ${error.message}` : String(error)
    }
  },
}

declare global {
  interface Window {
    reading: typeof reading
  }
}

window.reading = reading
