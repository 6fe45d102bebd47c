import { expose } from 'comlink'
import { codebookHere } from '../src/codebook/browser.js'
import { readingOnly } from '../src/core/methods.js'
import type { Engine } from '../src/engine/engine.js'
import { checkOptions, DEFAULT_WRITER, openEngine } from '../src/engine/open.js'
import { loadKernel } from '../src/kernel/load.js'
import { browserStorage } from '../src/storage/browser.js'
import { memoryStorage } from '../src/storage/memory.js'
import { coresBeside, startShard } from '../src/shards/browser.js'
import type { Storage } from '../src/storage/port.js'
import { placeHere } from '../src/tabs/place.js'
import { share } from '../src/tabs/share.js'
import { receiveDecision } from '../src/threads/decision-port.js'
import { receiveEncoder } from '../src/threads/encoder-port.js'
import { engineHost } from '../src/threads/host.js'
import { codebookOption, kernelOption } from '../src/threads/protocol.js'

const host = engineHost(async ({ name, kernel, referenceKernel, codebook, encoder, decideRevision, readOnly = false, durability, ...given }) => {
  const options = { ...given, ...(encoder && receiveEncoder(encoder)), ...(decideRevision && { decideRevision: receiveDecision(decideRevision) }) }
  const open = async (storage: Storage, more: { handle?: string; readOnly?: boolean }): Promise<Engine> => {
    const [meaning, loaded] = await Promise.all([codebookHere(codebookOption(codebook)), loadKernel({ kernel: kernelOption(kernel), referenceKernel })])
    return openEngine({ ...options, ...more, ...meaning, storage, kernel: loaded, shardThreads: { start: startShard, kernel, cores: coresBeside() } })
  }
  if (name === undefined) return open(memoryStorage(), {})
  const stored = () => browserStorage(name, { create: !readOnly, durability })
  const place = placeHere()
  if (place === undefined) {
    const engine = await open(stored(), { readOnly })
    return readOnly ? readingOnly(engine) : engine
  }
  checkOptions(options) // this tab may never open the engine itself
  return share({ name, place, open: (handle) => open(stored(), { handle }), writer: options.writer ?? DEFAULT_WRITER, readOnly })
})

// A question that cannot be read has no id to answer to; an uncaught error is the one thing that reaches the page.
addEventListener('messageerror', () => {
  throw new Error('a message of the page could not be read')
})

expose(host)
