import { checkChoice } from '../../api/check.js'
import { startWorker } from '../browser-worker.js'
import { RemoteEncoder } from '../client.js'
import type { EncoderHost } from '../host.js'
import type { EncoderOptions, Loading } from '../options.js'

const SERVED = { name: 'the sentence encoder', code: 'AGIDB_ENCODER' } as const

/** Starts an encoder of texts in a browser, in a worker of its own unless the options bring one. */
export async function startTexts(
  { worker, cache, cueMs }: Pick<EncoderOptions, 'worker' | 'cache' | 'cueMs'>,
  loading: Loading,
): Promise<RemoteEncoder> {
  if (cache !== undefined) checkChoice('cache', cache, [false])
  const makeWorker = () =>
    new Worker(new URL('../../../workers/encoder.js', import.meta.url), { type: 'module', name: 'agidb-encoder' })
  const thread = startWorker<EncoderHost>(SERVED, worker, makeWorker)
  const encoder = new RemoteEncoder(thread, cueMs)
  thread.onFailure((error) => encoder.end(error))
  return encoder.load(loading)
}
