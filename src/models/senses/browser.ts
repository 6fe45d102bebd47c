import { proxy, wrap } from 'comlink'
import { checkChoice, invalid } from '../../api/check.js'
import type { Encoder, EncoderInputs, Sense } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'
import { reasonOf } from '../runtime.js'
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
  const worker = workerOf(sense, options.worker, makeWorker)
  const host = wrap(worker) as unknown as SenseHost<EncoderInputs[S], Preparation, Decode>
  const encoder = new RemoteSenseEncoder(sense, { host, end: () => worker.terminate() })
  worker.addEventListener('error', ({ message }) => encoder.failed(message || 'its script could not be loaded'))
  worker.addEventListener('messageerror', () => encoder.failed('an answer of it could not be read'))
  return encoder.load(loading, decode && proxy(decode))
}

function workerOf(sense: Sense, worker: SenseEncoderOptions['worker'], make: () => Worker): Worker {
  if (worker === false)
    throw invalid(`worker cannot be false in a browser: encoding (${sense}) would hold up the page`, {
      option: 'worker',
    })
  try {
    if (worker !== undefined) return (typeof worker === 'function' ? worker() : worker) as Worker
    return make()
  } catch (cause) {
    const message = `the worker of the ${sense} encoder could not be started: ${reasonOf(cause)}`
    throw new AgidbError('AGIDB_ENCODER', message, {}, { cause })
  }
}
