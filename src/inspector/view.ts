import type { EpisodeId } from '../api/episode.js'
import type { MemoryChange } from '../api/change.js'
import type { Database } from '../api/scope.js'
import type { OpenDialog, Question } from './dom/dialog.js'

/** Something that can be pressed beside a message. */
export interface Offer {
  readonly label: string
  readonly act: () => void
}

/** What every view works with. */
export interface Desk {
  readonly db: Database
  /** Whether nothing may be changed. */
  readonly isReadOnly: boolean
  /** Fires when the memory is inspected no more. */
  readonly signal: AbortSignal
  /** Says what was done. */
  say(message: string, offer?: Offer): void
  /** Does something, and says what went wrong. Answers whether nothing did. */
  act(doing: () => Promise<unknown>): Promise<boolean>
  /** Asks before something is done. */
  ask(question: Question): OpenDialog
  /** Shows a memory. */
  open(id: EpisodeId): void
  /** Asks before a memory is forgotten, and shows what would go with it. */
  forget(id: EpisodeId): void
}

/** One of the parts between which the tabs choose. */
export interface View {
  readonly name: string
  readonly element: HTMLElement
  /**
   * Shows what the memory holds. Called when the view comes to sight, and after changes while it is in sight.
   *
   * @param changes those since the last time; `undefined` where anything may have changed.
   */
  show(changes?: readonly MemoryChange[]): Promise<void>
}
