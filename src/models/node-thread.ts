import { MessageChannel, Worker } from 'node:worker_threads'
import { wrap, type Endpoint } from 'comlink'
import type { ModelThread } from './calls.js'

/** Starts a worker thread that exposes the host of a model. */
export function startThread<Host>(
  script: URL,
): ModelThread<Host> & { onFailure(failed: (reason: string) => void): void } {
  const { port1, port2 } = new MessageChannel()
  const worker = new Worker(script, {
    workerData: port2,
    transferList: [port2],
    execArgv: [], // those of the program, such as --input-type, are not meant for it
  })
  const host = wrap<Host>(port1 as unknown as Endpoint) as unknown as Host
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
