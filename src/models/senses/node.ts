import { checkChoice, invalid } from '../../api/check.js'
import type { Encoder, EncoderInput, Sense } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'
import { startThread } from '../node-thread.js'
import type { Loaded } from '../host.js'
import { RemoteSenseEncoder } from './client.js'
import type { SenseHost } from './host.js'
import type { SenseEncoderOptions } from './options.js'

/**
 * Starts an encoder in Node or Deno, in a worker thread of its own unless the options say otherwise.
 *
 * @param hostHere makes the host for this thread
 * @param script of the worker thread
 */
export function startSense<S extends Sense, Loading, Decode, Known extends Loaded = Loaded>(
  sense: S,
  { worker, cache }: SenseEncoderOptions,
  loading: Loading,
  hostHere: () => SenseHost<EncoderInput<S>, Loading, Decode, Known>,
  script: URL,
): Promise<Encoder<S> & Known> {
  if (worker !== undefined) checkChoice('worker', worker, [false])
  if (cache !== undefined && cache !== false && (typeof cache !== 'string' || cache === ''))
    throw invalid('cache must be the path of a folder, or false', { option: 'cache' })
  if (worker === false) {
    const host = hostHere()
    return new RemoteSenseEncoder<S, Loading, Decode, Known>(sense, { host, end: () => void host.close() }).load(
      loading,
    )
  }
  const thread = startThread<SenseHost<EncoderInput<S>, Loading, Decode, Known>>(script)
  const encoder = new RemoteSenseEncoder<S, Loading, Decode, Known>(sense, thread)
  thread.onFailure((reason) =>
    encoder.end(new AgidbError('AGIDB_ENCODER', `the thread of the ${sense} encoder failed: ${reason}`)),
  )
  return encoder.load(loading)
}
