import { checkChoice } from '../../api/check.js'
import type { SentenceEncoder } from '../../api/encoder.js'
import { startWorker } from '../browser-worker.js'
import { RemoteEncoder } from '../client.js'
import type { EncoderHost, Loaded } from '../host.js'
import type { EncoderOptions } from '../options.js'

const SERVED = { name: 'the sentence encoder', code: 'AGIDB_ENCODER' } as const

/**
 * Starts an encoder of texts in a browser, in a worker of its own unless the options bring one.
 *
 * @param makeWorker makes the worker where the options bring none
 */
export async function startTextHost<L, Known extends Loaded = Loaded>(
  { worker, cache, cueMs }: Pick<EncoderOptions, 'worker' | 'cache' | 'cueMs'>,
  loading: L,
  makeWorker: () => Worker,
): Promise<SentenceEncoder & Known> {
  if (cache !== undefined) checkChoice('cache', cache, [false])
  const thread = startWorker<EncoderHost<L, Known>>(SERVED, worker, makeWorker)
  const encoder = new RemoteEncoder<L, Known>(thread, cueMs)
  thread.onFailure((error) => encoder.end(error))
  return encoder.load(loading)
}
