import { expose } from 'comlink'
import { BROWSER_PARTS, mirroringPart, prefetchParts, referenceKernelPart, salvagePart } from './parts.js'
import { tabEnvironment } from './tab-environment.js'
import type { Decrypting } from './salvage.js'
import { codebookHere, type CodebookHere } from './codebook.js'
import { checkEngineOptions } from '../../api/option-checks.js'
import { engineOptionsOf, OPEN_OPTIONS } from '../../api/option-table.js'
import { publicView } from '../../api/registry.js'
import type { Engine } from '../../engine/engine.js'
import { openEngine } from '../../engine/open.js'
import { CORE_MODULE } from '../../kernel/core-module.js'
import { loadKernelOr } from '../../kernel/loading.js'
import type { Kernel } from '../../kernel/port.js'
import { browserStorage } from '../../storage/adapters/browser/browser.js'
import { memoryStorage } from '../../storage/adapters/memory.js'
import { coresBeside, startScanThread } from '../../pools/scan/browser.js'
import type { StorageAdapter } from '../../api/storage.js'
import { share } from '../../rpc/tabs/share.js'
import { decodeOpenOptions } from '../../rpc/codec/open-options.js'
import { engineHost } from '../../rpc/worker/host.js'

/** What decrypts the rows of a damaged database. It needs no kernel of its own speed, and finds one without options. */
const SALVAGE_PARTS: Decrypting = {
  cipher: async () => (await referenceKernelPart()).referenceKernel(),
  encryption: BROWSER_PARTS.encryption,
}

/** Serves the engine to the page that started this worker. */
export function startEngineWorker(): void {
  const host = engineHost(
    async (sent) => {
      const given = decodeOpenOptions(sent)
      const { name, kernel, referenceKernel, codebook, durability, readOnly = OPEN_OPTIONS.readOnly.default } = given
      const options = engineOptionsOf(given)
      /** What the engine needs beside its storage; loaded once, if nothing is wrong with it. */
      let parts: Promise<[CodebookHere, Kernel]> | undefined
      const load = () => {
        const loading = (parts ??= Promise.all([
          codebookHere(codebook, given.ranker === undefined || given.ranker === 'free', given.onProgress),
          loadKernelOr(CORE_MODULE, referenceKernelPart, { kernel, referenceKernel }),
        ]))
        loading.catch(() => (parts = undefined))
        return loading
      }
      const open = async (storage: StorageAdapter, more: { handle?: string; readOnly?: boolean }): Promise<Engine> => {
        const [meaning, loaded] = await load()
        return openEngine({
          autoConsolidate: true,
          warmUp: true,
          partsFetched: prefetchParts(),
          // The module in one piece is without the rules.
          extract: BROWSER_PARTS.rules === undefined ? 'none' : 'rules',
          ...options,
          ...more,
          ...meaning,
          storage,
          kernel: loaded,
          parts: BROWSER_PARTS,
          shardThreads: {
            start: startScanThread,
            kernel: sent.kernel ?? { url: CORE_MODULE.url().href },
            cores: coresBeside(),
          },
        })
      }
      if (name === undefined) return open(memoryStorage(), {})
      const stored = () => browserStorage(name, mirroringPart, { create: !readOnly, durability })
      const place = tabEnvironment()
      if (place === undefined) {
        const engine = await open(stored(), { readOnly })
        return readOnly ? publicView(engine, true) : engine
      }
      checkEngineOptions(options) // this tab may never open the engine itself
      const own = async (handle: string): Promise<Engine> => {
        performance.mark('agidb: lock')
        const engine = await open(stored(), { handle })
        performance.mark('agidb: open')
        return engine
      }
      return share({
        name,
        place,
        open: own,
        prepare: load,
        writer: options.writer ?? OPEN_OPTIONS.writer.default,
        readOnly,
        admission: { encryption: options.encryption, load: BROWSER_PARTS.encryption },
      })
    },
    {
      salvage: async (options) => (await salvagePart()).salvaged(options, SALVAGE_PARTS),
    },
  )

  // A question that cannot be read has no id to answer to; an uncaught error is the one thing that reaches the page.
  addEventListener('messageerror', () => {
    throw new Error('a message of the page could not be read')
  })

  expose(host)
}
