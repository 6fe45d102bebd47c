import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { checkKeys, invalid } from '../../api/check.js'
import type { Sense } from '../../api/encoder.js'
import { encodeUtf8 } from '../../base/utf8.js'
import type { EncoderWorker, FileSource } from '../options.js'

/** The options that the encoders of all senses have. */
export interface SenseEncoderOptions {
  /**
   * Where files from URLs are kept, by their SHA-256. In Node and Deno a folder; default: nowhere. In a browser the
   * origin private file system, or the Cache API where it has none; `false`: nowhere.
   */
  readonly cache?: string | false
  /** The URL of `onnxruntime-web/ort-wasm-simd-threaded.wasm`, for a bundler that loses it. */
  readonly wasm?: URL | string
  /**
   * `false`: encode in this thread, which each input then holds up (Node and Deno only). A worker that runs
   * `agidb/onnx/image-worker`, `agidb/onnx/audio-worker` or `agidb/onnx/video-worker`, or a function that makes one
   * (browsers only). Default: a worker of its own.
   */
  readonly worker?: false | EncoderWorker | (() => EncoderWorker)
}

/** A file and what its SHA-256 must be. */
export interface FileLoading {
  readonly source: Uint8Array<ArrayBuffer> | ArrayBuffer | string
  readonly sha256: string | undefined
}

/** The options of an encoder in the form in which they cross to a worker, checked. */
export interface SenseLoading<Preparation> {
  /** The files by the names of their options. */
  readonly files: Readonly<Record<string, FileLoading>>
  /** The manifest with its defaults. */
  readonly preparation: Preparation
  readonly cache?: string | false
  readonly wasm?: string
}

/** What an encoder takes beside {@link SenseEncoderOptions}. */
export interface OptionsOf<Manifest> extends SenseEncoderOptions {
  readonly manifest: Manifest
  readonly sha256?: Readonly<Record<string, string | undefined>>
}

/** The options of an encoder that name files; `optional` need not be given. */
export interface FileNames {
  readonly required: readonly string[]
  readonly optional?: readonly string[]
}

/**
 * Checks the options of an encoder and brings them into the form in which they cross.
 *
 * @param name of the function that takes them
 * @param check makes a preparation of a manifest
 * @param resolve makes a text that names a file into what the reader of files understands
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`
 */
export function toSenseLoading<Manifest, Preparation>(
  name: string,
  options: OptionsOf<Manifest>,
  { required, optional = [] }: FileNames,
  check: (manifest: Manifest) => Preparation,
  resolve: (file: string) => string,
): SenseLoading<Preparation> {
  const names = [...required, ...optional]
  checkKeys(name, options, [...names, 'manifest', 'sha256', 'cache', 'wasm', 'worker'])
  const { manifest, sha256 = {}, cache, wasm } = options ?? {}
  checkKeys('sha256', sha256, names)
  const sources = (options ?? {}) as unknown as Readonly<Record<string, FileSource | undefined>>
  const given = names.filter((file) => required.includes(file) || sources[file] !== undefined)
  const files = given.map((file): [string, FileLoading] => {
    const expected: unknown = sha256[file]
    if (expected !== undefined && !(typeof expected === 'string' && /^[0-9a-f]{64}$/i.test(expected)))
      throw invalid(`sha256.${file} must be 64 hexadecimal digits`, { option: `sha256.${file}` })
    return [file, { source: sourceOf(file, sources[file], resolve), sha256: sha256[file]?.toLowerCase() }]
  })
  return {
    files: Object.fromEntries(files),
    preparation: check(manifest),
    ...(cache !== undefined && { cache }),
    ...(wasm !== undefined && { wasm: wasm instanceof URL ? wasm.href : resolve(wasm) }),
  }
}

function sourceOf(name: string, source: unknown, resolve: (file: string) => string): FileLoading['source'] {
  if (source instanceof URL) return source.href
  if (typeof source === 'string' && source !== '') return resolve(source)
  if (source instanceof Uint8Array || source instanceof ArrayBuffer) return source as Uint8Array<ArrayBuffer>
  throw invalid(`${name} must be the bytes, the URL or the path of a file`, { option: name })
}

/** What tells latents of these models and this preparation from all others: 64 hexadecimal digits. */
export function senseEncoderId(sense: 'text' | Sense, hashes: readonly string[], preparation: object): string {
  const entries = Object.entries(preparation).sort(([a], [b]) => (a < b ? -1 : 1))
  return bytesToHex(sha256(encodeUtf8(JSON.stringify([sense, 1, ...hashes, entries]))))
}
