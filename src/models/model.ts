import type { Tokenizer } from '@huggingface/tokenizers'
import type { InferenceSession, Tensor } from 'onnxruntime-web/wasm'
import { AgidbError } from '../base/errors.js'
import { greatest } from '../base/extremes.js'
import type { Padding } from './options.js'
import { createSession, loadRuntime, type ModelKind, readTokenizer, reasonOf, type Runtime } from './runtime.js'
import { TextQueue } from './sentence/queue.js'
import { tokensOf } from './sentence/tokens.js'

/** Tokens of a text that count where the tokenizer does not say. */
const DEFAULT_MAX_TOKENS = 256
/**
 * What a sentence encoder calls its vectors, the token vectors of the last layer first. Else its first output is taken.
 */
const OUTPUTS = ['last_hidden_state', 'token_embeddings', 'sentence_embedding']
const INPUTS = ['input_ids', 'attention_mask', 'token_type_ids']
const MAX_DIMENSION = 8192
const KIND: ModelKind = { name: 'a sentence encoder', code: 'AGIDB_ENCODER' }

export interface ModelSettings {
  readonly maxTokens?: number
  /** URL of the WebAssembly of ONNX Runtime. Default: beside it. */
  readonly wasm?: string
  /** The name of the output that is asked for. */
  readonly output?: string
  readonly padding?: Padding
}

/**
 * A sentence encoder, in this thread. It runs one text at a time: on one thread that is as fast as batches are, the
 * last digits of a latent do not depend on what else was in the batch, and a cue need not wait for a batch of memories.
 */
export class Model {
  readonly #runtime: Runtime
  readonly #session: InferenceSession
  readonly #tokenizer: Tokenizer
  readonly #maxTokens: number
  readonly #output: string
  readonly #padding: Padding | undefined
  readonly #queue: TextQueue
  /** Numbers a latent. */
  dimension = 0

  private constructor(
    runtime: Runtime,
    session: InferenceSession,
    tokenizer: Tokenizer,
    maxTokens: number,
    { output, padding }: ModelSettings,
  ) {
    this.#runtime = runtime
    this.#session = session
    this.#tokenizer = tokenizer
    this.#maxTokens = maxTokens
    this.#padding = padding
    this.#queue = new TextQueue(
      async (text) => unit(await this.#vector(this.#tokens(text))),
      () => session.release(),
    )
    this.#output = output ?? OUTPUTS.find((name) => session.outputNames.includes(name)) ?? session.outputNames[0]
  }

  /**
   * Loads a model and tries it.
   *
   * @throws AgidbError `AGIDB_ENCODER` when a file cannot be read, the two do not belong together, or the model is no
   * sentence encoder; `AGIDB_UNSUPPORTED` when ONNX Runtime or the tokenizers are not installed
   */
  static async load(model: Uint8Array, tokenizerJson: Uint8Array, settings: ModelSettings): Promise<Model> {
    const { maxTokens, wasm, output, padding } = settings
    const runtime = await loadRuntime(KIND, wasm)
    const { tokenizer, length } = readTokenizer(KIND, tokenizerJson, runtime)
    const session = await createSession(KIND, runtime, model)
    const foreign = session.inputNames.filter((name) => !INPUTS.includes(name))
    if (foreign.length > 0 || !session.inputNames.includes('input_ids')) {
      await session.release()
      throw refuse(`takes ${session.inputNames.join(', ')}; a sentence encoder takes ${INPUTS.join(', ')}`, {
        inputs: session.inputNames,
      })
    }
    if (output !== undefined && !session.outputNames.includes(output)) {
      const given = session.outputNames
      await session.release()
      throw refuse(`gives ${given.join(', ')}; the options ask for ${output}`, { outputs: given })
    }
    const most = Math.min(maxTokens ?? length ?? DEFAULT_MAX_TOKENS, padding?.length ?? Infinity)
    const loaded = new Model(runtime, session, tokenizer, most, settings)
    try {
      await loaded.#try()
      return loaded
    } catch (error) {
      await session.release()
      throw error
    }
  }

  /** The latents of texts, in order, each of unit length. A call with fewer texts left overtakes one with more. */
  encode(texts: readonly string[]): Promise<Float32Array[]> {
    return this.#queue.encode(texts)
  }

  /** Gives the memory of the model back, once the text in hand is done; what waits is never answered. */
  close(): Promise<void> {
    return this.#queue.close()
  }

  #tokens(text: string): number[] {
    return tokensOf((of, options) => this.#tokenizer.encode(of, options).ids, text, this.#maxTokens)
  }

  /** The vector of a text: the mean over its tokens, unless the model gives one itself. */
  async #vector(ids: readonly number[]): Promise<Float32Array> {
    const { data, dims } = await this.#run(ids)
    const dimension = dims[dims.length - 1]
    if (dims.length === 2) return (data as Float32Array).slice(0, dimension)
    const sum = new Float32Array(dimension)
    for (let at = 0; at < data.length; at += dimension) {
      for (let d = 0; d < dimension; d++) sum[d] += (data as Float32Array)[at + d]
    }
    return sum
  }

  async #run(ids: readonly number[]): Promise<Tensor> {
    const { length = ids.length, token = 0 } = this.#padding ?? {}
    const tensor = (value: (id: number | undefined) => number) =>
      new this.#runtime.Tensor(
        'int64',
        BigInt64Array.from({ length: Math.max(length, ids.length) }, (_, at) => BigInt(value(ids[at]))),
        [1, Math.max(length, ids.length)],
      )
    const feeds: Record<string, Tensor> = {
      input_ids: tensor((id) => id ?? token),
      attention_mask: tensor((id) => (id === undefined ? 0 : 1)),
      token_type_ids: tensor(() => 0),
    }
    for (const name of INPUTS) if (!this.#session.inputNames.includes(name)) delete feeds[name]
    try {
      return (await this.#session.run(feeds, [this.#output]))[this.#output]
    } catch (cause) {
      throw refuse(`fails on a text of ${ids.length} tokens: ${reasonOf(cause)}`, { tokens: ids.length }, cause)
    }
  }

  /** Runs it once, with the last token of the vocabulary in the text: what does not fit shows now. */
  async #try(): Promise<void> {
    const last = greatest(this.#tokenizer.get_vocab().values())
    const ids = [...this.#tokens(''), last]
    const { type, dims } = await this.#run(ids)
    const pooled = dims.length === 2 && dims[0] === 1
    const [dimension] = dims.slice(-1)
    if (
      type !== 'float32' ||
      !(pooled || (dims.length === 3 && dims[0] === 1 && dims[1] === ids.length)) ||
      dimension > MAX_DIMENSION
    ) {
      const message =
        `gives ${type} of shape ${dims.join(' × ')} for a text of ${ids.length} tokens; a sentence encoder gives ` +
        `float32 of 1 × ${ids.length} × n or 1 × n`
      throw refuse(message, { type, dims })
    }
    unit(await this.#vector(ids))
    this.dimension = dimension
  }
}

function unit(vector: Float32Array): Float32Array {
  let squares = 0
  for (const value of vector) squares += value * value
  const length = Math.sqrt(squares)
  if (!(length > 0 && length < Infinity)) throw refuse('gives a vector without a direction', { length })
  return vector.map((value) => value / length)
}

function refuse(what: string, details: Record<string, unknown>, cause?: unknown): AgidbError {
  return new AgidbError('AGIDB_ENCODER', `the model ${what}`, details, { cause })
}
