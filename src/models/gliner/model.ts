import type { Tokenizer } from '@huggingface/tokenizers'
import type { InferenceSession, Tensor } from 'onnxruntime-web/wasm'
import { describe } from '../../api/check.js'
import { AgidbError } from '../../base/errors.js'
import { createSession, loadRuntime, type ModelKind, type Onnx, readTokenizer, reasonOf } from '../runtime.js'
import { chunksOf, owns } from './chunks.js'
import {
  type Choice,
  choose,
  type LabelledSpan,
  type Layout,
  layoutOf,
  type Logits,
  spansAbove,
  type TokenScore,
} from './decode.js'
import { type Marks, promptTokens, type TensorData, tensors } from './tensors.js'
import { splitWords, type Word } from './words.js'

const KIND: ModelKind = { name: 'a GLiNER model', code: 'AGIDB_EXTRACTOR' }
const INPUTS = ['input_ids', 'attention_mask', 'words_mask', 'text_lengths', 'span_idx', 'span_mask']
const SPAN_INPUTS = ['span_idx', 'span_mask']

/** What `gliner_config.json` says of a model. */
export interface GlinerConfig {
  /** The most words of a span. */
  readonly maxWidth: number
  /** The most words of a text. */
  readonly maxWords: number
  /** The most labels at once. */
  readonly maxLabels: number
  readonly labelMark: string
  readonly separator: string
}

/** How a text is read. */
export interface Reading extends Choice {
  /** Scores above it count. */
  readonly threshold: number
}

/** A mention that was found in a text; offsets count UTF-16 code units. */
export interface Mention {
  readonly from: number
  readonly to: number
  readonly label: string
  /** 0 to 1. */
  readonly score: number
}

/** Throws where a model does not find what it must. */
export type GlinerCheck = (model: GlinerModel) => Promise<void>

/** A word with its tokens. */
interface TokenisedWord extends Word {
  readonly tokens: readonly number[]
}

/** A GLiNER model, in this thread. It reads one stretch of words at a time, so that no score depends on other texts. */
export class GlinerModel {
  readonly #onnx: Onnx
  readonly #session: InferenceSession
  readonly #tokenizer: Tokenizer
  readonly #marks: Marks
  readonly #tokenScore: TokenScore | undefined
  readonly #hasSpans: boolean
  readonly #tokens = new Map<string, readonly number[]>()
  readonly config: GlinerConfig

  private constructor(
    onnx: Onnx,
    session: InferenceSession,
    tokenizer: Tokenizer,
    config: GlinerConfig,
    tokenScore: TokenScore | undefined,
  ) {
    this.#onnx = onnx
    this.#session = session
    this.#tokenizer = tokenizer
    this.#marks = { ...around(tokenizer), label: config.labelMark, separator: config.separator }
    this.#tokenScore = tokenScore
    this.#hasSpans = session.inputNames.includes('span_idx')
    this.config = config
  }

  /**
   * Loads a model and tries it.
   *
   * @param check throws where the model does not find what it must. Default: nothing is checked.
   * @throws AgidbError `AGIDB_EXTRACTOR` when a file cannot be read, they do not belong together, or the model is no
   * GLiNER; `AGIDB_UNSUPPORTED` when ONNX Runtime or the tokenizers are not installed.
   */
  static async load(
    model: Uint8Array,
    tokenizerJson: Uint8Array,
    config: GlinerConfig,
    { wasm, tokenScore }: { readonly wasm?: string; readonly tokenScore?: TokenScore } = {},
    check: GlinerCheck = async () => {},
  ): Promise<GlinerModel> {
    const runtime = await loadRuntime(KIND, wasm)
    const { tokenizer } = readTokenizer(KIND, tokenizerJson, runtime)
    const session = await createSession(KIND, runtime, model)
    const needed = INPUTS.filter((name) => !SPAN_INPUTS.includes(name))
    const { inputNames } = session
    try {
      if (inputNames.some((name) => !INPUTS.includes(name)) || needed.some((name) => !inputNames.includes(name)))
        throw refuse(
          `takes ${inputNames.join(', ')}; a GLiNER takes ${needed.join(', ')}, and ${SPAN_INPUTS.join(', ')}`,
        )
      const loaded = new GlinerModel(runtime, session, tokenizer, config, tokenScore)
      for (const mark of [config.labelMark, config.separator])
        if (loaded.#tokenise(mark).length !== 1)
          throw refuse(`and the tokenizer do not belong together: ${mark} is not one token`)
      await loaded.#tried()
      await check(loaded)
      return loaded
    } catch (error) {
      await session.release()
      throw error
    }
  }

  /**
   * The same model on the graphics processor; `undefined` where there is none, or where it gives something else there.
   * This one stays loaded.
   *
   * @param bytes of the model
   * @param loadGpu loads ONNX Runtime with WebGPU
   * @param check as for {@link load}
   */
  async onGpu(bytes: Uint8Array, loadGpu: () => Promise<Onnx>, check: GlinerCheck): Promise<GlinerModel | undefined> {
    let session: InferenceSession | undefined
    try {
      const onnx = await loadGpu()
      session = await createSession(KIND, onnx, bytes, 'webgpu')
      const made = new GlinerModel(onnx, session, this.#tokenizer, this.config, this.#tokenScore)
      const [right, found] = [await this.#tried(), await made.#tried()]
      if (!found.every((score, i) => Math.abs(score - right[i]) < SAME)) throw refuse('gives other scores')
      await check(made)
      return made
    } catch {
      // No graphics processor, or one that cannot do it: this model goes on.
      await session?.release().catch(() => {})
      return undefined
    }
  }

  /** What is found of the labels in a text, in its order. */
  async mentions(text: string, labels: readonly string[], reading: Reading): Promise<Mention[]> {
    const words = this.words(text)
    if (words.length === 0 || labels.length === 0) return []
    const { maxWords, maxWidth } = this.config
    const found: LabelledSpan[] = []
    for (const chunk of chunksOf(words.length, maxWords, 2 * maxWidth)) {
      const part = words.slice(chunk.from, chunk.to)
      const { logits, layout } = await this.logits(part, labels)
      for (const span of spansAbove(logits, layout, part.length, reading.threshold, this.#tokenScore)) {
        const [first, last] = [span.first + chunk.from, span.last + chunk.from]
        if (owns(chunk, first, last)) found.push({ ...span, first, last })
      }
    }
    return choose(found, reading).map(({ first, last, label, score }) => ({
      from: words[first].from,
      to: words[last].to,
      label: labels[label],
      score,
    }))
  }

  /** The words of a text that have a token: the model cannot point at others. */
  words(text: string): TokenisedWord[] {
    return splitWords(text)
      .map((word) => ({ ...word, tokens: this.#tokenise(word.text) }))
      .filter(({ tokens }) => tokens.length > 0)
  }

  /** The inputs for words, as the model takes them. */
  inputs(words: readonly TokenisedWord[], labels: readonly string[]): Record<string, TensorData> {
    const prompt = promptTokens(labels, this.#marks, (word) => this.#tokenise(word))
    const width = this.#hasSpans ? this.config.maxWidth : undefined
    return tensors(
      prompt,
      words.map(({ tokens }) => tokens),
      this.#marks,
      width,
    )
  }

  /** The output for words, and its layout. */
  async logits(
    words: readonly TokenisedWord[],
    labels: readonly string[],
  ): Promise<{ readonly logits: Logits; readonly layout: Layout }> {
    const inputs = this.inputs(words, labels)
    const { Tensor } = this.#onnx
    const feeds: Record<string, Tensor> = Object.fromEntries(
      Object.entries(inputs).map(([name, { type, data, dims }]) => [
        name,
        new Tensor(type as 'int64', data as BigInt64Array, dims),
      ]),
    )
    const [name] = this.#session.outputNames
    const { type, data, dims } = await this.#session.run(feeds, [name]).then(
      (outputs) => outputs[name],
      (cause: unknown) => {
        throw refuse(`fails on a text of ${words.length} words: ${reasonOf(cause)}`, cause)
      },
    )
    const layout = layoutOf(dims, this.#hasSpans)
    const rows = layout === 'token-leading' ? dims[2] : dims[1]
    const answered = layout === 'token' ? dims[2] : dims[3]
    if (type !== 'float32' || layout === undefined || rows < words.length || answered !== labels.length) {
      const shape = `${type} of shape ${dims.join(' × ')} for ${words.length} words and ${labels.length} labels`
      throw refuse(`gives ${shape}; a GLiNER gives a score for each span and label, or three for each word and label`)
    }
    return { logits: { data: data as Float32Array, dims }, layout }
  }

  /** Gives the memory of the model back. */
  async close(): Promise<void> {
    await this.#session.release()
  }

  /** Runs it once, with other numbers of words and labels than three: what does not fit shows now. Its scores. */
  async #tried(): Promise<Float32Array> {
    const { logits } = await this.logits(this.words('Sarah met Tom in Rome.'), ['person', 'place'])
    return logits.data.map((logit) => 1 / (1 + Math.exp(-logit)))
  }

  #tokenise(word: string): readonly number[] {
    let tokens = this.#tokens.get(word)
    if (tokens === undefined) {
      if (this.#tokens.size >= CACHED_WORDS) this.#tokens.clear()
      tokens = this.#tokenizer.encode(word, { add_special_tokens: false }).ids as number[]
      this.#tokens.set(word, tokens)
    }
    return tokens
  }
}

/** Scores, 0 to 1, that differ by less are the same: as much as the arithmetic of graphics processors may change. */
const SAME = 0.01

/** The cache of tokens is dropped whole at this many words: simple, and rare. */
const CACHED_WORDS = 20_000

/** What the tokenizer puts before and after a text. */
function around(tokenizer: Tokenizer): Pick<Marks, 'before' | 'after'> {
  const bare: number[] = tokenizer.encode('a', { add_special_tokens: false }).ids
  const marked: number[] = tokenizer.encode('a').ids
  const before = marked.findIndex((_, at) => bare.every((id, i) => marked[at + i] === id))
  if (before < 0 || bare.length === 0) throw refuse('has a tokenizer that does not keep "a" as it is')
  return { before: marked.slice(0, before), after: marked.slice(before + bare.length) }
}

/**
 * Reads a `gliner_config.json`.
 *
 * @throws AgidbError `AGIDB_EXTRACTOR`
 */
export function readConfig(bytes: Uint8Array): GlinerConfig {
  let config: Record<string, unknown>
  try {
    config = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Record<string, unknown>
  } catch (cause) {
    throw refuse(`has a config that cannot be read (${reasonOf(cause)}); give its gliner_config.json`, cause)
  }
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    throw refuse(`has a config that is ${describe(config)}; give its gliner_config.json`)
  const whole = (name: string, usual: number): number => {
    const value = config[name] ?? usual
    if (!Number.isInteger(value) || (value as number) < 1)
      throw refuse(`has a config in which ${name} is ${JSON.stringify(value)}; expected a whole number from 1 on`)
    return value as number
  }
  const mark = (name: string, usual: string): string => {
    const value = config[name] ?? usual
    if (typeof value !== 'string' || value === '')
      throw refuse(`has a config in which ${name} is ${JSON.stringify(value)}; expected the name of a token`)
    return value
  }
  return {
    maxWidth: whole('max_width', 12),
    maxWords: whole('max_len', 384),
    maxLabels: whole('max_types', 25),
    labelMark: mark('ent_token', '<<ENT>>'),
    separator: mark('sep_token', '<<SEP>>'),
  }
}

function refuse(what: string, cause?: unknown): AgidbError {
  return new AgidbError('AGIDB_EXTRACTOR', `the model ${what}`, {}, { cause })
}
