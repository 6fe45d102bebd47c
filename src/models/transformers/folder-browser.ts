import { browserFiles } from '../browser-files.js'
import { fetched, obtain } from '../files.js'
import { hashOfAll, modelFiles, type OpenFolder } from './folder.js'

/** What transformers.js takes for a folder of the page. */
const PATH = '/agidb-model'

/**
 * Opens a folder at a URL, for a worker with no other model. What transformers.js fetches comes from there, and the
 * files of the model only once.
 */
export const openBrowserFolder: OpenFolder = async ({ env, LogLevel }, loading) => {
  const { folder, sha256, cache, wasm } = loading
  const read = (name: string) => fetched(`${folder}/${name}`)
  const files = await modelFiles(loading, read)
  const place = browserFiles(cache === undefined ? {} : { cache })
  const kept = new Map<string, Uint8Array<ArrayBuffer>>()
  const hashes: string[] = []
  for (const [i, name] of files.entries()) {
    const { bytes, hash } = await obtain('model', `${folder}/${name}`, i === 0 ? sha256 : undefined, place)
    kept.set(name, bytes)
    hashes.push(hash)
  }
  // Errors are thrown; to print them too would show what a memory holds.
  env.logLevel = LogLevel.NONE
  env.allowRemoteModels = false
  env.allowLocalModels = true
  env.useBrowserCache = false
  env.fetch = async (input: string | URL) => {
    const url = String(input)
    if (!url.startsWith(`${PATH}/`)) return fetch(url)
    const bytes = kept.get(url.slice(PATH.length + 1))
    return bytes === undefined ? fetch(folder + url.slice(PATH.length)) : new Response(bytes)
  }
  const runtime = env.backends.onnx.wasm!
  runtime.numThreads = 1
  // By itself transformers.js would take its WebAssembly from a server of others.
  runtime.wasmPaths = wasm === undefined ? undefined : { wasm }
  return { path: PATH, hash: hashOfAll(hashes), read, release: () => kept.clear() }
}
