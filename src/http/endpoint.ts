import { checkString, checkWhole, invalid } from '../api/check.js'

/** Where a server of models is, and what it takes to ask it. */
export interface EndpointOptions {
  /** The address of its interface, `http:` or `https:`, without user and password. */
  readonly url?: string | URL
  /** Sent as `Authorization: Bearer …`, to the origin of `url` only. It stands in no error. Default: none. */
  readonly apiKey?: string
  /** Milliseconds that a call may take, with all attempts, 1 to 3,600,000. */
  readonly timeoutMs?: number
  /**
   * Further attempts where the server is busy (429, 502, 503, 504) or out of reach, 0 to 10. It is waited as long as
   * `Retry-After` says, else 250 ms and twice as long each time.
   */
  readonly retries?: number
}

/** Names of {@link EndpointOptions}. */
export const ENDPOINT_KEYS = ['url', 'apiKey', 'timeoutMs', 'retries'] as const

/** A checked endpoint. */
export interface Endpoint {
  /** Without a slash at its end. */
  readonly base: string
  readonly apiKey: string | undefined
  readonly timeoutMs: number
  readonly retries: number
}

/**
 * Checks where a server is.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`; it shows neither the key nor a password
 */
export function toEndpoint(
  { url, apiKey, timeoutMs, retries }: EndpointOptions,
  defaults: { readonly url: string; readonly timeoutMs: number; readonly retries: number },
): Endpoint {
  const time = timeoutMs ?? defaults.timeoutMs
  const attempts = retries ?? defaults.retries
  checkWhole('timeoutMs', time, 1, 3_600_000)
  checkWhole('retries', attempts, 0, 10)
  // The value stays out of the message: headers take these characters only.
  if (apiKey !== undefined && (typeof apiKey !== 'string' || !/^[\x21-\x7e]{1,4096}$/.test(apiKey)))
    throw invalid('apiKey must be 1 to 4,096 visible ASCII characters', { option: 'apiKey' })
  return { base: toBase(url ?? defaults.url), apiKey, timeoutMs: time, retries: attempts }
}

function toBase(url: string | URL): string {
  const wrong = (why: string) => invalid(`url ${why}`, { option: 'url' })
  if (typeof url === 'string') checkString('url', url)
  let parsed: URL
  try {
    parsed = new URL(String(url))
  } catch {
    throw wrong('is no address; expected one such as http://localhost:11434')
  }
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')
    throw wrong(`begins with ${parsed.protocol}; expected http: or https:`)
  if (parsed.username !== '' || parsed.password !== '') throw wrong('has a user or a password; give apiKey instead')
  if (parsed.search !== '' || parsed.hash !== '') throw wrong('has a query or a fragment; expected an address without')
  return parsed.href.replace(/\/+$/, '')
}
