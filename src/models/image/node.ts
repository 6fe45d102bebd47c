import type { Encoder } from '../../api/encoder.js'
import { nodeFiles } from '../node-files.js'
import { startSense } from '../senses/node.js'
import { toSenseLoading } from '../senses/options.js'
import { decodeWithSharp, encodeWithSharp } from './decode-node.js'
import { imageHost } from './host.js'
import { checkImageManifest, type ImageEncoderOptions } from './options.js'

/**
 * Loads an encoder of pictures over ONNX Runtime Web, in a worker thread of its own; for `Agidb.open({ encoders: {
 * image } })`. It needs `onnxruntime-web` to be installed, and `sharp` for files of pictures. It is the caller's to
 * close, after the databases.
 *
 * @throws AgidbError `AGIDB_ENCODER` when the model cannot be read, is not what `sha256` says, or is none of pictures;
 * `AGIDB_UNSUPPORTED` when what it needs is not installed; `AGIDB_INVALID_ARGUMENT`; `AGIDB_UNKNOWN_OPTION`
 */
export async function imageEncoder(options: ImageEncoderOptions): Promise<Encoder<'image'>> {
  const files = { required: ['model'] }
  const loading = toSenseLoading('imageEncoder', options, files, checkImageManifest, (file) => file)
  const hostHere = () => imageHost(nodeFiles, decodeWithSharp, encodeWithSharp)
  return startSense('image', options, loading, hostHere, new URL('../../../workers/image-node.js', import.meta.url))
}
