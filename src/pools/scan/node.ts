import { availableParallelism } from 'node:os'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { Endpoint } from 'comlink'
import type { ScanHost, StartScanThread } from './port.js'
import { scanThreadAt } from './wire.js'

/** Starts a thread beside the engine's. */
export const startScanThread: StartScanThread = (failed) => {
  const { port1, port2 } = new MessageChannel()
  const worker = new Worker(new URL('../../../workers/scan-node.js', import.meta.url), {
    workerData: port2,
    transferList: [port2],
    execArgv: [], // those of the program, such as --input-type, are not meant for it
  })
  worker.on('error', failed)
  worker.on('exit', failed)
  // A program that is done need not wait for it.
  worker.unref()
  const host = scanThreadAt(port1 as unknown as Endpoint)
  port1.unref()
  let scans = 0
  const scan: ScanHost['scan'] = async (...args) => {
    if (scans++ === 0) port1.ref()
    try {
      return await host.scan(...args)
    } finally {
      if (--scans === 0) port1.unref()
    }
  }
  return {
    host: { ...host, scan },
    end() {
      worker.off('exit', failed)
      port1.close()
      void worker.terminate()
    },
  }
}

/** Threads that there is a core for beside the engine's. */
export function coresBeside(): number {
  return availableParallelism() - 1
}
