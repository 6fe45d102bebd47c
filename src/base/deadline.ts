import { AgidbError } from './errors.js'

/** How long a call may take, and who may end it before. */
export interface Deadline {
  /** Milliseconds, at most 2,147,483,647. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** The error of a call that took longer. */
  readonly late: () => AgidbError
}

/**
 * Runs a call that ends at its deadline: the signal that it gets fires when the time is over or when the caller's
 * signal fires. A call that does not heed the signal is left behind.
 *
 * @throws AgidbError `AGIDB_ABORTED` when the caller's signal fires, `late()` when the time is over, and what the call
 * throws
 */
export async function withDeadline<T>(
  { timeoutMs, signal, late }: Deadline,
  run: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const end = new AbortController()
  let refuse!: (error: AgidbError) => void
  const ended = new Promise<never>((_, reject) => (refuse = reject))
  const stop = (error: AgidbError) => {
    refuse(error)
    end.abort(error)
  }
  const abort = () =>
    stop(new AgidbError('AGIDB_ABORTED', 'the call was aborted by its signal', {}, { cause: signal?.reason }))
  const timer = setTimeout(() => stop(late()), timeoutMs)
  signal?.addEventListener('abort', abort, { once: true })
  // Nobody may wait for it: the call may have ended already.
  ended.catch(() => undefined)
  try {
    if (signal?.aborted === true) abort()
    return await Promise.race([ended, Promise.resolve().then(() => (end.signal.aborted ? ended : run(end.signal)))])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}
