import { Agidb, AgidbError } from '../../src/runtimes/browser/index.js'
import { sentenceEncoder, type EncoderOptions } from '../../src/models/browser.js'

const wasm = new URL('../../node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm', import.meta.url)

interface Files {
  readonly model: string
  readonly tokenizer: string
  readonly sha256: { readonly model: string; readonly tokenizer: string }
}

const open = (files: Files, options: Partial<EncoderOptions> = {}) =>
  sentenceEncoder({ ...files, wasm, cueMs: 60_000, ...options })

/** The encoder, for tests that run code in the page. */
const encoding = {
  async latents(files: Files, texts: readonly string[]): Promise<number[][]> {
    const encoder = await open(files)
    const latents = await encoder.encode(texts)
    await encoder.close()
    return latents.map((latent) => [...latent])
  },

  /** Opens a database with an encoder, remembers, waits for the encoding, and asks. */
  async remember(files: Files, name: string, texts: readonly string[], cue: string) {
    const encoder = await open(files)
    const reports: number[] = []
    const db = await Agidb.open({ name, encoder, onEncoded: ({ done }) => void reports.push(done) })
    const before = (await db.stats()).encoder
    await db.observeMany(texts.map((text) => ({ text })))
    while ((await db.stats()).encoder!.pending > 0) await new Promise((resolve) => setTimeout(resolve, 20))
    const { attentionTrace, matches } = await db.recall(cue, { traceAttention: true })
    const after = (await db.stats()).encoder
    await db.close()
    await encoder.close()
    return { before, after, reports, sentence: attentionTrace?.sentence, best: matches[0].text }
  },

  /** Where files are kept: names and sizes in the origin private file system, and names in the Cache API. */
  async kept(): Promise<{ files: Record<string, number>; responses: string[] }> {
    const files: Record<string, number> = {}
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('agidb-models', { create: true })
    for await (const handle of folder.values())
      files[handle.name] = (await (handle as FileSystemFileHandle).getFile()).size
    const responses = await (await caches.open('agidb-models')).keys()
    return { files, responses: responses.map(({ url }) => new URL(url).pathname.split('/').at(-1)!) }
  },

  /** Changes a byte of a file that is kept. */
  async damage(hash: string): Promise<void> {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('agidb-models')
    const writable = await (await folder.getFileHandle(hash)).createWritable({ keepExistingData: true })
    await writable.write({ type: 'write', position: 1000, data: new Uint8Array([1, 2, 3]) })
    await writable.close()
  },

  /** The id of an encoder in a worker of the page's own that cannot move private files. */
  async withoutMove(files: Files): Promise<string> {
    const worker = () => new Worker(new URL('./encoder-without-move.worker.ts', import.meta.url), { type: 'module' })
    const encoder = await open(files, { worker })
    await encoder.close()
    return encoder.id
  },

  async failure(files: Files, options: { readonly worker?: string; readonly cache?: string }): Promise<string> {
    const { worker, ...rest } = options
    try {
      await open(files, {
        ...rest,
        ...(worker !== undefined && { worker: () => new Worker(worker, { type: 'module' }) }),
      })
      return 'none'
    } catch (error) {
      return error instanceof AgidbError ? `${error.code}: ${error.message}` : String(error)
    }
  },
}

declare global {
  interface Window {
    encoding: typeof encoding
  }
}

window.encoding = encoding
