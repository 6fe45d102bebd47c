import { MessageChannel, Worker } from 'node:worker_threads'
import { type Endpoint, wrap } from 'comlink'
import type { EncodeHost, StartEncodeThread } from './port.js'

/** Starts a thread beside the engine's. */
export const startEncodeThread: StartEncodeThread = (failed) => {
  const { port1, port2 } = new MessageChannel()
  const worker = new Worker(new URL('../../../workers/encode-pool-node.js', import.meta.url), {
    workerData: port2,
    transferList: [port2],
    execArgv: [], // those of the program, such as --input-type, are not meant for it
  })
  worker.on('error', failed)
  worker.on('exit', failed)
  const remote = wrap<EncodeHost>(port1 as unknown as Endpoint)
  // A program that is done need not wait for it.
  worker.unref()
  port1.unref()
  let waiting = 0
  const encode: EncodeHost['encode'] = async (...args) => {
    if (waiting++ === 0) port1.ref()
    try {
      return await remote.encode(...args)
    } finally {
      if (--waiting === 0) port1.unref()
    }
  }
  return {
    host: { open: (means) => remote.open(means), encode },
    end() {
      worker.off('exit', failed)
      port1.close()
      void worker.terminate()
    },
  }
}
