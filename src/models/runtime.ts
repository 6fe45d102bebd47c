import type { Tokenizer } from '@huggingface/tokenizers'
import type { InferenceSession, Tensor } from 'onnxruntime-web/wasm'
import { AgidbError, type ErrorCode } from '../base/errors.js'

/** What else would be logged is thrown. */
const LOG_FATAL = 4

/** What a model is called in messages, and the code of its errors. */
export interface ModelKind {
  readonly name: string
  readonly code: ErrorCode
}

/** ONNX Runtime. */
export interface Onnx {
  readonly InferenceSession: typeof InferenceSession
  readonly Tensor: typeof Tensor
}

/** ONNX Runtime and the tokenizers. */
export interface Runtime extends Onnx {
  readonly Tokenizer: typeof Tokenizer
}

/** @throws AgidbError `AGIDB_UNSUPPORTED` when it is not installed. */
export async function loadOnnx({ name }: ModelKind, wasm: string | undefined): Promise<Onnx> {
  try {
    return await onnx(wasm)
  } catch (cause) {
    const message = `${name} needs onnxruntime-web beside agidb (npm install it): ${reasonOf(cause)}`
    throw new AgidbError('AGIDB_UNSUPPORTED', message, {}, { cause })
  }
}

async function onnx(wasm: string | undefined): Promise<Onnx> {
  const { InferenceSession, Tensor, env } = await import('onnxruntime-web/wasm')
  // More threads need a cross-origin isolated page, fail in Deno, and would take them from the rest.
  env.wasm.numThreads = 1
  if (wasm !== undefined) env.wasm.wasmPaths = { wasm }
  return { InferenceSession, Tensor }
}

/** @throws AgidbError `AGIDB_UNSUPPORTED` when they are not installed. */
export async function loadRuntime({ name }: ModelKind, wasm: string | undefined): Promise<Runtime> {
  try {
    const [runtime, { Tokenizer }] = await Promise.all([onnx(wasm), import('@huggingface/tokenizers')])
    return { ...runtime, Tokenizer }
  } catch (cause) {
    const message =
      `${name} needs onnxruntime-web and @huggingface/tokenizers beside agidb (npm install both): ` +
      `${reasonOf(cause)}`
    throw new AgidbError('AGIDB_UNSUPPORTED', message, {}, { cause })
  }
}

/** The runtime cannot make two sessions at once. */
let creation: Promise<unknown> = Promise.resolve()

/** @throws AgidbError with the code of the kind, for bytes that are no model. */
export function createSession(
  { code }: ModelKind,
  { InferenceSession }: Onnx,
  model: Uint8Array,
  provider: 'wasm' | 'webgpu' = 'wasm',
): Promise<InferenceSession> {
  const created = creation.then(() =>
    InferenceSession.create(model, { executionProviders: [provider], logSeverityLevel: LOG_FATAL }),
  )
  creation = created.catch(() => {})
  return created.catch((cause: unknown) => {
    throw new AgidbError(
      code,
      `the model cannot be read as ONNX: ${reasonOf(cause)}`,
      { bytes: model.length },
      { cause },
    )
  })
}

/**
 * The tokenizer in a `tokenizer.json`, and how many tokens it takes where it says so.
 *
 * @throws AgidbError with the code of the kind, for bytes that are none.
 */
export function readTokenizer(
  { code }: ModelKind,
  bytes: Uint8Array,
  { Tokenizer }: Runtime,
): { tokenizer: Tokenizer; length: number | undefined } {
  try {
    const json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as {
      truncation?: { max_length?: number } | null
    }
    const tokenizer = new Tokenizer(json, {})
    if (tokenizer.get_vocab().size === 0) throw new Error('it has no vocabulary')
    return { tokenizer, length: json.truncation?.max_length }
  } catch (cause) {
    const message =
      `the tokenizer cannot be read (${reasonOf(cause)}); ` + 'give the tokenizer.json that belongs to the model'
    throw new AgidbError(code, message, { bytes: bytes.length }, { cause })
  }
}

/** The message of whatever was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
