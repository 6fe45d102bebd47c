import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { checkChoice, checkKeys, checkNumber, checkWhole, invalid } from '../../api/check.js'
import { encodeUtf8 } from '../../base/utf8.js'
import type { EncoderWorker, FileSource } from '../options.js'

/** How pictures are prepared for a model, and what its output is. */
export interface ImageManifest {
  /** Pixels of each side of the square that the model takes, 8 to 1,024. */
  readonly size: number
  /** What is subtracted from red, green and blue between 0 and 1. Default: that of ImageNet. */
  readonly mean?: readonly [number, number, number]
  /** What they are divided by then. Default: that of ImageNet. */
  readonly std?: readonly [number, number, number]
  /** Whether the colours of a pixel stand side by side (`nhwc`) or in planes (`nchw`). Default `nchw`. */
  readonly layout?: 'nchw' | 'nhwc'
  /** `cover`: the square in the middle of the picture; `stretch`: all of it, out of shape. Default `cover`. */
  readonly fit?: 'cover' | 'stretch'
  /** The share of the square's sides that is kept, 0.1 to 1. Default 1. */
  readonly crop?: number
  /** Of several vectors: their mean, or the first. Default `mean`. */
  readonly pooling?: 'mean' | 'first'
  /**
   * Whether the mean of a latent's own numbers is subtracted from each of them: for models whose numbers are all
   * positive, so that unrelated pictures are not alike. Default false.
   */
  readonly centred?: boolean
  /** The name of the output. Default: the first. */
  readonly output?: string
}

/** Options of `imageEncoder`. */
export interface ImageEncoderOptions {
  /** The model in ONNX: one input, float32 of 1 × 3 × size × size or 1 × size × size × 3. */
  readonly model: FileSource
  readonly manifest: ImageManifest
  /**
   * What the model must be, as SHA-256 in hexadecimal digits. A file from a URL is cached only with it. Default: not
   * checked.
   */
  readonly sha256?: { readonly model?: string }
  /**
   * Where files from URLs are kept, by their SHA-256. In Node and Deno a folder; default: nowhere. In a browser the
   * origin private file system, or the Cache API where it has none; `false`: nowhere.
   */
  readonly cache?: string | false
  /** The URL of `onnxruntime-web/ort-wasm-simd-threaded.wasm`, for a bundler that loses it. */
  readonly wasm?: URL | string
  /**
   * `false`: encode in this thread, which each picture then holds up (Node and Deno only). A worker that runs
   * `agidb/onnx/image-worker`, or a function that makes one (browsers only). Default: a worker of its own.
   */
  readonly worker?: false | EncoderWorker | (() => EncoderWorker)
}

/** The manifest with its defaults. */
export type Preparation = Required<Omit<ImageManifest, 'output'>> & Pick<ImageManifest, 'output'>

/** The options in the form in which they cross to a worker, checked. */
export interface ImageLoading {
  readonly model: Uint8Array<ArrayBuffer> | ArrayBuffer | string
  readonly sha256: string | undefined
  readonly preparation: Preparation
  readonly cache?: string | false
  readonly wasm?: string
}

/** Of ImageNet, red, green and blue between 0 and 1. */
const IMAGENET = { mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] } as const

/**
 * Checks the options of `imageEncoder` and brings them into the form in which they cross.
 *
 * @param resolve makes a text that names a file into what the reader of files understands.
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`.
 */
export function toImageLoading(options: ImageEncoderOptions, resolve: (file: string) => string): ImageLoading {
  checkKeys('imageEncoder', options, ['model', 'manifest', 'sha256', 'cache', 'wasm', 'worker'])
  const { model, manifest, sha256 = {}, cache, wasm } = options ?? {}
  checkKeys('sha256', sha256, ['model'])
  const expected: unknown = sha256.model
  if (expected !== undefined && !(typeof expected === 'string' && /^[0-9a-f]{64}$/i.test(expected)))
    throw invalid('sha256.model must be 64 hexadecimal digits', { option: 'sha256.model' })
  return {
    model: fileOf(model, resolve),
    sha256: sha256.model?.toLowerCase(),
    preparation: checkManifest(manifest),
    ...(cache !== undefined && { cache }),
    ...(wasm !== undefined && { wasm: wasm instanceof URL ? wasm.href : resolve(wasm) }),
  }
}

/** What tells latents of this model and preparation from all others: 64 hexadecimal digits. */
export function imageEncoderId(modelHash: string, preparation: Preparation): string {
  const entries = Object.entries(preparation).sort(([a], [b]) => (a < b ? -1 : 1))
  return bytesToHex(sha256(encodeUtf8(JSON.stringify(['image', 1, modelHash, entries]))))
}

function fileOf(source: FileSource, resolve: (file: string) => string): ImageLoading['model'] {
  if (source instanceof URL) return source.href
  if (typeof source === 'string' && source !== '') return resolve(source)
  if (source instanceof Uint8Array || source instanceof ArrayBuffer) return source
  throw invalid('model must be the bytes, the URL or the path of a file', { option: 'model' })
}

function checkManifest(manifest: ImageManifest): Preparation {
  const names = ['size', 'mean', 'std', 'layout', 'fit', 'crop', 'pooling', 'centred', 'output']
  checkKeys('manifest', manifest, names)
  const { size, mean = IMAGENET.mean, std = IMAGENET.std, layout = 'nchw', fit = 'cover' } = manifest ?? {}
  const { crop = 1, pooling = 'mean', centred = false, output } = manifest ?? {}
  checkWhole('manifest.size', size, 8, 1_024)
  for (const [name, colours] of Object.entries({ mean, std })) {
    if (!Array.isArray(colours) || colours.length !== 3)
      throw invalid(`manifest.${name} must be three numbers, of red, green and blue`, { option: `manifest.${name}` })
    for (const [i, value] of (colours as readonly number[]).entries())
      checkNumber(`manifest.${name}[${i}]`, value, name === 'std' ? 1e-6 : -1_000, 1_000)
  }
  checkChoice('manifest.layout', layout, ['nchw', 'nhwc'])
  checkChoice('manifest.fit', fit, ['cover', 'stretch'])
  checkNumber('manifest.crop', crop, 0.1, 1)
  checkChoice('manifest.pooling', pooling, ['mean', 'first'])
  checkChoice('manifest.centred', centred, [true, false])
  if (output !== undefined && (typeof output !== 'string' || output === ''))
    throw invalid('manifest.output must be the name of an output', { option: 'manifest.output' })
  const made = { size, mean, std, layout, fit, crop, pooling, centred }
  return { ...made, ...(output !== undefined && { output }) }
}
