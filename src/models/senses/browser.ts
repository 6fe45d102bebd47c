import { proxy } from 'comlink'
import { checkChoice } from '../../api/check.js'
import type { Encoder, EncoderInputs, Sense } from '../../api/encoder.js'
import { startWorker } from '../browser-worker.js'
import { RemoteSenseEncoder } from './client.js'
import type { SenseHost } from './host.js'
import type { SenseEncoderOptions, SenseLoading } from './options.js'

/**
 * Starts an encoder in a page or a worker, in a worker of its own.
 *
 * @param makeWorker makes the worker where the options bring none
 * @param decode decodes files in this thread, for a worker that cannot
 */
export function startSense<S extends Sense, Preparation, Decode extends object>(
  sense: S,
  options: SenseEncoderOptions,
  loading: SenseLoading<Preparation>,
  makeWorker: () => Worker,
  decode?: Decode,
): Promise<Encoder<S>> {
  if (options.cache !== undefined) checkChoice('cache', options.cache, [false])
  const served = { name: `the ${sense} encoder`, code: 'AGIDB_ENCODER' } as const
  const thread = startWorker<SenseHost<EncoderInputs[S], Preparation, Decode>>(served, options.worker, makeWorker)
  const encoder = new RemoteSenseEncoder(sense, thread)
  thread.onFailure((error) => encoder.end(error))
  return encoder.load(loading, decode && proxy(decode))
}
