import { checkChoice, checkKeys, checkNumber, checkWhole, invalid } from '../../api/check.js'
import type { EncoderWorker } from '../options.js'

/** How the numbers of a model are stored; each way is a file of its own in the folder `onnx`. */
export type Dtype = 'fp32' | 'fp16' | 'q8' | 'int8' | 'uint8' | 'q4' | 'q4f16' | 'bnb4'

/** What the name of a file ends in, by how its numbers are stored. */
export const SUFFIXES: Readonly<Record<Dtype, string>> = {
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
}

/** Where a model runs: natively (Node), in WebAssembly (browsers, Deno), or on the graphics processor. */
export type Device = 'cpu' | 'wasm' | 'webgpu'

/** Where the model of an encoder runs. */
export interface RunsOn {
  readonly device: Device
}

/** The options that all encoders of `agidb/transformers` have. */
export interface TransformersOptions {
  /**
   * The folder of the model, laid out as on the Hugging Face hub: `config.json`, `onnx/model.onnx`, and
   * `tokenizer.json` with `tokenizer_config.json` or `preprocessor_config.json`. A URL in a browser, a path or a
   * `file:` URL elsewhere. Nothing is read from any other place.
   */
  readonly model: URL | string
  /** Which file of the folder `onnx` is taken. Default `fp32`: `model.onnx`. `q8`: `model_quantized.onnx`. */
  readonly dtype?: Dtype
  /**
   * `webgpu`: run the model on the graphics processor if it gives what WebAssembly, or Node, gives; else there.
   * Default: in WebAssembly, and natively in Node.
   */
  readonly device?: 'webgpu'
  /**
   * What the file of the model must be, as SHA-256 in hexadecimal digits. In a browser it is cached only with it.
   * Default: not checked.
   */
  readonly sha256?: string
  /** `false`: a browser keeps no file. Default: in the origin private file system, or the Cache API. */
  readonly cache?: false
  /**
   * The URL of `ort-wasm-simd-threaded.asyncify.wasm` of the `onnxruntime-web` that transformers.js brings, for a
   * bundler that loses it (browsers only). Default: beside ONNX Runtime.
   */
  readonly wasm?: URL | string
  /**
   * `false`: encode in this thread, which each input then holds up (Node and Deno only). A worker that runs
   * `agidb/transformers/worker`, or a function that makes one (browsers only). Default: a worker of its own.
   */
  readonly worker?: false | EncoderWorker | (() => EncoderWorker)
}

/** What becomes of several vectors: their mean, or the first. */
export type Pooling = 'mean' | 'first'

/** Options of `sentenceEncoder`. */
export interface SentenceOptions extends TransformersOptions {
  /** Of the vectors of the tokens: their mean, or the first. Default `mean`. */
  readonly pooling?: Pooling
  /** Tokens of a text that count; the rest of it is left out. Default: what the tokenizer says, or else 256. */
  readonly maxTokens?: number
  /** Milliseconds that a recall waits for its cue; later it goes on without. Default 100. */
  readonly cueMs?: number
}

/** Options of `imageEncoder`. */
export interface ImageOptions extends TransformersOptions {
  /** Of several vectors: their mean, or the first. Default `mean`. */
  readonly pooling?: Pooling
  /** The name of the output. Default: `image_embeds`, `last_hidden_state`, `pooler_output`, or else the first. */
  readonly output?: string
}

/** Options of `audioEncoder`. */
export interface AudioOptions extends TransformersOptions {
  /** Of the vectors of a window: their mean, or the first. Default `mean`. */
  readonly pooling?: Pooling
  /** The name of the output. Default: `audio_embeds`, `last_hidden_state`, `pooler_output`, or else the first. */
  readonly output?: string
  /**
   * Samples that the model hears at once, 64 to 2^22; a shorter sound is filled up with silence, and of a longer one
   * the mean over all windows is taken. Default: what the feature extractor says, or else 10 seconds, and a shorter
   * sound is left as it is.
   */
  readonly window?: number
}

/** The senses that folders have encoders for. */
export type FolderSense = 'image' | 'audio'

/** Options of `dualEncoder`. */
export interface DualOptions extends Omit<TransformersOptions, 'sha256'> {
  /** What is in one space with texts. */
  readonly modality: FolderSense
  /** What the files of the two towers must be, as SHA-256 in hexadecimal digits. */
  readonly sha256?: { readonly text?: string; readonly image?: string; readonly audio?: string }
  /**
   * The names of the outputs that are in the common space. Default: `text_embeds`, `image_embeds` or `audio_embeds`; or
   * else `pooler_output`.
   */
  readonly outputs?: { readonly text?: string; readonly image?: string; readonly audio?: string }
  /** Tokens of a text that count: 77 for CLIP. Default: what the tokenizer says, or else 256. */
  readonly maxTokens?: number
  /** For a model that takes so many tokens and no fewer: 64 for SigLIP. Default: texts are not filled up. */
  readonly textLength?: number
  /** Samples that a model of sounds hears at once, as `audioEncoder` takes them. */
  readonly window?: number
}

/** The options of an encoder in the form in which they cross to a worker, checked. */
export interface FolderLoading {
  readonly sense: 'text' | FolderSense
  /** URL or path, without a slash at its end. */
  readonly folder: string
  /** The name of the file in the folder `onnx`, without what tells how numbers are stored. */
  readonly file: string
  readonly dtype: Dtype
  readonly gpu: boolean
  /** The names of outputs that may be taken, the best first; none: the first that there is. */
  readonly outputs: readonly string[]
  /** Whether an output with another name may be taken too. */
  readonly otherOutput: boolean
  readonly pooling: Pooling
  readonly sha256?: string
  readonly maxTokens?: number
  readonly textLength?: number
  readonly window?: number
  readonly cache?: false
  readonly wasm?: string
}

const COMMON = ['model', 'dtype', 'device', 'sha256', 'cache', 'wasm', 'worker']
/** What vectors of the two towers of one space are called. */
const EMBEDS = { text: 'text_embeds', image: 'image_embeds', audio: 'audio_embeds' } as const
const TOWERS = { text: 'text_model', image: 'vision_model', audio: 'audio_model' } as const

/** Makes texts that name files and folders into what the reader of files understands. */
export type Resolve = (file: string) => string

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION` */
export function toSentenceLoading(options: SentenceOptions, resolve: Resolve): FolderLoading {
  checkKeys('sentenceEncoder', options, [...COMMON, 'pooling', 'maxTokens', 'cueMs'])
  const { maxTokens, cueMs, pooling } = options ?? {}
  checkTokens('maxTokens', maxTokens)
  if (cueMs !== undefined) checkNumber('cueMs', cueMs, 0, 60_000)
  const outputs = ['last_hidden_state', 'token_embeddings', 'sentence_embedding']
  const made = { sense: 'text', file: 'model', outputs, otherOutput: true, pooling: poolingOf(pooling) } as const
  return { ...common(options, options?.sha256, resolve), ...made, ...(maxTokens !== undefined && { maxTokens }) }
}

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION` */
export function toImageLoading(options: ImageOptions, resolve: Resolve): FolderLoading {
  checkKeys('imageEncoder', options, [...COMMON, 'pooling', 'output'])
  return { ...senseLoading('image', options, resolve) }
}

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION` */
export function toAudioLoading(options: AudioOptions, resolve: Resolve): FolderLoading {
  checkKeys('audioEncoder', options, [...COMMON, 'pooling', 'output', 'window'])
  const { window } = options ?? {}
  checkWindow(window)
  return { ...senseLoading('audio', options, resolve), ...(window !== undefined && { window }) }
}

/**
 * The options of the two towers.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`
 */
export function toDualLoadings(
  options: DualOptions,
  resolve: Resolve,
): { readonly text: FolderLoading; readonly inputs: FolderLoading } {
  checkKeys('dualEncoder', options, [...COMMON, 'modality', 'outputs', 'maxTokens', 'textLength', 'window'])
  const { modality, sha256 = {}, outputs = {}, maxTokens, textLength, window } = options ?? {}
  checkChoice('modality', modality, ['image', 'audio'])
  checkKeys('sha256', sha256, ['text', modality])
  checkKeys('outputs', outputs, ['text', modality])
  checkTokens('maxTokens', maxTokens)
  checkTokens('textLength', textLength)
  checkWindow(window)
  const tower = (sense: 'text' | FolderSense) => ({
    ...common(options, sha256[sense], resolve),
    ...outputsOf(`outputs.${sense}`, outputs[sense], [EMBEDS[sense], 'pooler_output'], false),
    sense,
    file: TOWERS[sense],
    pooling: 'mean' as const,
  })
  const ofText = { ...(maxTokens !== undefined && { maxTokens }), ...(textLength !== undefined && { textLength }) }
  return {
    text: { ...tower('text'), ...ofText },
    inputs: { ...tower(modality), ...(window !== undefined && { window }) },
  }
}

function senseLoading(sense: FolderSense, options: ImageOptions | AudioOptions, resolve: Resolve): FolderLoading {
  const { output, pooling, sha256 } = options ?? {}
  const named = outputsOf('output', output, [EMBEDS[sense], 'last_hidden_state', 'pooler_output'], true)
  return { ...common(options, sha256, resolve), ...named, sense, file: 'model', pooling: poolingOf(pooling) }
}

function outputsOf(option: string, name: string | undefined, outputs: readonly string[], otherOutput: boolean) {
  if (name === undefined) return { outputs, otherOutput }
  if (typeof name !== 'string' || name === '') throw invalid(`${option} must be the name of an output`, { option })
  return { outputs: [name], otherOutput: false }
}

function common(options: Omit<TransformersOptions, 'sha256'>, sha256: string | undefined, resolve: Resolve) {
  const { model, dtype = 'fp32', device, cache, wasm } = options ?? {}
  if (!(model instanceof URL || (typeof model === 'string' && model !== '')))
    throw invalid('model must be the URL or the path of a folder', { option: 'model' })
  checkChoice('dtype', dtype, Object.keys(SUFFIXES))
  if (device !== undefined) checkChoice('device', device, ['webgpu'])
  if (cache !== undefined) checkChoice('cache', cache, [false])
  if (sha256 !== undefined && !(typeof sha256 === 'string' && /^[0-9a-f]{64}$/i.test(sha256)))
    throw invalid('sha256 must be 64 hexadecimal digits', { option: 'sha256' })
  return {
    folder: resolve(model instanceof URL ? model.href : model).replace(/\/+$/, ''),
    dtype,
    gpu: device === 'webgpu',
    ...(sha256 !== undefined && { sha256: sha256.toLowerCase() }),
    ...(cache !== undefined && { cache }),
    ...(wasm !== undefined && { wasm: wasm instanceof URL ? wasm.href : resolve(wasm) }),
  }
}

function poolingOf(pooling: Pooling | undefined): Pooling {
  if (pooling !== undefined) checkChoice('pooling', pooling, ['mean', 'first'])
  return pooling ?? 'mean'
}

function checkTokens(option: string, tokens: number | undefined): void {
  if (tokens !== undefined) checkWhole(option, tokens, 8, 65_536)
}

function checkWindow(window: number | undefined): void {
  if (window !== undefined) checkWhole('window', window, 64, 2 ** 22)
}
