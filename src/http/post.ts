import { withDeadline } from '../base/deadline.js'
import { AgidbError, type ErrorCode } from '../base/errors.js'
import type { Endpoint } from './endpoint.js'
import { readBytes } from './read.js'

/** What is sent, and what may come back. */
export interface Post {
  /** The path after the address of the endpoint: `/embeddings`. */
  readonly path: string
  readonly body: unknown
  /** Bytes of an answer at most. */
  readonly maxBytes: number
  /** The code of errors. */
  readonly code: ErrorCode
  /** What errors call who is asked: `the language model`. */
  readonly who: string
  readonly signal?: AbortSignal
}

/** Statuses of a server that may answer later. */
const BUSY = [429, 502, 503, 504]
/** Statuses of a redirect that keeps method and body. */
const REDIRECTS = [307, 308]
const MOST_REDIRECTS = 3
const FIRST_WAIT_MS = 250
/** Bytes of the body of an error that are read. */
const ERROR_BYTES = 65_536
/** Characters of what a server says that stand in an error. */
const SAID_CHARACTERS = 300

/**
 * Posts JSON and gives the JSON that comes back.
 *
 * @throws AgidbError with the code of the post: `details.status` is the status of a refusal, `details.reason` is
 * `unreachable`, `timeout`, `redirect`, `too-large`, `not-json`, `cut-off` or `status`;
 * `AGIDB_ABORTED`. No error has the key.
 */
export async function postJson(endpoint: Endpoint, post: Post): Promise<unknown> {
  return new Exchange(endpoint, post).run()
}

class Exchange {
  readonly #endpoint: Endpoint
  readonly #post: Post
  readonly #address: string

  constructor(endpoint: Endpoint, post: Post) {
    this.#endpoint = endpoint
    this.#post = post
    this.#address = `${endpoint.base}${post.path}`
  }

  run(): Promise<unknown> {
    const { timeoutMs } = this.#endpoint
    const until = performance.now() + timeoutMs
    return withDeadline(
      {
        timeoutMs,
        signal: this.#post.signal,
        late: () => this.#error('timeout', `did not answer within ${timeoutMs.toLocaleString('en')} ms`),
      },
      (signal) => this.#attempts(signal, until),
    )
  }

  async #attempts(signal: AbortSignal, until: number): Promise<unknown> {
    for (let attempt = 0; ; attempt++) {
      const failed = await this.#attempt(signal)
      if ('answer' in failed) return failed.answer
      const wait = failed.waitMs ?? FIRST_WAIT_MS * 2 ** attempt
      const later = attempt < this.#endpoint.retries && performance.now() + wait < until
      if (!later || signal.aborted) throw failed.error
      await pause(wait, signal)
    }
  }

  /** The answer, or an error after which another attempt may do. */
  async #attempt(
    signal: AbortSignal,
  ): Promise<{ readonly answer: unknown } | { readonly error: AgidbError; readonly waitMs?: number }> {
    let response: Response
    try {
      response = await this.#send(signal)
    } catch (error) {
      if (error instanceof AgidbError) throw error
      return { error: this.#error('unreachable', `cannot be reached: ${this.#reasonOf(error)}`) }
    }
    if (response.ok) return { answer: await this.#read(response) }
    const error = await this.#refusal(response)
    if (!BUSY.includes(response.status)) throw error
    return { error, waitMs: retryAfter(response) }
  }

  /** Follows redirects within the origin only: the body has what is remembered, the headers have the key. */
  async #send(signal: AbortSignal): Promise<Response> {
    const { apiKey } = this.#endpoint
    const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' }
    if (apiKey !== undefined) headers['authorization'] = `Bearer ${apiKey}`
    const body = JSON.stringify(this.#post.body)
    let address = this.#address
    for (let redirects = 0; ; redirects++) {
      const response = await fetch(address, { method: 'POST', headers, body, signal, redirect: 'manual' })
      const isRedirect = response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)
      if (!isRedirect) return response
      void response.body?.cancel().catch(() => undefined)
      const next = nextOf(response, address)
      if (next === undefined || redirects === MOST_REDIRECTS)
        throw this.#error(
          'redirect',
          'answers with a redirect, which is not followed; give the address that it leads to as url if you trust it',
        )
      address = next
    }
  }

  async #read(response: Response): Promise<unknown> {
    const { maxBytes } = this.#post
    let text: string
    try {
      const { bytes, whole } = await readBytes(response, maxBytes)
      if (!whole) throw this.#error('too-large', `answers with more than ${maxBytes.toLocaleString('en')} bytes`)
      text = new TextDecoder().decode(bytes)
    } catch (error) {
      if (error instanceof AgidbError) throw error
      throw this.#error('cut-off', `broke off its answer: ${this.#reasonOf(error)}`)
    }
    try {
      return JSON.parse(text) as unknown
    } catch {
      throw this.#error('not-json', `answers with something else than JSON: ${this.#said(text)}`)
    }
  }

  async #refusal(response: Response): Promise<AgidbError> {
    const { bytes } = await readBytes(response, ERROR_BYTES).catch(() => ({ bytes: new Uint8Array() }))
    const said = this.#said(saidIn(new TextDecoder().decode(bytes)))
    const { status } = response
    const hint =
      status === 401 || status === 403
        ? '; check apiKey'
        : status === 404
          ? '; check url and the name of the model'
          : ''
    const retryAfterMs = retryAfter(response)
    return this.#error('status', `refuses with status ${status}${said && `: ${said}`}${hint}`, {
      status,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    })
  }

  #error(reason: string, what: string, details: Readonly<Record<string, unknown>> = {}): AgidbError {
    const { base } = this.#endpoint
    return new AgidbError(this.#post.code, `${this.#post.who} at ${base} ${what}`, { url: base, reason, ...details })
  }

  /** A line of what a server says, without the key: it may repeat what it was sent. */
  #said(text: string): string {
    const { apiKey } = this.#endpoint
    const clean = apiKey === undefined ? text : text.replaceAll(apiKey, '…')
    const line = clean.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
    return line.length > SAID_CHARACTERS ? `${line.slice(0, SAID_CHARACTERS)}…` : line
  }

  /** Why a request failed: Node puts the reason into the cause. */
  #reasonOf(error: unknown): string {
    const { cause, message } = error as { cause?: { code?: unknown; message?: unknown }; message?: unknown }
    return this.#said(String(cause?.code ?? cause?.message ?? message ?? error))
  }
}

function nextOf(response: Response, from: string): string | undefined {
  const location = response.headers.get('location')
  if (location === null || !REDIRECTS.includes(response.status)) return undefined
  try {
    const next = new URL(location, from)
    return next.origin === new URL(from).origin ? next.href : undefined
  } catch {
    return undefined
  }
}

/** Milliseconds that the server asks to wait: seconds, or a time (RFC 9110, 10.2.3). */
function retryAfter(response: Response): number | undefined {
  const value = response.headers.get('retry-after')?.trim()
  if (value === undefined || value === '') return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const time = Date.parse(value)
  return Number.isNaN(time) ? undefined : Math.max(0, time - Date.now())
}

/** What a server says is wrong, in the form of OpenAI, of Ollama, or as text. */
function saidIn(text: string): string {
  try {
    const { error, message } = JSON.parse(text) as { error?: unknown; message?: unknown }
    const said = [(error as { message?: unknown } | undefined)?.message, error, message]
    return (said.find((one) => typeof one === 'string') as string | undefined) ?? ''
  } catch {
    return text
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done, { once: true })
  })
}
