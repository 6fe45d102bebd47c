import type { LlmProvider, LlmRequest } from '../api/llm.js'
import { OLLAMA_URL } from '../http/ollama-address.js'
import { postJson } from '../http/post.js'
import { toLlmEndpoint, type HttpLlmOptions } from './endpoint.js'
import { Fallback } from './fallback.js'
import { answerOf, checkRequest, messagesOf, MOST_BODY_BYTES, wrongAnswer } from './request.js'

/** How Ollama is asked for JSON: since 0.5 by a schema, before by the word `json`. */
type Format = 'schema' | 'json'

/** An answer to `/api/chat`, as far as it is read. */
interface Chat {
  readonly done_reason?: unknown
  readonly message?: { readonly content?: unknown }
}

/**
 * A language model of Ollama, `POST /api/chat`, by default of this machine. A schema goes along as `format`.
 *
 * @param options `url`: default `http://localhost:11434`. `timeoutMs`: default 120,000. `retries`: default 2.
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`. `complete` throws `AGIDB_LLM` with
 * `details.reason`, `AGIDB_ABORTED`, and `AGIDB_INVALID_ARGUMENT`
 */
export function ollamaLlm(options: HttpLlmOptions): LlmProvider {
  const endpoint = toLlmEndpoint('ollamaLlm', options, OLLAMA_URL)
  const { model } = options
  const id = `ollama/${model}`
  const fallback = new Fallback<Format>(['schema', 'json'])
  const ask = (request: LlmRequest, format: Format) =>
    postJson(endpoint, {
      path: '/api/chat',
      body: bodyOf(model, request, format),
      maxBytes: MOST_BODY_BYTES,
      code: 'AGIDB_LLM',
      who: `the language model ${id}`,
      signal: request.signal,
    })
  return {
    id,
    async complete(request) {
      checkRequest(request)
      const { schema } = request
      const asked = schema === undefined ? ask(request, 'schema') : fallback.ask((format) => ask(request, format))
      const answer = (await asked) as Chat | null
      if (answer?.done_reason === 'length' && schema !== undefined)
        throw wrongAnswer(id, 'was cut off before the end of its answer; raise maxTokens', 'cut-off')
      return answerOf(id, answer?.message?.content, request)
    },
  }
}

function bodyOf(model: string, request: LlmRequest, format: Format): object {
  const { schema, maxTokens } = request
  return {
    model,
    messages: messagesOf(request, format === 'json'),
    stream: false,
    ...(schema !== undefined && { format: format === 'json' ? 'json' : schema }),
    ...(maxTokens !== undefined && { options: { num_predict: maxTokens } }),
  }
}
