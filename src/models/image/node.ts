import { checkChoice, invalid } from '../../api/check.js'
import type { Encoder } from '../../api/encoder.js'
import { AgidbError } from '../../base/errors.js'
import { nodeFiles } from '../node-files.js'
import { startThread } from '../node-thread.js'
import { RemoteImageEncoder } from './client.js'
import { decodeWithSharp } from './decode-node.js'
import { type ImageHost, imageHost } from './host.js'
import { type ImageEncoderOptions, toImageLoading } from './options.js'

/**
 * Loads an encoder of pictures over ONNX Runtime Web, in a worker thread of its own; for `Agidb.open({ encoders: {
 * image } })`. It needs `onnxruntime-web` to be installed, and `sharp` for files of pictures. It is the caller's to
 * close, after the databases.
 *
 * @throws AgidbError `AGIDB_ENCODER` when the model cannot be read, is not what `sha256` says, or is none of pictures;
 * `AGIDB_UNSUPPORTED` when what it needs is not installed; `AGIDB_INVALID_ARGUMENT`; `AGIDB_UNKNOWN_OPTION`
 */
export async function imageEncoder(options: ImageEncoderOptions): Promise<Encoder<'image'>> {
  const loading = toImageLoading(options, (file) => file)
  const { worker, cache } = options
  if (worker !== undefined) checkChoice('worker', worker, [false])
  if (cache !== undefined && cache !== false && (typeof cache !== 'string' || cache === ''))
    throw invalid('cache must be the path of a folder, or false', { option: 'cache' })
  if (worker === false) {
    const host = imageHost(nodeFiles, decodeWithSharp)
    return new RemoteImageEncoder({ host, end: () => void host.close() }).load(loading)
  }
  const thread = startThread<ImageHost>(new URL('../../../workers/image-node.js', import.meta.url))
  const encoder = new RemoteImageEncoder(thread)
  thread.onFailure((reason) =>
    encoder.end(new AgidbError('AGIDB_ENCODER', `the thread of the image encoder failed: ${reason}`)),
  )
  return encoder.load(loading)
}
