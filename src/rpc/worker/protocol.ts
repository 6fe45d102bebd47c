import type { ProxyMarked } from 'comlink'
import type { EpisodesOptions, EpisodeId, Observation } from '../../api/episode.js'
import type { OpenOptions } from '../../api/open-options.js'
import type { ChangeListener } from '../../api/change.js'
import type { Progress } from '../../base/progress.js'
import type { WireError } from '../../base/errors.js'
import type { Method, Result } from '../../api/registry.js'
import type { ExportOptions } from '../../api/portable.js'
import type { Outcome } from '../../base/outcome.js'
import type { Salvaged, SalvageOptions } from '../../api/salvage.js'
import type { EncoderPort } from './encoder-port.js'
import type { PagePart } from './iterations.js'

/** The options of `open` in the form in which they cross: no functions, and a URL as its text. */
export interface WorkerOptions
  extends Omit<OpenOptions, 'clock' | 'kernel' | 'codebook' | 'encoder' | 'onEncoded' | 'decideRevision'> {
  /** The database of this origin; absent: in memory. */
  readonly name?: string
  readonly kernel?: WebAssembly.Module | BufferSource | { readonly url: string }
  readonly codebook?: 'static' | 'none' | BufferSource | { readonly url: string }
  readonly encoder?: EncoderPort
  /** Leads to the page's function. */
  readonly decideRevision?: MessagePort
}

/** The codebook option as the caller gave it, from the form in which it crossed. */
export function codebookOption(codebook: WorkerOptions['codebook']): OpenOptions['codebook'] {
  return typeof codebook === 'object' && 'url' in codebook ? new URL(codebook.url) : codebook
}

/** The kernel option as the caller gave it, from the form in which it crossed. */
export function kernelOption(kernel: WorkerOptions['kernel']): OpenOptions['kernel'] {
  return typeof kernel === 'object' && 'url' in kernel ? new URL(kernel.url) : kernel
}

/** What a database that several tabs share can do besides. */
export interface Pausable {
  /** Lets another tab have the database: the page is about to be frozen, and a frozen page holds its files. */
  rest(): Promise<void>
  /** Takes part again. */
  wake(): void
}

/** A progress callback on the side that made it. */
export type ProgressCallback = (progress: Progress) => void

/**
 * What the engine worker exposes. Nothing here throws. Every method is asynchronous, so the page sees
 * the same interface through Comlink.
 */
export interface EngineHost {
  /**
   * Takes the Web Lock of this name for as long as the worker lives. Resolves to false where there are no Web Locks.
   */
  hold(lock: string): Promise<boolean>
  /** Opens the database. Once in the life of a worker. */
  open(options: WorkerOptions): Promise<Outcome<undefined>>
  /** Brings out what can be read of a database that cannot be opened. Instead of {@link EngineHost.open}. */
  salvage(options: SalvageOptions): Promise<Outcome<Salvaged>>
  /**
   * Calls a method; `episodes`, which is an iterable, crosses page by page. `call` names the call for {@link
   * EngineHost.abort}.
   */
  invoke<M extends Method>(
    call: number,
    method: M,
    args: readonly unknown[],
    onProgress?: ProgressCallback & ProxyMarked,
  ): Promise<Outcome<Result<M>>>
  /**
   * Hands over a part of the items of an `observeMany`, which then names the parcel in their place; `undefined` ends
   * it.
   */
  hand(parcel: number, items: readonly Observation[] | undefined): Promise<Outcome<undefined>>
  /** The next of the ids that answer an `observeMany` of a parcel, which come in parts if there are many. */
  moreIds(call: number): Promise<Outcome<EpisodeId[]>>
  /**
   * The first page of `episodes(options)`, or its first part; `undefined` when there is none. `cursor` names the
   * iteration for the rest.
   */
  firstPage(cursor: number, options?: EpisodesOptions): Promise<Outcome<PagePart | undefined>>
  /** The next page or part of one, or `undefined` at the end. */
  nextPage(cursor: number): Promise<Outcome<PagePart | undefined>>
  /** Ends an iteration that is left before its end. Does nothing when it has ended. */
  endPages(cursor: number): Promise<void>
  /** Begins an export. `cursor` names it for the rest. */
  beginExport(cursor: number, options?: ExportOptions): Promise<Outcome<undefined>>
  /** The next bytes of an export, or `undefined` at the end. */
  nextBytes(cursor: number): Promise<Outcome<Uint8Array | undefined>>
  /** Ends an export that is left before its end. Does nothing when it has ended. */
  endExport(cursor: number): Promise<void>
  /**
   * Hands over the next bytes for an `import`, which names the feed in place of its source; `undefined` ends them, an
   * error says that there are no more because of it. Resolves when they were taken: to false when no more are wanted.
   */
  feed(feed: number, bytes: Uint8Array | undefined, error?: WireError): Promise<Outcome<boolean>>
  /** Tells of every change from now on. Once in the life of a worker. */
  listen(listener: ChangeListener & ProxyMarked): Promise<Outcome<undefined>>
  /** The page is about to be frozen, or goes on. */
  freeze(isFrozen: boolean): Promise<void>
  /** Fires the signal of a call. Does nothing when the call has ended. */
  abort(call: number): Promise<void>
}
