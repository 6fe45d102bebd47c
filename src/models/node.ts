import { MessageChannel, Worker } from 'node:worker_threads'
import { wrap, type Endpoint } from 'comlink'
import { checkChoice, invalid } from '../api/check.js'
import type { SentenceEncoder } from '../api/encoder.js'
import { AgidbError } from '../base/errors.js'
import { toLoading } from './check.js'
import { RemoteEncoder, type EncoderThread } from './client.js'
import { encoderHost, type EncoderHost } from './host.js'
import { nodeFiles } from './node-files.js'
import type { EncoderOptions } from './options.js'

export type { SentenceEncoder } from '../api/encoder.js'
export type { EncoderOptions, FileSource } from './options.js'

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
  const thread = startThread()
  const encoder = new RemoteEncoder(thread, cueMs)
  thread.onFailure((reason) =>
    encoder.end(new AgidbError('AGIDB_ENCODER', `the thread of the sentence encoder failed: ${reason}`)),
  )
  return encoder.load(loading)
}

function startThread(): EncoderThread & { onFailure(failed: (reason: string) => void): void } {
  const { port1, port2 } = new MessageChannel()
  const worker = new Worker(new URL('../../workers/encoder-node.js', import.meta.url), {
    workerData: port2,
    transferList: [port2],
    execArgv: [], // those of the program, such as --input-type, are not meant for it
  })
  const host = wrap<EncoderHost>(port1 as unknown as Endpoint) as unknown as EncoderHost
  port1.unref()
  return {
    host,
    end() {
      port1.close()
      void worker.terminate()
    },
    busy: (waiting) => (waiting ? worker.ref() : worker.unref()),
    onFailure(failed) {
      worker.on('error', (error) => failed(error instanceof Error ? error.message : String(error)))
      worker.on('exit', (code) => failed(`it ended with code ${code}`))
    },
  }
}
