import { expose } from 'comlink'
import type { Agidb } from '../../../../src/api/agidb.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { openEngine } from '../../../../src/engine/whole.js'
import { loadKernel } from '../../../../src/kernel/load.js'
import { memoryStorage } from '../../../../src/storage/adapters/memory.js'
import { connect, type EngineThread } from '../../../../src/rpc/worker/connect.js'
import { receiveDecision } from '../../../../src/rpc/codec/decision-port.js'
import { receiveEncoder } from '../../../../src/rpc/codec/encoder-port.js'
import { receiveEncoders } from '../../../../src/rpc/codec/encoders-port.js'
import { receiveProgress } from '../../../../src/rpc/codec/progress-port.js'
import { receiveSummarizer } from '../../../../src/rpc/codec/summarizer-port.js'
import { engineHost } from '../../../../src/rpc/worker/host.js'
import type { WorkerOptions } from '../../../../src/rpc/codec/open-options.js'

/** The real engine in memory, always with the TypeScript kernel. */
export async function open({
  name: _,
  kernel: __,
  codebook: ___,
  encoder,
  encoders,
  summarizer,
  decideRevision,
  onProgress,
  ...options
}: WorkerOptions): Promise<Engine> {
  return openEngine({
    ...options,
    ...(encoder && receiveEncoder(encoder)),
    ...(encoders && { encoders: receiveEncoders(encoders) }),
    ...(summarizer && { summarizer: receiveSummarizer(summarizer) }),
    ...(decideRevision && { decideRevision: receiveDecision(decideRevision) }),
    ...(onProgress && { onProgress: receiveProgress(onProgress) }),
    kernel: await loadKernel({ referenceKernel: true }),
    storage: memoryStorage(),
    clock: () => 1_800_000_000_000,
  })
}

/** A thread that is the other end of a message channel, and whether it was terminated. */
export function thread(openHere: (options: WorkerOptions) => Promise<Agidb> = open): {
  thread: EngineThread
  terminated: () => boolean
} {
  const { port1, port2 } = new MessageChannel()
  expose(engineHost(openHere), port1)
  let terminated = false
  const terminate = () => {
    terminated = true
    port1.close()
    port2.close()
  }
  return { thread: Object.assign(port2, { terminate }), terminated: () => terminated }
}

/** A database behind a message channel. */
export async function connected(options: WorkerOptions = {}): Promise<Agidb> {
  return connect(thread().thread, options)
}
