import type { SentenceEncoder } from '../../api/encoder.js'
import { OPENAI_URL, openaiAddress } from '../../http/openai-address.js'
import { postJson } from '../../http/post.js'
import { AgidbError } from '../../base/errors.js'
import { HttpEncoder } from './encoder.js'
import { type HttpEncoderOptions, toHttpEncoding } from './options.js'

/**
 * A sentence encoder behind the interface of OpenAI, `POST /embeddings`, which many servers offer; for
 * `Agidb.open({ encoder })`. Every text that is remembered and every cue goes to that server.
 *
 * @param options `url`: default `https://api.openai.com/v1`; of an address without a path, `/v1` is asked. `timeoutMs`:
 * default 60,000. `retries`: default 4.
 * @throws AgidbError `AGIDB_ENCODER` when the server cannot be reached, refuses, or answers with something else than
 * latents; `AGIDB_INVALID_ARGUMENT`; `AGIDB_UNKNOWN_OPTION`
 */
export async function openaiEncoder(options: HttpEncoderOptions): Promise<SentenceEncoder> {
  const checked = toHttpEncoding('openaiEncoder', options, OPENAI_URL)
  const endpoint = { ...checked.endpoint, base: openaiAddress(checked.endpoint.base) }
  const { model, dimensions } = checked
  const ask = async (input: readonly string[], maxBytes: number, signal: AbortSignal): Promise<readonly unknown[]> => {
    const answer = await postJson(endpoint, {
      path: '/embeddings',
      body: { model, input, encoding_format: 'float', ...(dimensions !== undefined && { dimensions }) },
      maxBytes,
      code: 'AGIDB_ENCODER',
      who: `the encoder ${model}`,
      signal,
    })
    const latents = inOrder((answer as { data?: unknown } | null)?.data)
    if (latents !== undefined) return latents
    const message = `the encoder ${model} at ${endpoint.base} answers with latents whose indexes are not those of texts`
    throw new AgidbError('AGIDB_ENCODER', message, { url: endpoint.base, model })
  }
  return new HttpEncoder({ ...checked, endpoint }, { ask }).open()
}

/**
 * The latents by their `index`; a server may leave it out where the order is that of the texts. `undefined` where one
 * has no index of a text, or that of another: nobody knows which text it is of.
 */
function inOrder(data: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(data)) return []
  const items = data as readonly ({ index?: unknown; embedding?: unknown } | null)[]
  const latents = new Map(
    items.map((item, i) => [typeof item?.index === 'number' ? item.index : i, item?.embedding] as const),
  )
  return items.every((_, i) => latents.has(i)) ? items.map((_, i) => latents.get(i)) : undefined
}
