import type { ProxyMarked } from 'comlink'
import type { ChangeListener } from '../../api/change.js'
import type { WireError } from '../../base/errors.js'
import type { Outcome } from '../../base/outcome.js'
import type { Salvaged, SalvageOptions } from '../../api/salvage.js'
import type { WorkerOptions } from '../codec/open-options.js'
import type { PagePart } from '../codec/page-cursors.js'
import type { ProgressCallback } from '../codec/local-options.js'

/** What a database that several tabs share can do besides. */
export interface Pausable {
  /** Lets another tab have the database: the page is about to be frozen, and a frozen page holds its files. */
  pause(): Promise<void>
  /** Takes part in the election of the owner again. */
  resume(): void
}

/**
 * What the engine worker exposes. Nothing here throws. Every method is asynchronous, so the page sees the same
 * interface through Comlink. Calls, cursors and feeds are named by numbers that the page chooses.
 */
export interface EngineHost {
  /**
   * Takes the Web Lock of this name for as long as the worker lives. Resolves to false where there are no Web Locks.
   */
  holdLock(lock: string): Promise<boolean>
  /** Opens the database. Once in the life of a worker. */
  open(options: WorkerOptions): Promise<Outcome<undefined>>
  /** Brings out what can be read of a database that cannot be opened. Instead of {@link EngineHost.open}. */
  salvage(options: SalvageOptions): Promise<Outcome<Salvaged>>
  /**
   * Calls a method that answers with a value. In place of a first argument that is large stands the number of what was
   * sent before it ({@link EngineHost.sendItems}) or is sent meanwhile ({@link EngineHost.sendBytes}).
   */
  invoke(
    call: number,
    method: string,
    args: readonly unknown[],
    onProgress?: ProgressCallback & ProxyMarked,
  ): Promise<Outcome<unknown>>
  /** Fires the signal of a call. Does nothing when the call has ended. */
  abort(call: number): Promise<void>
  /** A part of the items of a call that is about to be made; `undefined` says that the call will not be made. */
  sendItems(call: number, items: readonly unknown[] | undefined): Promise<Outcome<undefined>>
  /** The next part of the answer to a call of many items. */
  nextAnswerPart(call: number): Promise<Outcome<unknown[]>>
  /** The first page, or its first part, of a method that gives pages; `undefined` when there is none. */
  openPages(cursor: number, method: string, args: readonly unknown[]): Promise<Outcome<PagePart | undefined>>
  /** The next page or part of one, or `undefined` at the end. */
  nextPage(cursor: number): Promise<Outcome<PagePart | undefined>>
  /** Ends an iteration that is left before its end. Does nothing when it has ended. */
  closePages(cursor: number): Promise<void>
  /** Calls a method that answers with a stream of bytes. */
  openBytes(cursor: number, method: string, args: readonly unknown[]): Promise<Outcome<undefined>>
  /** The next bytes of a stream, or `undefined` at the end. */
  nextBytes(cursor: number): Promise<Outcome<Uint8Array | undefined>>
  /** Ends a stream that is left before its end. Does nothing when it has ended. */
  closeBytes(cursor: number): Promise<void>
  /**
   * Sends the next bytes of a feed that a call reads; `undefined` ends them, an error says that there are no more
   * because of it. Resolves when they were taken: to false when no more are wanted.
   */
  sendBytes(feed: number, bytes: Uint8Array | undefined, error?: WireError): Promise<Outcome<boolean>>
  /** Tells of every change from now on. Once in the life of a worker. */
  listen(listener: ChangeListener & ProxyMarked): Promise<Outcome<undefined>>
  /** The page is about to be frozen, or goes on. */
  freeze(isFrozen: boolean): Promise<void>
}
