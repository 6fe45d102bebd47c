import type { Observation } from '../../api/episode.js'
import { AgidbError } from '../../base/errors.js'
import type { IdMaker } from '../../base/ids.js'
import type { Progress } from '../../base/progress.js'
import type { RemoteMethod, FromClient } from './protocol.js'

/** Observations that cross at a time. */
const ITEMS_PER_MESSAGE = 256

/** The options of a call that do not cross: they stay with the tab. */
interface Local {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
}

/** What every message of a call says of the tab. */
export interface Sender {
  readonly writer: string
  readonly readOnly: boolean
  readonly received: number
}

/** A call that waits for its answer. */
export class Call {
  readonly number: number
  readonly method: RemoteMethod
  /** Settles when the call is answered. */
  readonly answered: Promise<unknown>
  resolve!: (value: unknown) => void
  reject!: (error: unknown) => void
  /** Whether an owner in another tab was asked: it may have had its effect there. */
  sent = false
  #args: readonly unknown[]
  readonly #local: Local

  constructor(number: number, method: RemoteMethod, args: readonly unknown[]) {
    this.number = number
    this.method = method
    ;[this.#args, this.#local] = apart(args)
    this.answered = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }))
  }

  /** The arguments for an engine in this thread. */
  get args(): readonly unknown[] {
    const { signal, onProgress } = this.#local
    if (signal === undefined && onProgress === undefined) return this.#args
    const options = { ...(this.#args.at(-1) as object), ...(signal && { signal }), ...(onProgress && { onProgress }) }
    return [...this.#args.slice(0, -1), options]
  }

  progressed(progress: Progress): void {
    this.#local.onProgress?.(progress)
  }

  /** Calls `abort` when the caller ends the call, at once if he has. */
  onAbort(abort: () => void): void {
    const { signal } = this.#local
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  }

  /**
   * Sends the call to the owner of a term.
   *
   * @param makeId gives what is observed its ids, so that they are the same when it is sent again.
   */
  send(post: (message: FromClient) => void, term: string, sender: Sender, makeId: IdMaker): void {
    if (!this.sent) this.#args = withIds(this.method, this.#args, makeId)
    this.sent = true
    const { number: call, method } = this
    const [first, ...rest] = this.#args
    const inParts = method === 'observeMany' && Array.isArray(first)
    try {
      if (inParts)
        for (let at = 0; at < first.length; at += ITEMS_PER_MESSAGE)
          post({ kind: 'part', term, call, items: first.slice(at, at + ITEMS_PER_MESSAGE) as Observation[] })
      const args = inParts ? [undefined, ...rest] : this.#args
      post({
        kind: 'call',
        term,
        call,
        method,
        args,
        inParts,
        progress: this.#local.onProgress !== undefined,
        ...sender,
      })
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      this.reject(
        new AgidbError(
          'AGIDB_INVALID_ARGUMENT',
          `an argument of ${method} cannot be sent to another tab (${reason}); pass plain data`,
          { method },
          { cause },
        ),
      )
    }
    this.onAbort(() => post({ kind: 'abort', term, call }))
  }
}

/** Arguments without what cannot cross, which stands in the options, the last of them. */
function apart(args: readonly unknown[]): [crossing: readonly unknown[], local: Local] {
  const options = args.at(-1)
  if (typeof options !== 'object' || options === null || !('signal' in options || 'onProgress' in options))
    return [args, {}]
  const { signal, onProgress, ...crossing } = options as Local
  return [[...args.slice(0, -1), crossing], { signal, onProgress }]
}

function withIds(method: RemoteMethod, args: readonly unknown[], makeId: IdMaker): readonly unknown[] {
  const now = Date.now()
  // What is no object is left for the engine to refuse.
  const named = (item: unknown) =>
    isPlain(item) && item['id'] === undefined ? { ...item, id: makeId('ep_', now) } : item
  if (method === 'observe') return [args[0], named(args[1] ?? {}), ...args.slice(2)]
  if (method === 'observeMany' && Array.isArray(args[0])) return [args[0].map(named), ...args.slice(1)]
  return args
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
