import type { MemoryChange } from '../../api/change.js'
import type { Method } from '../../api/registry.js'
import type { Outcome } from '../../base/outcome.js'
import type { Progress } from '../../base/progress.js'

/**
 * What crosses by one question and one answer: the methods, the pages of `episodes`, and whether what a tab was opened
 * with is what the owner has.
 */
export type RemoteMethod = Method | 'page' | 'admit'

/** On the channel of all tabs. */
export type Notice =
  /** A tab looks for the owner, or for a sign of its life: it is welcomed, however often. */
  | { readonly kind: 'hello'; readonly from: string }
  /** A tab has the lock and opens the database. It takes calls from now on, and answers them when it has it open. */
  | { readonly kind: 'opening'; readonly term: string }
  /** A tab has the database open. */
  | { readonly kind: 'owner'; readonly term: string }
  /** What was changed. */
  | { readonly kind: 'change'; readonly change: Omit<MemoryChange, 'own'> }

/** A call of a client. It is sent again, word by word, when another owner comes before its answer. */
export interface Question {
  readonly kind: 'call'
  /** Of the owner that is asked: what was meant for another is none of its business. */
  readonly term: string
  /** Counts the calls of this tab. */
  readonly call: number
  readonly method: RemoteMethod
  /** Without signal and callbacks. */
  readonly args: readonly unknown[]
  /** Whether the items of an `observeMany`, its first argument, came before it in parts. */
  readonly inParts: boolean
  /** Whether progress is to be reported. */
  readonly progress: boolean
  readonly writer: string
  readonly readOnly: boolean
  /** The call up to which this tab has all answers. */
  readonly received: number
}

/** On the channel of one tab, from it to the owner. */
export type FromClient =
  | Question
  /** Some of the items of a call that is about to be sent. */
  | { readonly kind: 'part'; readonly term: string; readonly call: number; readonly items: readonly unknown[] }
  | { readonly kind: 'abort'; readonly term: string; readonly call: number }

/** On the channel of one tab, from the owner to it. */
export type FromOwner =
  /**
   * The owner listens: calls can be sent. `open`: whether it has the database open by now. `locked`: whether a
   * passphrase or a key opens that; owners of older versions do not say so.
   */
  | { readonly kind: 'welcome'; readonly term: string; readonly open: boolean; readonly locked?: boolean }
  | { readonly kind: 'answer'; readonly call: number; readonly outcome: Outcome<unknown> }
  | { readonly kind: 'progress'; readonly call: number; readonly progress: Progress }
