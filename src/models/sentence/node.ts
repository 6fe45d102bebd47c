import type { SentenceEncoder } from '../../api/encoder.js'
import { encoderHost } from '../host.js'
import { nodeFiles } from '../node-files.js'
import type { EncoderOptions, Loading } from '../options.js'
import { startTextHost } from './start-node.js'

/** Starts an encoder of texts in Node or Deno, in a worker thread of its own unless the options say otherwise. */
export function startTexts(
  options: Pick<EncoderOptions, 'worker' | 'cache' | 'cueMs'>,
  loading: Loading,
): Promise<SentenceEncoder> {
  const script = new URL('../../../workers/encoder-node.js', import.meta.url)
  return startTextHost(options, loading, () => encoderHost(nodeFiles), script)
}
