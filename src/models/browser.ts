import { wrap } from 'comlink'
import { checkChoice, invalid } from '../api/check.js'
import type { SentenceEncoder } from '../api/encoder.js'
import { AgidbError } from '../base/errors.js'
import { toLoading } from './check.js'
import { RemoteEncoder } from './client.js'
import type { EncoderHost } from './host.js'
import type { EncoderOptions } from './options.js'

export type {
  AudioInput,
  Encoder,
  ImageInput,
  Pixels,
  Samples,
  SentenceEncoder,
  SoundChannels,
} from '../api/encoder.js'
export { audioEncoder } from './audio/browser.js'
export type { AudioEncoderOptions, AudioLayout, AudioManifest } from './audio/options.js'
export { imageEncoder } from './image/browser.js'
export type { ImageEncoderOptions, ImageManifest } from './image/options.js'
export type { EncoderOptions, FileSource } from './options.js'
export type { SenseEncoderOptions } from './senses/options.js'

/**
 * Loads a sentence encoder over ONNX Runtime Web, in a worker of its own; for `Agidb.open({ encoder })`. It needs
 * `onnxruntime-web` and `@huggingface/tokenizers` to be installed. It is the caller's to close, after the databases.
 *
 * @throws AgidbError `AGIDB_ENCODER` when a file cannot be read, is not what `sha256` says, or is no sentence encoder,
 * or when the worker cannot start; `AGIDB_UNSUPPORTED` when what it needs is not there; `AGIDB_INVALID_ARGUMENT`;
 * `AGIDB_UNKNOWN_OPTION`
 */
export async function sentenceEncoder(options: EncoderOptions): Promise<SentenceEncoder> {
  const loading = toLoading(options, (file) => new URL(file, location.href).href)
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
    return new Worker(new URL('../../workers/encoder.js', import.meta.url), { type: 'module', name: 'agidb-encoder' })
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
