import type { Progress } from '../../base/progress.js'
import { checkSignal, invalid } from '../../api/check.js'
import { AgidbError } from '../../base/errors.js'
import type { LocalOptions, ProgressCallback } from './local-options.js'

/**
 * The two ways in which the caller can end a call before its answer: the signal fires, or the progress callback throws.
 */
export class Interruption {
  /** To be called with the progress that the engine reports; `undefined` if the caller wants none. Does not throw. */
  readonly onProgress: ProgressCallback | undefined
  /** Rejects when the call is interrupted; stays pending when it is not. */
  readonly #interrupted: Promise<never>
  #reject!: (error: unknown) => void
  /** What the caller's progress callback threw. */
  #thrown: { readonly error: unknown } | undefined
  #isOver = false
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
    { signal, onProgress }: LocalOptions,
    private readonly stop: () => void,
  ) {
    if (signal !== undefined && !(signal instanceof AbortSignal))
      throw invalid('signal must be an AbortSignal', { option: 'signal' })
    if (onProgress !== undefined && typeof onProgress !== 'function')
      throw invalid('onProgress must be a function', { option: 'onProgress' })
    checkSignal(signal)
    this.#interrupted = new Promise((_, reject) => (this.#reject = reject))
    this.#interrupted.catch(() => {}) // a caller that waits for the answer alone does not listen
    this.#signal = signal
    signal?.addEventListener('abort', this.#aborted)
    this.onProgress = onProgress && ((progress: Progress) => this.#report(onProgress, progress))
  }

  /** The answer, or the interruption if that comes first. */
  race<T>(answer: Promise<T>): Promise<T> {
    return Promise.race([answer, this.#interrupted])
  }

  /**
   * The answer of the engine, which is awaited even after an interruption. An error that says how much is durable
   * stays; its cause becomes the reason of the caller's signal.
   */
  async settle<T>(answer: Promise<T>): Promise<T> {
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
    this.#isOver = true
    this.#signal?.removeEventListener('abort', this.#aborted)
  }

  #report(onProgress: ProgressCallback, progress: Progress): void {
    if (this.#isOver) return
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
