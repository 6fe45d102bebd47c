import { AgidbError } from '../base/errors.js'

/** The error of a call to the browser's storage, with a code of ours. */
export function domError(cause: unknown, doing: string): AgidbError {
  if (cause instanceof AgidbError) return cause
  const { name, message } = cause as DOMException
  if (name === 'QuotaExceededError') return noRoom(doing, cause)
  return new AgidbError('AGIDB_STORAGE', `failed ${doing}: ${name}: ${message}`, { name }, { cause })
}

/** The origin's quota, or the disk, is full. */
export function noRoom(doing: string, cause?: unknown): AgidbError {
  const message = `no room left ${doing}: the quota of this origin is used up; free some space and try again`
  return new AgidbError('AGIDB_QUOTA', message, {}, { cause })
}
