import { proxy, type ProxyMarked } from 'comlink'
import type { Progress } from '../../base/progress.js'
import { checkSignal, invalid } from '../../api/check.js'
import { AgidbError } from '../../base/errors.js'
import type { ProgressCallback } from './protocol.js'

/** The options of a call that stay on this side of the wire, since they cannot be cloned. */
export interface Local {
  readonly signal?: AbortSignal
  readonly onProgress?: ProgressCallback
}

/**
 * Parts options into those that cross and those that stay. What is no object crosses as it is, for the engine to
 * refuse.
 */
export function split<T extends Local>(options: T | undefined): [crossing: unknown, local: Local] {
  if (typeof options !== 'object' || options === null) return [options, {}]
  const { signal, onProgress, ...crossing } = options
  return [crossing, { signal, onProgress }]
}

/**
 * The two ways in which the caller can end a call before its answer: the signal fires, or the progress callback throws.
 */
export class Interruption {
  /** The caller's progress callback, to send along. */
  readonly onProgress: (ProgressCallback & ProxyMarked) | undefined
  /** Rejects when the call is interrupted; stays pending when it is not. */
  readonly #happened: Promise<never>
  #reject!: (error: unknown) => void
  /** What the caller's progress callback threw. */
  #thrown: { readonly error: unknown } | undefined
  #over = false
  readonly #signal: AbortSignal | undefined
  readonly #aborted = (): void => {
    try {
      checkSignal(this.#signal)
    } catch (error) {
      this.#interrupt(error)
    }
  }

  /** @throws AgidbError `AGIDB_INVALID_ARGUMENT`, or `AGIDB_ABORTED` when the signal has fired already */
  constructor(
    { signal, onProgress }: Local,
    private readonly stop: () => void,
  ) {
    if (signal !== undefined && !(signal instanceof AbortSignal))
      throw invalid('signal must be an AbortSignal', { option: 'signal' })
    if (onProgress !== undefined && typeof onProgress !== 'function')
      throw invalid('onProgress must be a function', { option: 'onProgress' })
    checkSignal(signal)
    this.#happened = new Promise((_, reject) => (this.#reject = reject))
    this.#happened.catch(() => {}) // whoever waits for the answer alone does not listen
    this.#signal = signal
    signal?.addEventListener('abort', this.#aborted)
    this.onProgress = onProgress && proxy((progress: Progress) => this.#report(onProgress, progress))
  }

  /** The answer, or the interruption if that comes first. */
  cutting<T>(answer: Promise<T>): Promise<T> {
    return Promise.race([answer, this.#happened])
  }

  /**
   * The answer, for which it waits in any case: what the engine says of its abort stays, with the reason of this side.
   */
  async toldBy<T>(answer: Promise<T>): Promise<T> {
    try {
      const value = await answer
      if (this.#thrown === undefined) return value
    } catch (error) {
      const aborted = error instanceof AgidbError && error.code === 'AGIDB_ABORTED'
      if (this.#thrown === undefined || !aborted) throw aborted ? this.#withReason(error) : error
    }
    throw this.#thrown.error
  }

  #withReason({ code, message, details }: AgidbError): AgidbError {
    return new AgidbError(code, message, details, { cause: this.#signal?.reason })
  }

  /** The call has ended: nothing can interrupt it and no progress is reported any more. */
  dispose(): void {
    this.#over = true
    this.#signal?.removeEventListener('abort', this.#aborted)
  }

  #report(onProgress: ProgressCallback, progress: Progress): void {
    if (this.#over) return
    try {
      onProgress(progress)
    } catch (error) {
      this.#thrown = { error }
      this.#interrupt(error)
    }
  }

  #interrupt(error: unknown): void {
    this.dispose()
    this.#reject(error)
    this.stop()
  }
}
