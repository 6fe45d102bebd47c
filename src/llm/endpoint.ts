import { checkKeys, checkName, DEFAULT_LIMITS, invalid } from '../api/check.js'
import { ENDPOINT_KEYS, toEndpoint, type Endpoint, type EndpointOptions } from '../http/endpoint.js'
import { DEFAULT_RETRIES, DEFAULT_TIMEOUT_MS } from './request.js'

/** Options of a language model behind HTTP. */
export interface HttpLlmOptions extends EndpointOptions {
  /** The name of the model. */
  readonly model: string
}

/**
 * Checks the options of a language model behind HTTP.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`
 */
export function toLlmEndpoint(what: string, options: HttpLlmOptions, url: string): Endpoint {
  checkKeys(what, options, ['model', ...ENDPOINT_KEYS])
  if (options?.model === undefined) throw invalid(`${what} needs the name of a model`, { option: 'model' })
  checkName('model', options.model, DEFAULT_LIMITS)
  return toEndpoint(options, { url, timeoutMs: DEFAULT_TIMEOUT_MS, retries: DEFAULT_RETRIES })
}
