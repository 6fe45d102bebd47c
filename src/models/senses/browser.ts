import { proxy } from 'comlink'
import { checkChoice } from '../../api/check.js'
import type { Encoder, EncoderInput, Sense } from '../../api/encoder.js'
import { startWorker } from '../browser-worker.js'
import type { Loaded } from '../host.js'
import { RemoteSenseEncoder } from './client.js'
import type { SenseHost } from './host.js'
import type { SenseEncoderOptions } from './options.js'

/**
 * Starts an encoder in a page or a worker, in a worker of its own.
 *
 * @param makeWorker makes the worker where the options bring none
 * @param decode decodes files in this thread, for a worker that cannot
 */
export function startSense<S extends Sense, Loading, Decode extends object, Known extends Loaded = Loaded>(
  sense: S,
  options: SenseEncoderOptions,
  loading: Loading,
  makeWorker: () => Worker,
  decode?: Decode,
): Promise<Encoder<S> & Known> {
  if (options.cache !== undefined) checkChoice('cache', options.cache, [false])
  const served = { name: `the ${sense} encoder`, code: 'AGIDB_ENCODER' } as const
  const thread = startWorker<SenseHost<EncoderInput<S>, Loading, Decode, Known>>(served, options.worker, makeWorker)
  const encoder = new RemoteSenseEncoder<S, Loading, Decode, Known>(sense, thread)
  thread.onFailure((error) => encoder.end(error))
  return encoder.load(loading, decode && proxy(decode))
}
