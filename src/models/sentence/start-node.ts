import { checkChoice, invalid } from '../../api/check.js'
import type { SentenceEncoder } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'
import { RemoteEncoder } from '../client.js'
import type { EncoderHost, Loaded } from '../host.js'
import { startThread } from '../node-thread.js'
import type { EncoderOptions } from '../options.js'

/**
 * Starts an encoder of texts in Node or Deno, in a worker thread of its own unless the options say otherwise.
 *
 * @param hostHere makes the host for this thread
 * @param script of the worker thread
 */
export async function startTextHost<L, Known extends Loaded = Loaded>(
  { worker, cache, cueMs }: Pick<EncoderOptions, 'worker' | 'cache' | 'cueMs'>,
  loading: L,
  hostHere: () => EncoderHost<L, Known>,
  script: URL,
): Promise<SentenceEncoder & Known> {
  if (worker !== undefined) checkChoice('worker', worker, [false])
  if (cache !== undefined && cache !== false && (typeof cache !== 'string' || cache === '')) {
    throw invalid('cache must be the path of a folder, or false', { option: 'cache' })
  }
  if (worker === false) {
    const host = hostHere()
    return new RemoteEncoder<L, Known>({ host, end: () => void host.close() }, cueMs).load(loading)
  }
  const thread = startThread<EncoderHost<L, Known>>(script)
  const encoder = new RemoteEncoder<L, Known>(thread, cueMs)
  thread.onFailure((reason) =>
    encoder.end(new AgidbError('AGIDB_ENCODER', `the thread of the sentence encoder failed: ${reason}`)),
  )
  return encoder.load(loading)
}
