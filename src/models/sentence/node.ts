import { checkChoice, invalid } from '../../api/check.js'
import { AgidbError } from '../../base/errors.js'
import { RemoteEncoder } from '../client.js'
import { encoderHost, type EncoderHost } from '../host.js'
import { nodeFiles } from '../node-files.js'
import { startThread } from '../node-thread.js'
import type { EncoderOptions, Loading } from '../options.js'

/** Starts an encoder of texts in Node or Deno, in a worker thread of its own unless the options say otherwise. */
export async function startTexts(
  { worker, cache, cueMs }: Pick<EncoderOptions, 'worker' | 'cache' | 'cueMs'>,
  loading: Loading,
): Promise<RemoteEncoder> {
  if (worker !== undefined) checkChoice('worker', worker, [false])
  if (cache !== undefined && cache !== false && (typeof cache !== 'string' || cache === '')) {
    throw invalid('cache must be the path of a folder, or false', { option: 'cache' })
  }
  if (worker === false) {
    const host = encoderHost(nodeFiles)
    return new RemoteEncoder({ host, end: () => void host.close() }, cueMs).load(loading)
  }
  const thread = startThread<EncoderHost>(new URL('../../../workers/encoder-node.js', import.meta.url))
  const encoder = new RemoteEncoder(thread, cueMs)
  thread.onFailure((reason) =>
    encoder.end(new AgidbError('AGIDB_ENCODER', `the thread of the sentence encoder failed: ${reason}`)),
  )
  return encoder.load(loading)
}
