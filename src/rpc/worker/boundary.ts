import { invalid } from '../../api/check.js'
import { METHODS, specOf } from '../../api/registry.js'

/** Bytes of a lock's name, far more than ours have. */
const MOST_NAME = 256

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT` for what is no call that a page of agidb makes. */
export function checkInvocation(call: unknown, method: unknown, args: unknown, onProgress: unknown): void {
  checkNumberOf('a call', call)
  // Own names only: whatever an object inherits is no method of ours. An export crosses in pieces.
  if (typeof method !== 'string' || specOf(METHODS, method)?.output !== undefined || !Object.hasOwn(METHODS, method)) {
    throw invalid('a call must name a method of a database', {
      method: typeof method === 'string' ? method.slice(0, 40) : typeof method,
    })
  }
  if (!Array.isArray(args)) throw invalid('the arguments of a call must be an array', { method })
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw invalid('onProgress must be a function', { method })
}

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT` for what does not count calls, cursors, parcels or feeds. */
export function checkNumberOf(what: string, number: unknown): void {
  if (!Number.isSafeInteger(number)) throw invalid(`${what} must have a whole number`, { what })
}

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT` for what is no part of the items of a call. */
export function checkPart(parcel: unknown, items: unknown): void {
  checkNumberOf('a parcel', parcel)
  if (items !== undefined && !Array.isArray(items)) throw invalid('a parcel takes an array of items', { what: 'items' })
}

/** Whether this is the name of a lock. */
export function isLockName(name: unknown): name is string {
  return typeof name === 'string' && name.length > 0 && name.length <= MOST_NAME
}
