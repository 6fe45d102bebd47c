import { checkChoice } from '../../api/check.js'
import { startWorker } from '../browser-worker.js'
import { RemoteExtractor } from './client.js'
import type { GlinerHost } from './host.js'
import { type GlinerExtractor, type GlinerOptions, toGlinerLoading } from './options.js'

export type { Extractor } from '../../api/extractor.js'
export type { FileSource } from '../options.js'
export type { GlinerDevice, GlinerExtractor, GlinerOptions, GoldenText } from './options.js'

const SERVED = { name: 'the GLiNER model', code: 'AGIDB_EXTRACTOR' } as const

/**
 * Loads a GLiNER model over ONNX Runtime Web, in a worker of its own; for `Agidb.open({ extract })`. It needs
 * `onnxruntime-web` and `@huggingface/tokenizers` to be installed. It is the caller's to close, after the databases.
 *
 * @throws AgidbError `AGIDB_EXTRACTOR` when a file cannot be read, is not what `sha256` says, or is no GLiNER, or when
 * the worker cannot start; `AGIDB_UNSUPPORTED` when what it needs is not there; `AGIDB_INVALID_ARGUMENT`;
 * `AGIDB_UNKNOWN_OPTION`.
 */
export async function gliner(options: GlinerOptions): Promise<GlinerExtractor> {
  const loading = toGlinerLoading(options, (file) => new URL(file, location.href).href)
  if (options.cache !== undefined) checkChoice('cache', options.cache, [false])
  const makeWorker = () =>
    new Worker(new URL('../../../workers/gliner.js', import.meta.url), { type: 'module', name: 'agidb-gliner' })
  const thread = startWorker<GlinerHost>(SERVED, options.worker, makeWorker)
  const extractor = new RemoteExtractor(thread)
  thread.onFailure((error) => extractor.end(error))
  return extractor.load(loading)
}
