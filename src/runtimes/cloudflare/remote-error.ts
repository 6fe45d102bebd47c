import { AgidbError, type ErrorCode } from '../../base/errors.js'

/** What an error looks like on the other side of a call between Workers: its type and its fields are lost. */
const REMOTE = /\b(AGIDB_[A-Z_]+): ([^]*)$/

/** An error with its code in its message, since only the message of an error crosses from one Worker to another. */
export function withCodeInMessage(error: unknown): unknown {
  if (!(error instanceof AgidbError)) return error
  const { code, message, details } = error
  return new AgidbError(code, `${code}: ${message}`, details, { cause: error })
}

/**
 * The error that a call of an `AgidbObject` rejected with, with its code as a field; `undefined` for other errors.
 *
 * ```ts
 * const error = remoteError(caught)
 * if (error?.code === 'AGIDB_NOT_FOUND') return new Response('unknown', { status: 404 })
 * ```
 */
export function remoteError(error: unknown): AgidbError | undefined {
  const found = error instanceof Error ? REMOTE.exec(error.message) : null
  return found === null ? undefined : new AgidbError(found[1] as ErrorCode, found[2], {}, { cause: error })
}
