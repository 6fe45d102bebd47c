import type { SentenceEncoder } from '../../api/encoder.js'
import type { EncoderOptions, Loading } from '../options.js'
import { startTextHost } from './start-browser.js'

/** Starts an encoder of texts in a browser, in a worker of its own unless the options bring one. */
export function startTexts(
  options: Pick<EncoderOptions, 'worker' | 'cache' | 'cueMs'>,
  loading: Loading,
): Promise<SentenceEncoder> {
  const makeWorker = () =>
    new Worker(new URL('../../../workers/encoder.js', import.meta.url), { type: 'module', name: 'agidb-encoder' })
  return startTextHost(options, loading, makeWorker)
}
