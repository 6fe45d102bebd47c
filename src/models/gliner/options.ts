import { checkChoice, checkKeys, checkName, checkNumber, DEFAULT_LIMITS, invalid } from '../../api/check.js'
import type { Extractor } from '../../api/extractor.js'
import type { EncoderWorker, FileSource } from '../options.js'
import type { Wanted } from './read.js'

/** A text, and the entities that a model must find in it. */
export interface GoldenText {
  readonly text: string
  /** All of them, in the order of the text. */
  readonly entities: readonly { readonly text: string; readonly type: string }[]
}

/** Options of `gliner`. */
export interface GlinerOptions {
  /** A folder with `model.onnx`, `tokenizer.json` and `gliner_config.json`, as GLiNER exports them: a URL or a path. */
  readonly folder?: URL | string
  /** The model in ONNX, as GLiNER exports it: of spans, or of tokens. Default: `model.onnx` in the folder. */
  readonly model?: FileSource
  /** Its tokenizer, a `tokenizer.json` of Hugging Face. Default: that in the folder. */
  readonly tokenizer?: FileSource
  /** Its `gliner_config.json`. Default: that in the folder. */
  readonly config?: FileSource
  /**
   * What the files must be, as SHA-256 in hexadecimal digits. A file from a URL is cached only with it. Default: not
   * checked.
   */
  readonly sha256?: { readonly model?: string; readonly tokenizer?: string; readonly config?: string }
  /** Types of entities in words, each once. Default `person`, `place`, `organisation`, `date`. */
  readonly labels?: readonly string[]
  /** Scores of entities above it count, 0 to 1. Default 0.5. */
  readonly threshold?: number
  /** `flat`: entities share no word. `nested`: one may lie in another. Default `flat`. */
  readonly overlap?: 'flat' | 'nested'
  /** Whether the same words may have several types. Default false. */
  readonly multiLabel?: boolean
  /** Relations in words, such as `works at`, for multitask models: found by a second pass. Default: none. */
  readonly relations?: readonly string[]
  /** Scores of relations above it count, 0 to 1. Default 0.5. */
  readonly relationThreshold?: number
  /** What stands before a text when relations are looked for. Default: as multitask models were trained. */
  readonly relationPrompt?: string
  /**
   * What a span of a token model is worth. Default `mean` of its inside scores for models that put the three scores
   * first, as exported up to 0.2.17; `least` of all its scores for others.
   */
  readonly tokenScore?: 'mean' | 'least'
  /**
   * Texts, and the entities that the model must find in them with these options. They are read each time the model is
   * loaded, which fails where it finds others. Default: none.
   */
  readonly golden?: readonly GoldenText[]
  /**
   * Where files from URLs are kept, by their SHA-256. In Node and Deno a folder; default: nowhere. In a browser the
   * origin private file system, or the Cache API where it has none; `false`: nowhere.
   */
  readonly cache?: string | false
  /**
   * `webgpu`: run the model on the graphics processor if it gives there what it gives in WebAssembly, and finds what
   * `golden` says; else in WebAssembly (browsers only). Default: in WebAssembly.
   */
  readonly device?: 'webgpu'
  /** The URL of `onnxruntime-web/ort-wasm-simd-threaded.wasm`, for a bundler that loses it. */
  readonly wasm?: URL | string
  /** With `device`: the URL of `onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm`, for a bundler that loses it. */
  readonly gpuWasm?: URL | string
  /**
   * `false`: read in this thread, which each text then holds up (Node and Deno only). A worker that runs
   * `agidb/gliner/worker`, or a function that makes one (browsers only). Default: a worker of its own.
   */
  readonly worker?: false | EncoderWorker | (() => EncoderWorker)
}

type File = Uint8Array<ArrayBuffer> | ArrayBuffer | string

/** The options in the form in which they cross to a worker, checked. */
export interface GlinerLoading {
  readonly files: Readonly<Record<'model' | 'tokenizer' | 'config', File>>
  readonly sha256: { readonly model?: string; readonly tokenizer?: string; readonly config?: string }
  readonly wanted: Wanted
  readonly golden: readonly GoldenText[]
  readonly tokenScore?: 'mean' | 'least'
  readonly cache?: string | false
  readonly gpu: boolean
  readonly wasm?: string
  readonly gpuWasm?: string
}

/** Where a model runs. */
export type GlinerDevice = 'wasm' | 'webgpu'

/** An extractor of a GLiNER model. */
export interface GlinerExtractor extends Extractor {
  /** Where the model runs. */
  readonly device: GlinerDevice
}

const KEYS: readonly (keyof GlinerOptions)[] = [
  'folder',
  'model',
  'tokenizer',
  'config',
  'sha256',
  'labels',
  'threshold',
  'overlap',
  'multiLabel',
  'relations',
  'relationThreshold',
  'relationPrompt',
  'tokenScore',
  'golden',
  'cache',
  'device',
  'wasm',
  'gpuWasm',
  'worker',
]
const LABELS = ['person', 'place', 'organisation', 'date']
/** With which the Python package asks multitask models for relations. */
const RELATION_PROMPT = 'Extract relationships between entities from the text: '

/**
 * Checks the options of `gliner` and brings them into the form in which they cross.
 *
 * @param resolve makes a text that names a file into what the reader of files understands.
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`.
 */
export function toGlinerLoading(options: GlinerOptions, resolve: (file: string) => string): GlinerLoading {
  checkKeys('gliner', options, KEYS)
  const { folder, model, tokenizer, config } = options ?? {}
  const { sha256 = {}, labels = LABELS, threshold = 0.5, overlap = 'flat' } = options ?? {}
  const {
    multiLabel = false,
    relations = [],
    relationThreshold = 0.5,
    relationPrompt = RELATION_PROMPT,
  } = options ?? {}
  const { tokenScore, golden = [], cache, device, wasm, gpuWasm } = options ?? {}
  const url = (of: URL | string) => (of instanceof URL ? of.href : resolve(of))
  checkKeys('sha256', sha256, ['model', 'tokenizer', 'config'])
  for (const [name, hash] of Object.entries(sha256))
    if (hash !== undefined && !(typeof hash === 'string' && /^[0-9a-f]{64}$/i.test(hash)))
      throw invalid(`sha256.${name} must be 64 hexadecimal digits, not ${JSON.stringify(hash)}`, {
        option: `sha256.${name}`,
      })
  checkNumber('threshold', threshold, 0, 1)
  checkNumber('relationThreshold', relationThreshold, 0, 1)
  checkChoice('overlap', overlap, ['flat', 'nested'])
  checkChoice('multiLabel', multiLabel, [true, false])
  if (device !== undefined) checkChoice('device', device, ['webgpu'])
  if (tokenScore !== undefined) checkChoice('tokenScore', tokenScore, ['mean', 'least'])
  if (typeof relationPrompt !== 'string') throw invalid('relationPrompt must be a string', { option: 'relationPrompt' })
  if (folder !== undefined && !(folder instanceof URL) && (typeof folder !== 'string' || folder === ''))
    throw invalid('folder must be the URL or the path of a folder', { option: 'folder' })
  const inFolder = (name: string) =>
    folder && `${(folder instanceof URL ? folder.href : folder).replace(/\/$/, '')}/${name}`
  const file = (what: string, given: FileSource | undefined, name: string): File => {
    const source = given ?? inFolder(name)
    if (source instanceof URL) return source.href
    if (typeof source === 'string' && source !== '') return resolve(source)
    if (source instanceof Uint8Array || source instanceof ArrayBuffer) return source
    throw invalid(`${what} must be the bytes, the URL or the path of a file; or give folder`, { option: what })
  }
  return {
    files: {
      model: file('model', model, 'model.onnx'),
      tokenizer: file('tokenizer', tokenizer, 'tokenizer.json'),
      config: file('config', config, 'gliner_config.json'),
    },
    sha256: {
      model: sha256.model?.toLowerCase(),
      tokenizer: sha256.tokenizer?.toLowerCase(),
      config: sha256.config?.toLowerCase(),
    },
    wanted: {
      labels: names('labels', labels, 1),
      threshold,
      overlap,
      multiLabel,
      relations: names('relations', relations, 0),
      relationThreshold,
      relationPrompt,
    },
    golden: goldenTexts(golden),
    ...(tokenScore !== undefined && { tokenScore }),
    ...(cache !== undefined && { cache }),
    gpu: device === 'webgpu',
    ...(wasm !== undefined && { wasm: url(wasm) }),
    ...(gpuWasm !== undefined && { gpuWasm: url(gpuWasm) }),
  }
}

function goldenTexts(golden: readonly GoldenText[]): readonly GoldenText[] {
  if (!Array.isArray(golden)) throw invalid('golden must be an array of { text, entities }', { option: 'golden' })
  return (golden as readonly Partial<GoldenText>[]).map((one, i) => {
    const at = `golden[${i}]`
    checkKeys(at, one, ['text', 'entities'])
    const { text, entities } = one
    if (typeof text !== 'string') throw invalid(`${at}.text must be a string`, { option: at })
    if (!Array.isArray(entities)) throw invalid(`${at}.entities must be an array of { text, type }`, { option: at })
    return {
      text,
      entities: (entities as GoldenText['entities']).map((entity, n) => goldenEntity(entity, `${at}.entities[${n}]`)),
    }
  })
}

function goldenEntity(entity: GoldenText['entities'][number], at: string): GoldenText['entities'][number] {
  checkKeys(at, entity, ['text', 'type'])
  const { text, type } = entity
  if (typeof text !== 'string' || typeof type !== 'string')
    throw invalid(`${at} must have a text and a type, both strings`, { option: at })
  return { text, type }
}

/** A list of names, each once, in its order. */
function names(what: string, list: readonly string[], least: number): readonly string[] {
  if (!Array.isArray(list) || list.length < least)
    throw invalid(`${what} must be an array of ${least === 0 ? '' : 'one or more '}strings`, { option: what })
  for (const [i, name] of (list as readonly unknown[]).entries()) {
    if (typeof name !== 'string') throw invalid(`${what}[${i}] must be a string`, { option: what })
    checkName(`${what}[${i}]`, name, DEFAULT_LIMITS)
  }
  return [...new Set(list as readonly string[])]
}
