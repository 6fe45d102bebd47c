import type { Episode } from './episode.js'
import type { EpisodesOptions } from './episode-pages.js'
import type { Method, Result } from './registry.js'

/** In whose name a call is made. */
export interface Caller {
  /** For the provenance of what is written. */
  readonly writer: string
  /** The handle that the call came through: one for each `open`. */
  readonly from: string
  /**
   * Which call of this handle it is, if it may be asked again: its effect is then written together with a receipt, and
   * takes place once however often it is asked. Absent: it is asked once.
   */
  readonly call?: number
  /** Whether nothing may be written for this caller. */
  readonly readOnly?: boolean
}

/** A page of episodes, and the slot from which the next one begins. */
export interface EpisodesPage {
  readonly episodes: readonly Episode[]
  readonly next: number
}

/** What an engine does for callers other than the program that opened it. */
export interface Serving {
  /** Calls a method in a caller's name. What it rejects with has had no effect beyond what its details say. */
  serve<M extends Method>(caller: Caller, method: M, args: readonly unknown[]): Promise<Result<M>>
  /** The first page of `episodes(options)` from a slot on, without one from the start; `undefined` at the end. */
  page(options: EpisodesOptions | undefined, from?: number): Promise<EpisodesPage | undefined>
  /** Those that receipts are kept for. */
  readonly callers: readonly string[]
  /** A caller has the answers of all calls up to this one: their receipts are not needed any more. */
  received(from: string, upTo: number): void
  /** A caller is gone and will ask nothing again. */
  forget(from: string): void
}
