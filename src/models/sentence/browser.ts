import { wrap } from 'comlink'
import { checkChoice, invalid } from '../../api/check.js'
import { AgidbError } from '../../base/errors.js'
import { RemoteEncoder } from '../client.js'
import type { EncoderHost } from '../host.js'
import type { EncoderOptions, Loading } from '../options.js'

/** Starts an encoder of texts in a browser, in a worker of its own unless the options bring one. */
export async function startTexts(
  options: Pick<EncoderOptions, 'worker' | 'cache' | 'cueMs'>,
  loading: Loading,
): Promise<RemoteEncoder> {
  if (options.cache !== undefined) checkChoice('cache', options.cache, [false])
  const worker = startWorker(options.worker)
  const host = wrap<EncoderHost>(worker) as unknown as EncoderHost
  const encoder = new RemoteEncoder({ host, end: () => worker.terminate() }, options.cueMs)
  const failed = (reason: string) =>
    encoder.end(new AgidbError('AGIDB_ENCODER', `the worker of the sentence encoder failed: ${reason}`))
  worker.addEventListener('error', ({ message }) => failed(message || 'its script could not be loaded'))
  worker.addEventListener('messageerror', () => failed('an answer of it could not be read'))
  return encoder.load(loading)
}

function startWorker(worker: EncoderOptions['worker']): Worker {
  if (worker === false)
    throw invalid('worker cannot be false in a browser: a text would hold up the page', { option: 'worker' })
  try {
    if (worker !== undefined) return (typeof worker === 'function' ? worker() : worker) as Worker
    return new Worker(new URL('../../../workers/encoder.js', import.meta.url), {
      type: 'module',
      name: 'agidb-encoder',
    })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AgidbError(
      'AGIDB_ENCODER',
      `the worker of the sentence encoder could not be started: ${reason}`,
      {},
      { cause },
    )
  }
}
