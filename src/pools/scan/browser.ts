import type { StartScanThread } from './port.js'
import { scanThreadAt } from './wire.js'

/** Starts a worker beside the engine's. */
export const startScanThread: StartScanThread = (failed) => {
  const worker = new Worker(new URL('../../../workers/scan.js', import.meta.url), {
    type: 'module',
    name: 'agidb-scan',
  })
  worker.onerror = (event) => {
    event.preventDefault() // it is dealt with
    failed()
  }
  return { host: scanThreadAt(worker), end: () => worker.terminate() }
}

/** Threads that there is a core for beside the engine's. */
export function coresBeside(): number {
  return Math.max(0, (globalThis.navigator?.hardwareConcurrency ?? 1) - 1)
}
