import type { SentenceEncoder } from '../../api/encoder.js'
import { OLLAMA_URL } from '../../http/ollama-address.js'
import { postJson } from '../../http/post.js'
import { HttpEncoder } from './encoder.js'
import { type HttpEncoderOptions, toHttpEncoding } from './options.js'

/**
 * A sentence encoder of Ollama, `POST /api/embed`, by default of this machine; for `Agidb.open({ encoder })`.
 *
 * @param options `url`: default `http://localhost:11434`. `timeoutMs`: default 60,000. `retries`: default 4.
 * @throws AgidbError `AGIDB_ENCODER` when the server cannot be reached, refuses, or answers with something else than
 * latents; `AGIDB_INVALID_ARGUMENT`; `AGIDB_UNKNOWN_OPTION`
 */
export async function ollamaEncoder(options: HttpEncoderOptions): Promise<SentenceEncoder> {
  const checked = toHttpEncoding('ollamaEncoder', options, OLLAMA_URL)
  const { endpoint, model, dimensions } = checked
  const ask = async (input: readonly string[], maxBytes: number, signal: AbortSignal): Promise<readonly unknown[]> => {
    const answer = (await postJson(endpoint, {
      path: '/api/embed',
      body: { model, input, truncate: true, ...(dimensions !== undefined && { dimensions }) },
      maxBytes,
      code: 'AGIDB_ENCODER',
      who: `the encoder ${model}`,
      signal,
    })) as { embeddings?: unknown } | null
    return Array.isArray(answer?.embeddings) ? answer.embeddings : []
  }
  return new HttpEncoder(checked, { ask }).open()
}
