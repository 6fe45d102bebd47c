import { wrap } from 'comlink'
import { checkChoice, invalid } from '../../api/check.js'
import type { Encoder } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'
import { reasonOf } from '../runtime.js'
import { RemoteImageEncoder } from './client.js'
import type { ImageHost } from './host.js'
import { type ImageEncoderOptions, toImageLoading } from './options.js'

/**
 * Loads an encoder of pictures over ONNX Runtime Web, in a worker of its own; for `Agidb.open({ encoders: { image }
 * })`. It needs `onnxruntime-web` to be installed. It is the caller's to close, after the databases.
 *
 * @throws AgidbError `AGIDB_ENCODER` when the model cannot be read, is not what `sha256` says, or is none of pictures,
 * or when the worker cannot start; `AGIDB_UNSUPPORTED`; `AGIDB_INVALID_ARGUMENT`; `AGIDB_UNKNOWN_OPTION`
 */
export async function imageEncoder(options: ImageEncoderOptions): Promise<Encoder<'image'>> {
  const loading = toImageLoading(options, (file) => new URL(file, location.href).href)
  if (options.cache !== undefined) checkChoice('cache', options.cache, [false])
  const worker = startWorker(options.worker)
  const host = wrap<ImageHost>(worker) as unknown as ImageHost
  const encoder = new RemoteImageEncoder({ host, end: () => worker.terminate() })
  const failed = (reason: string) =>
    encoder.end(new AgidbError('AGIDB_ENCODER', `the worker of the image encoder failed: ${reason}`))
  worker.addEventListener('error', ({ message }) => failed(message || 'its script could not be loaded'))
  worker.addEventListener('messageerror', () => failed('an answer of it could not be read'))
  return encoder.load(loading)
}

function startWorker(worker: ImageEncoderOptions['worker']): Worker {
  if (worker === false)
    throw invalid('worker cannot be false in a browser: a picture would hold up the page', { option: 'worker' })
  try {
    if (worker !== undefined) return (typeof worker === 'function' ? worker() : worker) as Worker
    return new Worker(new URL('../../../workers/image.js', import.meta.url), { type: 'module', name: 'agidb-image' })
  } catch (cause) {
    const message = `the worker of the image encoder could not be started: ${reasonOf(cause)}`
    throw new AgidbError('AGIDB_ENCODER', message, {}, { cause })
  }
}
