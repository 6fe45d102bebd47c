import { checkChoice, invalid } from '../../api/check.js'
import { AgidbError } from '../../base/errors.js'
import { nodeFiles } from '../node-files.js'
import { startThread } from '../node-thread.js'
import { RemoteExtractor } from './client.js'
import { glinerHost, type GlinerHost } from './host.js'
import { type GlinerExtractor, type GlinerOptions, toGlinerLoading } from './options.js'

export type { Extractor } from '../../api/extractor.js'
export type { FileSource } from '../options.js'
export type { GlinerDevice, GlinerExtractor, GlinerOptions, GoldenText } from './options.js'

/**
 * Loads a GLiNER model over ONNX Runtime Web, in a worker thread of its own; for `Agidb.open({ extract })`. It needs
 * `onnxruntime-web` and `@huggingface/tokenizers` to be installed. It is the caller's to close, after the databases.
 *
 * @throws AgidbError `AGIDB_EXTRACTOR` when a file cannot be read, is not what `sha256` says, or is no GLiNER;
 * `AGIDB_UNSUPPORTED` when what it needs is not installed; `AGIDB_INVALID_ARGUMENT`; `AGIDB_UNKNOWN_OPTION`.
 */
export async function gliner(options: GlinerOptions): Promise<GlinerExtractor> {
  const loading = toGlinerLoading(options, (file) => file)
  const { worker, cache } = options
  if (worker !== undefined) checkChoice('worker', worker, [false])
  if (cache !== undefined && cache !== false && (typeof cache !== 'string' || cache === ''))
    throw invalid('cache must be the path of a folder, or false', { option: 'cache' })
  if (worker === false) {
    const host = glinerHost(nodeFiles)
    return new RemoteExtractor({ host, end: () => void host.close() }).load(loading)
  }
  const thread = startThread<GlinerHost>(new URL('../../../workers/gliner-node.js', import.meta.url))
  const extractor = new RemoteExtractor(thread)
  thread.onFailure((reason) =>
    extractor.end(new AgidbError('AGIDB_EXTRACTOR', `the thread of the GLiNER model failed: ${reason}`)),
  )
  return extractor.load(loading)
}
