import type { LlmProvider, LlmRequest } from '../api/llm.js'
import { OPENAI_URL, openaiAddress } from '../http/openai-address.js'
import { postJson } from '../http/post.js'
import { toLlmEndpoint, type HttpLlmOptions } from './endpoint.js'
import { Fallback } from './fallback.js'
import { answerOf, checkRequest, messagesOf, MOST_BODY_BYTES, wrongAnswer } from './request.js'

/** How a server is asked for JSON, and what it calls the number of tokens. */
interface Way {
  readonly format: 'json_schema' | 'json_object' | 'words'
  readonly tokens: 'max_completion_tokens' | 'max_tokens'
}

/** Newer servers take the first, older ones the last. */
const WAYS: readonly Way[] = [
  { format: 'json_schema', tokens: 'max_completion_tokens' },
  { format: 'json_schema', tokens: 'max_tokens' },
  { format: 'json_object', tokens: 'max_tokens' },
  { format: 'words', tokens: 'max_tokens' },
]

/** An answer to `/chat/completions`, as far as it is read. */
interface Completion {
  readonly choices?: readonly {
    readonly finish_reason?: unknown
    readonly message?: { readonly content?: unknown; readonly refusal?: unknown }
  }[]
}

/**
 * A language model behind the interface of OpenAI, `POST /chat/completions`, which many servers offer: OpenAI,
 * llama.cpp, vLLM, LM Studio, Ollama under `/v1`. A schema goes along as `response_format`; a server that does not take
 * it is asked in words. What is sent goes to the origin of `url` and nowhere else.
 *
 * @param options `url`: default `https://api.openai.com/v1`; of an address without a path, `/v1` is asked. `timeoutMs`:
 * default 120,000. `retries`: default 2.
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`. `complete` throws `AGIDB_LLM` with
 * `details.reason`, `AGIDB_ABORTED`, and `AGIDB_INVALID_ARGUMENT`
 */
export function openaiLlm(options: HttpLlmOptions): LlmProvider {
  const endpoint = toLlmEndpoint('openaiLlm', options, OPENAI_URL)
  const place = { ...endpoint, base: openaiAddress(endpoint.base) }
  const { model } = options
  const id = `openai/${model}`
  const ways = { json: new Fallback(WAYS), text: new Fallback(WAYS.slice(0, 2)) }

  const ask = (request: LlmRequest, way: Way) =>
    postJson(place, {
      path: '/chat/completions',
      body: bodyOf(model, request, way),
      maxBytes: MOST_BODY_BYTES,
      code: 'AGIDB_LLM',
      who: `the language model ${id}`,
      signal: request.signal,
    })
  return {
    id,
    async complete(request) {
      checkRequest(request)
      const { schema, maxTokens } = request
      const fallback = schema === undefined ? ways.text : ways.json
      const isOneWay = schema === undefined && maxTokens === undefined
      const answer = (await (isOneWay
        ? ask(request, WAYS[0])
        : fallback.ask((way) => ask(request, way)))) as Completion | null
      const choice = Array.isArray(answer?.choices) ? answer.choices[0] : undefined
      const { content, refusal } = choice?.message ?? {}
      if (typeof refusal === 'string' && refusal !== '') throw wrongAnswer(id, 'refuses to answer', 'refused')
      if (choice?.finish_reason === 'length' && schema !== undefined)
        throw wrongAnswer(id, 'was cut off before the end of its answer; raise maxTokens', 'cut-off')
      return answerOf(id, content, request)
    },
  }
}

function bodyOf(model: string, request: LlmRequest, { format, tokens }: Way): object {
  const { schema, maxTokens } = request
  return {
    model,
    messages: messagesOf(request, format !== 'json_schema'),
    stream: false,
    ...(maxTokens !== undefined && { [tokens]: maxTokens }),
    ...(schema !== undefined && format !== 'words' && { response_format: responseFormat(schema, format) }),
  }
}

function responseFormat(schema: Readonly<Record<string, unknown>>, format: 'json_schema' | 'json_object'): object {
  if (format === 'json_object') return { type: format }
  return { type: format, json_schema: { name: 'answer', schema, strict: isStrict(schema) } }
}

/**
 * Whether a server may hold the model to a schema to the letter: in each object all fields are required and no others
 * may come (OpenAI, Structured Outputs, "Supported schemas").
 */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict)
  if (typeof schema !== 'object' || schema === null) return true
  const { type, properties, required, additionalProperties } = schema as Readonly<Record<string, unknown>>
  if (type === 'object') {
    const names = Object.keys((properties ?? {}) as object)
    const all = Array.isArray(required) && names.every((name) => required.includes(name))
    if (!all || additionalProperties !== false) return false
  }
  return Object.values(schema).every(isStrict)
}
