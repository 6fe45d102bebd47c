import { expose } from 'comlink'
import { codebookHere } from '../src/codebook/browser.js'
import { openEngine } from '../src/engine/open.js'
import { loadKernel } from '../src/kernel/load.js'
import { browserStorage } from '../src/storage/browser.js'
import { memoryStorage } from '../src/storage/memory.js'
import { coresBeside, startShard } from '../src/shards/browser.js'
import { receiveDecision } from '../src/threads/decision-port.js'
import { receiveEncoder } from '../src/threads/encoder-port.js'
import { engineHost } from '../src/threads/host.js'
import { codebookOption, kernelOption } from '../src/threads/protocol.js'

const host = engineHost(async ({ name, kernel, referenceKernel, codebook, encoder, decideRevision, ...options }) => {
  const meaning = await codebookHere(codebookOption(codebook))
  return openEngine({
    ...options,
    ...meaning,
    ...(encoder && receiveEncoder(encoder)),
    ...(decideRevision && { decideRevision: receiveDecision(decideRevision) }),
    storage: name === undefined ? memoryStorage() : browserStorage(name),
    kernel: await loadKernel({ kernel: kernelOption(kernel), referenceKernel }),
    shardThreads: { start: startShard, kernel, cores: coresBeside() },
  })
})

// A question that cannot be read has no id to answer to; an uncaught error is the one thing that reaches the page.
addEventListener('messageerror', () => {
  throw new Error('a message of the page could not be read')
})

expose(host)
