import type { ProxyMarked } from 'comlink'
import type { Agidb, EpisodesOptions, OpenOptions } from '../core/agidb.js'
import type { Progress } from '../core/progress.js'
import type { Observation } from '../core/episode.js'
import type { Outcome } from '../core/outcome.js'
import type { EncoderPort } from './encoder-port.js'
import type { PagePart } from './iterations.js'

/** The methods of a database that answer with one promise. `episodes`, which is an iterable, crosses page by page. */
export type Method = {
  [M in keyof Agidb]: Agidb[M] extends (...args: never[]) => Promise<unknown> ? M : never
}[keyof Agidb]

/** What a call of `M` resolves to. */
export type Result<M extends Method> = Awaited<ReturnType<Agidb[M]>>

/** The options of `open` in the form in which they cross: no functions, and a URL as its text. */
export interface EngineOptions extends Omit<OpenOptions, 'clock' | 'kernel' | 'codebook' | 'encoder' | 'onEncoded' | 'decideRevision'> {
  /** The database of this origin; absent: in memory. */
  readonly name?: string
  readonly kernel?: WebAssembly.Module | BufferSource | { readonly url: string }
  readonly codebook?: 'static' | 'none' | BufferSource | { readonly url: string }
  readonly encoder?: EncoderPort
  /** Leads to the page's function. */
  readonly decideRevision?: MessagePort
}

/** The codebook option as the caller gave it, from the form in which it crossed. */
export function codebookOption(codebook: EngineOptions['codebook']): OpenOptions['codebook'] {
  return typeof codebook === 'object' && 'url' in codebook ? new URL(codebook.url) : codebook
}

/** The kernel option as the caller gave it, from the form in which it crossed. */
export function kernelOption(kernel: EngineOptions['kernel']): OpenOptions['kernel'] {
  return typeof kernel === 'object' && 'url' in kernel ? new URL(kernel.url) : kernel
}

/** A progress callback on the side that made it. */
export type ProgressCallback = (progress: Progress) => void

/**
 * What the engine worker exposes. Nothing here throws. Every method is asynchronous, so the page sees
 * the same interface through Comlink.
 */
export interface EngineHost {
  /** Takes the Web Lock of this name for as long as the worker lives. Resolves to false where there are no Web Locks. */
  hold(lock: string): Promise<boolean>
  /** Opens the database. Once in the life of a worker. */
  open(options: EngineOptions): Promise<Outcome<undefined>>
  /** Calls a method. `call` names the call for {@link EngineHost.abort}. */
  invoke<M extends Method>(
    call: number,
    method: M,
    args: readonly unknown[],
    onProgress?: ProgressCallback & ProxyMarked,
  ): Promise<Outcome<Result<M>>>
  /** Hands over a part of the items of an `observeMany`, which then names the parcel in their place; `undefined` ends it. */
  hand(parcel: number, items: readonly Observation[] | undefined): Promise<Outcome<undefined>>
  /** The first page of `episodes(options)`, or its first part; `undefined` when there is none. `cursor` names the iteration for the rest. */
  firstPage(cursor: number, options?: EpisodesOptions): Promise<Outcome<PagePart | undefined>>
  /** The next page or part of one, or `undefined` at the end. */
  nextPage(cursor: number): Promise<Outcome<PagePart | undefined>>
  /** Ends an iteration that is left before its end. Does nothing when it has ended. */
  endPages(cursor: number): Promise<void>
  /** Fires the signal of a call. Does nothing when the call has ended. */
  abort(call: number): Promise<void>
}
