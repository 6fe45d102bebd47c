import { readCodebook } from '../../encoding/codebook/node.js'
import { bytesOf } from '../../encoding/codebook/check.js'
import { loadCodebook } from '../../encoding/codebook/load.js'
import type { AdapterPlace, MemoryPlace, OpenOptions } from '../../api/open-options.js'
import { checkDurability, checkFlag, checkKeys, checkStorage, invalid } from '../../api/check.js'
import { unfailing } from '../../api/function-options.js'
import { AgidbError } from '../../base/errors.js'
import type { Engine } from '../../engine/engine.js'
import { openEngine } from '../../engine/whole.js'
import { engineOptionsOf, optionsOf } from '../../api/option-table.js'
import { readKernel } from '../../kernel/node.js'
import { loadKernel } from '../../kernel/load.js'
import type { Kernel } from '../../kernel/port.js'
import { bundledModels } from '../../recall/ranking/bundled.js'
import { coresBeside, startScanThread } from '../../pools/scan/node.js'
import { startEncodeThread } from '../../pools/encode/node.js'
import type { StorageAdapter } from '../../api/storage.js'
import { customStorage, scopeOf } from '../../storage/adapters/custom.js'
import { memoryStorage } from '../../storage/adapters/memory.js'
import { nodeStorage } from '../../storage/adapters/node/node.js'

/** Options of `Agidb.open` in Node, Bun and Deno: a `path`, `storage: 'memory'`, or a `storage` adapter. */
export type NodeOptions = OpenOptions & (FolderPlace | MemoryPlace | AdapterPlace)

/** A memory in a folder. */
export interface FolderPlace {
  /** The folder of the database; made if it is not there. */
  readonly path: string
  /**
   * Lets other processes that open the folder with `share: true` have the memory, too: the engine of one answers all of
   * them by a local socket, with the options that it was opened with but for `writer` and `readOnly`, and when it goes
   * another takes over. Default false.
   */
  readonly share?: boolean
  readonly storage?: undefined
  readonly name?: undefined
}

/** Opens engines that share a kernel and a codebook. */
export interface NodeEngines {
  /** The engine of the database that the options name. */
  open(): Promise<Engine>
  /** The engine of a memory within it, see {@link OpenScope}. It starts no threads: many may be open at once. */
  openScope(key: string): Promise<Engine>
}

/**
 * Opens the engine of a database in this process, as `Agidb.open` does: with what the command line needs beyond the
 * public methods.
 */
export async function openNode(options: NodeOptions): Promise<Engine> {
  return (await nodeEngines(options)).open()
}

/** Checks the options, and loads what engines share. */
export async function nodeEngines(options: NodeOptions): Promise<NodeEngines> {
  checkNodeOptions(options)
  const place = storageOf(options)
  const open = await engineOpener(options)
  return {
    open: () => open(place, { threads: true }),
    openScope: (key) => open(scopeOf(place, key), {}),
  }
}

/** @throws AgidbError for options that are wrong, before anything is loaded. */
export function checkNodeOptions(options: NodeOptions): void {
  // The first lines of the README are for a browser; a reader may try them in Node.
  if ((options as { readonly name?: unknown } | null | undefined)?.name !== undefined) {
    const message = "name is for browsers; here give the path of a folder: open({ path: './memory.agidb' })"
    throw new AgidbError('AGIDB_UNKNOWN_OPTION', message, { what: 'open', option: 'name' })
  }
  checkKeys('open', options, optionsOf('node'))
  const { path, storage, durability, readOnly, share } = (options ?? {}) as NodeOptions & Pick<FolderPlace, 'share'>
  if (storage !== undefined) checkStorage(storage)
  checkFlag('share', share)
  if (share && path === undefined) throw invalid('share needs the path of a folder', { option: 'share' })
  if (storage !== undefined && path !== undefined)
    throw invalid('open takes a path or storage, not both', { option: 'path' })
  checkFlag('readOnly', readOnly)
  checkDurability(durability, storage)
  if (storage === 'memory' && readOnly)
    throw invalid("readOnly needs a path; storage: 'memory' begins empty", { option: 'readOnly' })
  if (storage === undefined && (typeof path !== 'string' || path === '')) {
    throw invalid("open needs the path of a folder, or storage: 'memory' or an adapter", { option: 'path' })
  }
}

/** How one engine of several differs from the others. */
export interface EngineWishes {
  /** Whether it may have threads. */
  readonly threads?: boolean
  /** The handle of the program in whose name it is opened. */
  readonly handle?: string
  /** Overrides the option. */
  readonly readOnly?: boolean
}

/** Opens an engine on a storage. */
export type OpenOn = (storage: StorageAdapter, wishes: EngineWishes) => Promise<Engine>

/** Loads the kernel and the codebook for engines with these options. */
export async function engineOpener(options: NodeOptions): Promise<OpenOn> {
  const { path, kernel, referenceKernel, codebook } = options
  const onProgress = options.onProgress && unfailing(options.onProgress)
  const [source, book] = await Promise.all([fileKernel(kernel), fileCodebook(codebook)])
  const loadedCodebook = await loadCodebook(book, onProgress)
  const loadedKernel = await loadKernel({ kernel: source, referenceKernel })
  const shared = source instanceof URL ? { url: source.href } : source
  const shardThreads = { start: startScanThread, kernel: shared, cores: coresBeside() }
  // What is fetched would be fetched once more.
  const signerThreads =
    book instanceof URL
      ? undefined
      : {
          start: startEncodeThread,
          config: { kernel: shared, codebook: book === undefined || book === 'none' ? undefined : bytesOf(book) },
        }
  return (storage, { threads = false, handle, readOnly = options.readOnly }) =>
    openEngine({
      autoConsolidate: true,
      // Of memories that share a process there may be thousands, and another's storage may be far away.
      warmUp: threads && path !== undefined,
      extract: 'rules',
      parts: { rules: () => import('../../extraction/rules/extractor.js') },
      ...engineOptionsOf(options),
      onProgress,
      ...(handle !== undefined && { handle }),
      readOnly,
      kernel: loadedKernel,
      codebook: loadedCodebook,
      lateModels: bundledModels,
      storage,
      ...(threads && { shardThreads, signerThreads }),
    }).catch((error: unknown) => {
      throw pointing(error, path)
    })
}

/** The storage that the options name; they were checked. */
function storageOf({ path, storage, readOnly, durability }: NodeOptions): StorageAdapter {
  if (path !== undefined) return nodeStorage(path, { create: !readOnly, durability })
  return storage === 'memory' ? memoryStorage() : customStorage(storage)
}

/** The same error, saying what there is to do about a memory that cannot be mended. */
function pointing(error: unknown, path: string | undefined): unknown {
  if (path === undefined || !(error instanceof AgidbError) || error.code !== 'AGIDB_CORRUPT') return error
  return new AgidbError(
    error.code,
    `${error.message}; agidb verify --repair --db ${path} takes over what can be read, and keeps the rest aside`,
    error.details,
    { cause: error.cause },
  )
}

/** The kernel beside the library. */
export async function nodeKernel(): Promise<Kernel> {
  return loadKernel({ kernel: await fileKernel(undefined) })
}

/** Node cannot fetch files, so the kernel beside the library and `file:` URLs are read here. */
async function fileKernel(kernel: OpenOptions['kernel']): Promise<NonNullable<OpenOptions['kernel']>> {
  if (kernel === undefined) return readKernel()
  return kernel instanceof URL && kernel.protocol === 'file:' ? readKernel(kernel) : kernel
}

/** Likewise the codebook. */
async function fileCodebook(
  codebook: OpenOptions['codebook'] = 'static',
): Promise<Exclude<OpenOptions['codebook'], 'static'>> {
  if (codebook === 'static') return readCodebook()
  return codebook instanceof URL && codebook.protocol === 'file:' ? readCodebook(codebook) : codebook
}
