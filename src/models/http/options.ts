import { checkKeys, checkName, checkNumber, checkWhole, DEFAULT_LIMITS, invalid } from '../../api/check.js'
import { ENDPOINT_KEYS, toEndpoint, type Endpoint, type EndpointOptions } from '../../http/endpoint.js'

/** Options of an encoder behind HTTP. */
export interface HttpEncoderOptions extends EndpointOptions {
  /** The name of the model. */
  readonly model: string
  /**
   * Numbers a latent, 1 to 8,192. With it the server is not asked before the first text, and a model that can shorten
   * its latents does so. Default: as many as the model gives, which it is asked for once.
   */
  readonly dimensions?: number
  /** Texts of one request at most, 1 to 2,048. Default 64. */
  readonly batch?: number
  /** Milliseconds that a recall waits for the latent of its cue; later it goes on without. Default 500. */
  readonly cueMs?: number
}

/** Checked options. */
export interface HttpEncoding {
  readonly endpoint: Endpoint
  readonly model: string
  readonly dimensions: number | undefined
  readonly batch: number
  readonly cueMs: number
}

/** Numbers of a latent at most. */
export const MOST_NUMBERS = 8_192
/** An encoder that fails is left alone until the memory is opened again, so it is tried more often than a model. */
const RETRIES = 4
const TIMEOUT_MS = 60_000
const BATCH = 64
const CUE_MS = 500

/**
 * Checks the options of an encoder behind HTTP.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`
 */
export function toHttpEncoding(what: string, options: HttpEncoderOptions, url: string): HttpEncoding {
  checkKeys(what, options, ['model', 'dimensions', 'batch', 'cueMs', ...ENDPOINT_KEYS])
  if (options?.model === undefined) throw invalid(`${what} needs the name of a model`, { option: 'model' })
  const { model, dimensions, batch = BATCH, cueMs = CUE_MS } = options
  checkName('model', model, DEFAULT_LIMITS)
  if (dimensions !== undefined) checkWhole('dimensions', dimensions, 1, MOST_NUMBERS)
  checkWhole('batch', batch, 1, 2_048)
  checkNumber('cueMs', cueMs, 0, 2_147_483_647)
  const endpoint = toEndpoint(options, { url, timeoutMs: TIMEOUT_MS, retries: RETRIES })
  return { endpoint, model, dimensions, batch, cueMs }
}
