import { wrap } from 'comlink'

declare global {
  interface Window {
    /** Starts a worker with a storage of its own. */
    startRig(): Promise<void>
    /** Calls a method of it. */
    askRig(method: string, args: readonly unknown[]): Promise<unknown>
    /** Ends it without a word. */
    endRig(): void
  }
}

type Rig = Record<string, (...args: readonly unknown[]) => Promise<unknown>>

let worker: Worker
let rig: Rig

window.startRig = async () => {
  worker = new Worker(new URL('./storage.worker.ts', import.meta.url), { type: 'module' })
  rig = wrap(worker) as unknown as Rig
  await rig.ready()
}
window.askRig = (method, args) => rig[method](...args)
window.endRig = () => worker.terminate()
