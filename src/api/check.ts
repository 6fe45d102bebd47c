import type { Limits } from './open-options.js'
import { AgidbError } from '../base/errors.js'
import { mostBytes, mostItems, type ListLimit, type TextLimit } from './field-limits.js'
import type { StorageAdapter } from './storage.js'

/** The default upper bounds of inputs: what no honest use needs, and what one call can afford. */
export const DEFAULT_LIMITS: Limits = Object.freeze({
  textBytes: 65_536,
  cueBytes: 8_192,
  triples: 64,
  nameBytes: 1_024,
  batch: 1_000_000,
  mediaBytes: 16_777_216,
  traces: 64,
})

/**
 * Refuses keys that an options object does not have.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` if it is no plain object, `AGIDB_UNKNOWN_OPTION` naming the key and the
 * known ones.
 */
export function checkKeys(what: string, value: unknown, known: readonly string[]): void {
  if (value === undefined) return
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(`${what} must be an object, not ${describe(value)}`, { what })
  }
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) {
      throw new AgidbError('AGIDB_UNKNOWN_OPTION', `${what} has no option "${key}"; known are ${known.join(', ')}`, {
        what,
        option: key,
        known,
      })
    }
  }
}

/** @throws AgidbError `AGIDB_INVALID_TEXT` if it is empty or has lone surrogates, `AGIDB_TOO_LARGE` over the limit. */
export function checkText(
  what: string,
  text: unknown,
  limits: Limits,
  limit: TextLimit = 'textBytes',
): asserts text is string {
  checkString(what, text)
  if (text.trim() === '') throw new AgidbError('AGIDB_INVALID_TEXT', `${what} is empty; expected some text`, { what })
  checkBytes(what, text, limits, limit)
}

/**
 * Checks a short string such as a speaker; `undefined` passes. Errors as {@link checkText}, against `limits.nameBytes`.
 */
export function checkName(what: string, name: unknown, limits: Limits): void {
  if (name === undefined) return
  checkString(what, name)
  if (name.trim() === '') throw invalid(`${what} is empty; leave it out or give a name`, { what })
  checkBytes(what, name, limits, 'nameBytes')
}

/** Checks the id of an episode, which must be there. Errors as {@link checkName}. */
export function checkId(what: string, id: unknown, limits: Limits): void {
  checkString(what, id)
  checkName(what, id, limits)
}

/**
 * A copy of a list. The caller checks its items.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` if it is no array, `AGIDB_TOO_LARGE` if it is longer than `limit` allows.
 */
export function checkList<T>(what: string, list: readonly T[], limits: Limits, limit: ListLimit): T[] {
  if (!Array.isArray(list)) throw invalid(`${what} must be an array of strings, not ${describe(list)}`, { what })
  const most = mostItems(limit, limits)
  if (list.length > most)
    throw new AgidbError('AGIDB_TOO_LARGE', `${what} has ${list.length} items; at most ${most} are accepted`, {
      what,
      limit: most,
    })
  return [...(list as T[])]
}

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT` if it is not a whole number from `low` to `high`. */
export function checkWhole(what: string, value: unknown, low: number, high: number): void {
  if (!Number.isInteger(value) || (value as number) < low || (value as number) > high) {
    throw invalid(`${what} is ${describe(value)}; expected a whole number from ${low} to ${high}`, { what, low, high })
  }
}

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT` if it is not a finite number from `low` to `high`. */
export function checkNumber(what: string, value: unknown, low: number, high: number): void {
  if (typeof value !== 'number' || !(value >= low && value <= high)) {
    throw invalid(`${what} is ${describe(value)}; expected a number from ${low} to ${high}`, { what, low, high })
  }
}

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT` if it is there and neither true nor false. */
export function checkFlag(what: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'boolean')
    throw invalid(`${what} is ${describe(value)}; expected true or false`, { what })
}

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT` if it is none of `choices`. */
export function checkChoice(what: string, value: unknown, choices: readonly unknown[]): void {
  if (!choices.includes(value)) {
    throw invalid(
      `${what} is ${describe(value)}; expected one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`,
      { what, choices },
    )
  }
}

/**
 * The option `storage` where a program may bring its own adapter.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` if it is neither `memory` nor an object with a method `open`.
 */
export function checkStorage(storage: unknown): void {
  if (storage === 'memory' || isStorageAdapter(storage)) return
  throw invalid(
    `storage is ${describe(storage)}; expected "memory" or a StorageAdapter, which is an object with a method open`,
    { option: 'storage' },
  )
}

/** Whether a value has the shape of a storage adapter. */
export function isStorageAdapter(value: unknown): value is StorageAdapter {
  return typeof value === 'object' && value !== null && 'open' in value && typeof value.open === 'function'
}

/**
 * The option `durability` of a database that is kept, or that is not: `storage`.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`
 */
export function checkDurability(durability: unknown, storage: unknown): void {
  if (durability === undefined) return
  if (durability !== 'strict' && durability !== 'relaxed') {
    const message =
      `durability is ${describe(durability)}; expected "strict" or "relaxed" (other levels follow from where a ` +
      'memory is kept, and stats() says them)'
    throw invalid(message, { option: 'durability' })
  }
  if (storage === 'memory')
    throw invalid("durability needs a database that is kept; storage: 'memory' keeps nothing", { option: 'durability' })
  if (storage !== undefined)
    throw invalid('durability is of path or name; a storage adapter says itself how durable it is', {
      option: 'durability',
    })
}

/**
 * @throws AgidbError `AGIDB_ABORTED` with the signal's reason as cause, if it has fired; `AGIDB_INVALID_ARGUMENT` if it
 * is none.
 */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal === undefined) return
  if (typeof signal?.aborted !== 'boolean')
    throw invalid(`signal must be an AbortSignal, not ${describe(signal)}`, { option: 'signal' })
  if (signal.aborted)
    throw new AgidbError('AGIDB_ABORTED', 'the call was aborted by its signal', {}, { cause: signal.reason })
}

/** An `AGIDB_INVALID_ARGUMENT`. */
export function invalid(message: string, details: Record<string, unknown> = {}): AgidbError {
  return new AgidbError('AGIDB_INVALID_ARGUMENT', message, details)
}

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT` if it is no string, `AGIDB_INVALID_TEXT` if it is no valid Unicode. */
export function checkString(what: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') throw invalid(`${what} must be a string, not ${describe(value)}`, { what })
  // Several times as fast as a search; not every runtime has it.
  if ((value as { isWellFormed?: () => boolean }).isWellFormed?.() === true) return
  const offset = value.search(/\p{Surrogate}/u)
  if (offset >= 0) {
    throw new AgidbError(
      'AGIDB_INVALID_TEXT',
      `${what} has half of a surrogate pair at offset ${offset}, so it is not valid Unicode; ` +
        'repair it with toWellFormed()',
      { what, offset },
    )
  }
}

/** @throws AgidbError `AGIDB_TOO_LARGE` if a text has more bytes of UTF-8 than `limit` allows. */
export function checkBytes(what: string, text: string, limits: Limits, limit: TextLimit): void {
  const most = mostBytes(limit, limits)
  // A UTF-16 unit takes at most three bytes, so most texts need no count.
  if (text.length * 3 <= most) return
  const bytes = new TextEncoder().encode(text).length
  if (bytes <= most) return
  const option = limit === 'composedBytes' ? 'limits.textBytes, limits.nameBytes' : `limits.${limit}`
  const message = `${what} has ${bytes} bytes; at most ${most} are accepted (${option})`
  throw new AgidbError('AGIDB_TOO_LARGE', message, { what, bytes, limit: most })
}

/** A value as messages name what they received: `NaN`, `"some text"`, `an array`. */
export function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? value.slice(0, 40) + '…' : value)
  if (typeof value === 'object') return 'an object'
  return typeof value === 'number' || typeof value === 'boolean' || value === undefined
    ? String(value)
    : `a ${typeof value}`
}
