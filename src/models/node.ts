import { checkChoice, invalid } from '../api/check.js'
import type { SentenceEncoder } from '../api/encoder.js'
import { AgidbError } from '../base/errors.js'
import { toLoading } from './check.js'
import { RemoteEncoder } from './client.js'
import { encoderHost, type EncoderHost } from './host.js'
import { nodeFiles } from './node-files.js'
import { startThread } from './node-thread.js'
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
export { audioEncoder } from './audio/node.js'
export type { AudioEncoderOptions, AudioLayout, AudioManifest } from './audio/options.js'
export { imageEncoder } from './image/node.js'
export type { ImageEncoderOptions, ImageManifest } from './image/options.js'
export type { EncoderOptions, FileSource } from './options.js'
export type { SenseEncoderOptions } from './senses/options.js'

/**
 * Loads a sentence encoder over ONNX Runtime Web, in a worker thread of its own; for `Agidb.open({ encoder })`. It
 * needs `onnxruntime-web` and `@huggingface/tokenizers` to be installed. It is the caller's to close, after the
 * databases.
 *
 * @throws AgidbError `AGIDB_ENCODER` when a file cannot be read, is not what `sha256` says, or is no sentence encoder;
 * `AGIDB_UNSUPPORTED` when what it needs is not installed; `AGIDB_INVALID_ARGUMENT`; `AGIDB_UNKNOWN_OPTION`
 */
export async function sentenceEncoder(options: EncoderOptions): Promise<SentenceEncoder> {
  const loading = toLoading(options, (file) => file)
  const { worker, cache, cueMs } = options
  if (worker !== undefined) checkChoice('worker', worker, [false])
  if (cache !== undefined && cache !== false && (typeof cache !== 'string' || cache === '')) {
    throw invalid('cache must be the path of a folder, or false', { option: 'cache' })
  }
  if (worker === false) {
    const host = encoderHost(nodeFiles)
    return new RemoteEncoder({ host, end: () => void host.close() }, cueMs).load(loading)
  }
  const thread = startThread<EncoderHost>(new URL('../../workers/encoder-node.js', import.meta.url))
  const encoder = new RemoteEncoder(thread, cueMs)
  thread.onFailure((reason) =>
    encoder.end(new AgidbError('AGIDB_ENCODER', `the thread of the sentence encoder failed: ${reason}`)),
  )
  return encoder.load(loading)
}
