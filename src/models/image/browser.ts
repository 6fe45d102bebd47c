import type { Encoder } from '../../api/encoder.js'
import { startSense } from '../senses/browser.js'
import { toSenseLoading } from '../senses/options.js'
import { checkImageManifest, type ImageEncoderOptions } from './options.js'

/**
 * Loads an encoder of pictures over ONNX Runtime Web, in a worker of its own; for `Agidb.open({ encoders: { image }
 * })`. It needs `onnxruntime-web` to be installed. It is the caller's to close, after the databases.
 *
 * @throws AgidbError `AGIDB_ENCODER` when the model cannot be read, is not what `sha256` says, or is none of pictures,
 * or when the worker cannot start; `AGIDB_UNSUPPORTED`; `AGIDB_INVALID_ARGUMENT`; `AGIDB_UNKNOWN_OPTION`
 */
export async function imageEncoder(options: ImageEncoderOptions): Promise<Encoder<'image'>> {
  const resolve = (file: string) => new URL(file, location.href).href
  const loading = toSenseLoading('imageEncoder', options, { required: ['model'] }, checkImageManifest, resolve)
  const makeWorker = () =>
    new Worker(new URL('../../../workers/image.js', import.meta.url), { type: 'module', name: 'agidb-image' })
  return startSense('image', options, loading, makeWorker)
}
