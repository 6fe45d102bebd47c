import { invalid } from '../../api/check.js'
import type { MethodSpec, MethodTable } from '../../api/methods/method.js'
import { specOf } from '../../api/registry.js'

/** UTF-16 units of the name of a lock: far more than ours have. */
const MAX_LOCK_NAME = 256

/**
 * What the registry says of a method that a message names.
 *
 * @param output what the message asks the method for; absent: a value.
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for a name or arguments that no page of agidb sends.
 */
export function checkInvocation(
  methods: MethodTable,
  method: unknown,
  args: unknown,
  output?: MethodSpec['output'],
): MethodSpec {
  const spec = specOf(methods, method)
  if (spec === undefined || spec.output !== output) {
    throw invalid('a call must name a method of a database', {
      method: typeof method === 'string' ? method.slice(0, 40) : typeof method,
    })
  }
  if (!Array.isArray(args)) throw invalid('the arguments of a call must be an array', { method })
  return spec
}

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT` for a progress callback that is no function. */
export function checkProgress(method: string, onProgress: unknown): void {
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw invalid('onProgress must be a function', { method })
}

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT` for the name of a call, cursor or feed that is no whole number. */
export function checkNumberOf(what: string, number: unknown): void {
  if (!Number.isSafeInteger(number)) throw invalid(`${what} must have a whole number`, { what })
}

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT` for a part of the items of a call that is no array. */
export function checkItems(call: unknown, items: unknown): void {
  checkNumberOf('a call', call)
  if (items !== undefined && !Array.isArray(items)) throw invalid('a call takes an array of items', { what: 'items' })
}

/** Whether this can be the name of a lock. */
export function isLockName(name: unknown): name is string {
  return typeof name === 'string' && name.length > 0 && name.length <= MAX_LOCK_NAME
}
