import { wrap } from 'comlink'
import { checkChoice, invalid } from '../../api/check.js'
import type { Extractor } from '../../api/extractor.js'
import { AgidbError } from '../../base/errors.js'
import { reasonOf } from '../runtime.js'
import { RemoteExtractor } from './client.js'
import type { GlinerHost } from './host.js'
import { type GlinerOptions, toGlinerLoading } from './options.js'

export type { Extractor } from '../../api/extractor.js'
export type { FileSource } from '../options.js'
export type { GlinerOptions } from './options.js'

/**
 * Loads a GLiNER model over ONNX Runtime Web, in a worker of its own; for `Agidb.open({ extract })`. It needs
 * `onnxruntime-web` and `@huggingface/tokenizers` to be installed. It is the caller's to close, after the databases.
 *
 * @throws AgidbError `AGIDB_EXTRACTOR` when a file cannot be read, is not what `sha256` says, or is no GLiNER, or when
 * the worker cannot start; `AGIDB_UNSUPPORTED` when what it needs is not there; `AGIDB_INVALID_ARGUMENT`;
 * `AGIDB_UNKNOWN_OPTION`.
 */
export async function gliner(options: GlinerOptions): Promise<Extractor> {
  const loading = toGlinerLoading(options, (file) => new URL(file, location.href).href)
  if (options.cache !== undefined) checkChoice('cache', options.cache, [false])
  const worker = startWorker(options.worker)
  const host = wrap<GlinerHost>(worker) as unknown as GlinerHost
  const extractor = new RemoteExtractor({ host, end: () => worker.terminate() })
  const failed = (reason: string) =>
    extractor.end(new AgidbError('AGIDB_EXTRACTOR', `the worker of the GLiNER model failed: ${reason}`))
  worker.addEventListener('error', ({ message }) => failed(message || 'its script could not be loaded'))
  worker.addEventListener('messageerror', () => failed('an answer of it could not be read'))
  return extractor.load(loading)
}

function startWorker(worker: GlinerOptions['worker']): Worker {
  if (worker === false)
    throw invalid('worker cannot be false in a browser: a text would hold up the page', { option: 'worker' })
  try {
    if (worker !== undefined) return (typeof worker === 'function' ? worker() : worker) as Worker
    return new Worker(new URL('../../../workers/gliner.js', import.meta.url), { type: 'module', name: 'agidb-gliner' })
  } catch (cause) {
    const message = `the worker of the GLiNER model could not be started: ${reasonOf(cause)}`
    throw new AgidbError('AGIDB_EXTRACTOR', message, {}, { cause })
  }
}
