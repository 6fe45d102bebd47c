import type { Episode } from './episode.js'
import type { EpisodesOptions } from './episode-pages.js'
import type { Method, Result } from './registry.js'

/** Who makes a call. */
export interface Caller {
  /** The name that the provenance of written records gets. */
  readonly writer: string
  /** The handle that the call came through: one for each `open`. */
  readonly from: string
  /**
   * The number of the call, if it may be repeated: its effect is then stored with a receipt and happens once, however
   * often the call is repeated. Absent: the call is not repeated.
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
  /** Calls a method for a caller. A call that rejects had no effect, except for what the error's details say. */
  serve<M extends Method>(caller: Caller, method: M, args: readonly unknown[]): Promise<Result<M>>
  /** A page of `episodes(options)` that begins at a slot. Default: the first page. `undefined` after the last one. */
  page(options: EpisodesOptions | undefined, from?: number): Promise<EpisodesPage | undefined>
  /** The handles of callers for whom receipts are stored. */
  readonly callers: readonly string[]
  /** Says that a caller has the answers of all its calls up to this one. Their receipts are deleted. */
  received(from: string, upTo: number): void
  /** Says that a caller is closed and will make no more calls. */
  forget(from: string): void
}
