import type { MethodSpec } from '../../api/methods/method.js'
import { AgidbError } from '../../base/errors.js'
import type { IdMaker } from '../../base/ids.js'
import type { Progress } from '../../base/progress.js'
import { partsOf } from '../codec/item-parts.js'
import { addLocalOptions, takeLocalOptions, type LocalOptions } from '../codec/local-options.js'
import type { RemoteMethod, FromClient } from './protocol.js'

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
  readonly #local: LocalOptions
  readonly #spec: MethodSpec

  constructor(number: number, method: RemoteMethod, spec: MethodSpec, args: readonly unknown[]) {
    this.number = number
    this.method = method
    this.#spec = spec
    ;[this.#args, this.#local] = takeLocalOptions(spec, spec.crossing?.(args) ?? args)
    this.answered = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }))
  }

  /** The arguments for an engine in this thread. */
  get args(): readonly unknown[] {
    const { signal, onProgress } = this.#local
    return addLocalOptions(this.#spec, this.#args, {
      ...(signal && { signal }),
      ...(onProgress && { onProgress }),
    })
  }

  progressed(progress: Progress): void {
    this.#local.onProgress?.(progress)
  }

  /**
   * Sends the call to the owner of a term.
   *
   * @param makeId gives what is observed its ids, so that they are the same when it is sent again.
   */
  send(post: (message: FromClient) => void, term: string, sender: Sender, makeId: IdMaker): void {
    if (!this.sent) this.#args = this.#withIds(makeId)
    this.sent = true
    const { number: call, method } = this
    const [first, ...rest] = this.#args
    const inParts = this.#spec.input === 'items' && Array.isArray(first)
    try {
      if (inParts) for (const items of partsOf(first as readonly unknown[])) post({ kind: 'part', term, call, items })
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
    const abort = () => post({ kind: 'abort', term, call })
    const { signal } = this.#local
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort)
    const leave = () => signal?.removeEventListener('abort', abort)
    this.answered.then(leave, leave)
  }

  /** The arguments with ids for what will become episodes, the same however often the call is sent. */
  #withIds(makeId: IdMaker): readonly unknown[] {
    const now = Date.now()
    return this.#spec.withIds?.(this.#args, (prefix) => makeId(prefix, now)) ?? this.#args
  }
}
