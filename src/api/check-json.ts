import { isRefusedKey } from '../base/plain-json.js'
import { AgidbError } from '../base/errors.js'
import { checkString, describe, invalid } from './check.js'
import type { JsonLimit } from './field-limits.js'
import type { JsonObject, JsonValue } from './json.js'

/**
 * A copy of an object that JSON can say. Minus zero becomes zero, which is what JSON makes of it.
 *
 * @param what names it in messages, such as `metadata`.
 * @throws AgidbError naming the part that is wrong: `AGIDB_INVALID_ARGUMENT` for what is not JSON (`undefined`, `NaN`,
 * functions, instances of classes such as `Date`, circles) and for the keys `__proto__`, `constructor` and `prototype`;
 * `AGIDB_INVALID_TEXT` for half of a surrogate pair; `AGIDB_TOO_LARGE` over the limit.
 */
export function jsonObject(what: string, value: unknown, limit: JsonLimit): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(`${what} must be an object of JSON values, not ${describe(value)}`, { what })
  const copy = new Copying(what, limit).copy(what, value) as JsonObject
  const bytes = new TextEncoder().encode(JSON.stringify(copy)).length
  if (bytes > limit.jsonBytes) throw tooLarge(what, `has ${bytes} bytes as JSON`, limit.jsonBytes)
  return copy
}

class Copying {
  readonly #what: string
  readonly #limit: JsonLimit
  readonly #around: object[] = []
  /** Bytes that the text has at least. */
  #bytes = 0

  constructor(what: string, limit: JsonLimit) {
    this.#what = what
    this.#limit = limit
  }

  copy(what: string, value: unknown): JsonValue {
    this.#count(1)
    if (typeof value === 'string') {
      this.#count(value.length)
      checkString(what, value)
      return value
    }
    if (typeof value === 'boolean' || value === null) return value
    if (typeof value === 'number' && Number.isFinite(value)) return value + 0
    if (typeof value !== 'object') throw notJson(what, describe(value))
    return this.#copyObject(what, value)
  }

  #copyObject(what: string, value: object): JsonValue {
    if (this.#around.includes(value)) throw notJson(what, 'an object that it stands in itself')
    if (this.#around.length === this.#limit.depth)
      throw tooLarge(this.#what, `is nested deeper than ${this.#limit.depth} at ${what}`, this.#limit.depth)
    this.#around.push(value)
    const copy = Array.isArray(value)
      ? Array.from(value as unknown[], (item, i) => this.copy(`${what}[${i}]`, item))
      : this.#copyMembers(what, value)
    this.#around.pop()
    return copy
  }

  #copyMembers(what: string, value: object): JsonObject {
    if (!isPlain(value)) throw notJson(what, 'an instance of a class')
    const copy: Record<string, JsonValue> = {}
    for (const [key, member] of Object.entries(value)) {
      this.#count(key.length)
      checkString(`a key of ${what}`, key)
      if (isRefusedKey(key))
        throw invalid(`${what} has a key ${JSON.stringify(key)}, which is refused; choose another name`, { what, key })
      copy[key] = this.copy(memberName(what, key), member)
    }
    return copy
  }

  /** Ends the copying of what is too large anyway. */
  #count(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > this.#limit.jsonBytes)
      throw tooLarge(this.#what, 'has more bytes as JSON than that', this.#limit.jsonBytes)
  }
}

/** How messages name a member: `metadata.topic`, `metadata["due date"]`. */
export function memberName(what: string, key: string): string {
  const shown = key.length > 40 ? `${key.slice(0, 40)}…` : key
  return /^[A-Za-z_$][\w$]*$/.test(shown) ? `${what}.${shown}` : `${what}[${JSON.stringify(shown)}]`
}

/** Whether an object was written as one, here or in another frame, and has nothing but its own members. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null
  const hasNoClass = prototype === null || Object.getPrototypeOf(prototype) === null
  return hasNoClass && Object.getOwnPropertySymbols(value).length === 0
}

function notJson(what: string, received: string): AgidbError {
  const message = `${what} is ${received}, which is not JSON; expected a string, a finite number, true, false, null, `
  return invalid(`${message}an array or an object of these`, { what })
}

function tooLarge(what: string, fault: string, limit: number): AgidbError {
  return new AgidbError('AGIDB_TOO_LARGE', `${what} ${fault}; at most ${limit} are accepted`, { what, limit })
}
