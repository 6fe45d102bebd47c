import { EventSourceParserStream } from 'eventsource-parser/stream'
import { ChatError, type ChatModel, textOf } from './model.js'

/** Where a model is. */
export interface Endpoint {
  /** Such as `https://api.openai.com/v1`. */
  readonly url: string
  readonly model: string
  /** Absent where none is needed. */
  readonly key?: string
}

/** Any server with the interface of OpenAI: `POST /chat/completions`, streamed as server-sent events. */
export function endpointModel({ url, model, key }: Endpoint): ChatModel {
  const { origin } = new URL(url)
  return {
    about: `${model} at ${origin}. Your questions, and the memories that bear on them, go there.`,
    async *answer(messages, signal) {
      const response = await fetch(`${url.replace(/\/+$/, '')}/chat/completions`, {
        method: 'POST',
        redirect: 'error',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        headers: { 'Content-Type': 'application/json', ...(key !== undefined && { Authorization: `Bearer ${key}` }) },
        body: JSON.stringify({
          model,
          stream: true,
          messages: messages.map((message) => ({ role: message.role, content: textOf(message) })),
        }),
        signal,
      }).catch((cause: unknown) => {
        if (signal.aborted) throw cause
        throw new ChatError(`${origin} cannot be reached, or does not allow this page to ask it (CORS).`, { cause })
      })
      if (!response.ok || response.body === null) throw new ChatError(refused(response.status, origin))
      const events = response.body
        .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
        .pipeThrough(new EventSourceParserStream())
        .getReader()
      for (;;) {
        const { done, value } = await events.read()
        if (done) throw new ChatError(`${origin} broke off in the middle of the answer.`)
        if (value.data === '[DONE]') return
        yield deltaOf(value.data, origin)
      }
    },
  }
}

function refused(status: number, origin: string): string {
  if (status === 401 || status === 403) return `${origin} does not take the key (HTTP ${status}).`
  if (status === 404) return `${origin} has no such model, or no such address (HTTP 404).`
  return `${origin} refused to answer (HTTP ${status}).`
}

function deltaOf(data: string, origin: string): string {
  try {
    const { choices } = JSON.parse(data) as { choices?: readonly { readonly delta?: { readonly content?: unknown } }[] }
    const content = choices?.[0]?.delta?.content
    return typeof content === 'string' ? content : ''
  } catch (cause) {
    throw new ChatError(`${origin} answers in another form than that of OpenAI.`, { cause })
  }
}
