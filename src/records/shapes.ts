import type { Limits } from '../api/open-options.js'
import { checkBytes } from '../api/check.js'
import { jsonObject } from '../api/check-json.js'
import { AgidbError } from '../base/errors.js'
import { mostItems, type JsonLimit, type ListLimit, type TextLimit } from '../api/field-limits.js'

/** Where a value stands, and the limits that bound it. */
export interface FieldPath {
  /** As messages name it: `row 7, successCriteria[2]`. */
  readonly what: string
  readonly limits: Limits
}

/**
 * Whether a value, parsed from JSON, is what it should be.
 *
 * @throws AgidbError `AGIDB_TOO_LARGE` when it is larger than the limits allow.
 */
export type Shape = (value: unknown, place: FieldPath) => boolean

/** Strings that are valid Unicode. */
const isString = (value: unknown): value is string => typeof value === 'string' && !/\p{Surrogate}/u.test(value)

/** Strings of at most so many bytes, which may be empty. */
export function string(limit: TextLimit): Shape {
  return (value, place) => {
    if (!isString(value)) return false
    checkBytes(place.what, value, place.limits, limit)
    return true
  }
}

/** Strings of at most so many bytes with something in them. */
export function text(limit: TextLimit): Shape {
  const bounded = string(limit)
  return (value, place) => isString(value) && value.trim() !== '' && bounded(value, place)
}

export const number: Shape = (value) => typeof value === 'number' && Number.isFinite(value)
/** Whole numbers from −1 on; −1 is the slot before the first. */
export const whole: Shape = (value) => Number.isSafeInteger(value) && (value as number) >= -1
export const boolean: Shape = (value) => typeof value === 'boolean'
/** From 0 to 1. */
export const share: Shape = (value) => typeof value === 'number' && value >= 0 && value <= 1
/** A time as agidb writes it. */
export const time: Shape = (value) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value

export function oneOf(...values: readonly unknown[]): Shape {
  return (value) => values.includes(value)
}

export function either(...shapes: readonly Shape[]): Shape {
  return (value, place) => shapes.some((shape) => shape(value, place))
}

export function maybe(shape: Shape): Shape {
  return (value, place) => value === undefined || shape(value, place)
}

/** A list of no more such things than its limit allows. */
export function list(shape: Shape, limit: ListLimit): Shape {
  return (value, { what, limits }) => {
    if (!Array.isArray(value)) return false
    const most = mostItems(limit, limits)
    const { length } = value
    if (length > most) throw tooLarge(`${what} has ${length} items; at most ${most} are accepted`, what, most)
    return (value as unknown[]).every((item, i) => shape(item, { what: `${what}[${i}]`, limits }))
  }
}

/** A list of two. */
export function pair(shape: Shape): Shape {
  return (value, place) => {
    return Array.isArray(value) && value.length === 2 && (value as unknown[]).every((item) => shape(item, place))
  }
}

/** A name or an id. */
export const name = text('nameBytes')

/** A list of names or ids. */
export function names(limit: ListLimit): Shape {
  return list(name, limit)
}

/** A list of texts, which may be empty. */
export function texts(limit: ListLimit & { readonly each: TextLimit }): Shape {
  return list(string(limit.each), limit)
}

/**
 * An object with these members. It may have others, which a later version may have added: their JSON together has at
 * most `limits.textBytes` characters.
 */
export function object(members: Readonly<Record<string, Shape>>): Shape {
  const entries = Object.entries(members)
  return (value, { what, limits }) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const given = value as Record<string, unknown>
    const member = (name: string) => (Object.hasOwn(given, name) ? given[name] : undefined)
    if (!entries.every(([name, shape]) => shape(member(name), { what: `${what}.${name}`, limits }))) return false
    const others = Object.keys(given).filter((name) => !Object.hasOwn(members, name))
    const most = limits.textBytes
    if (others.length > 0 && JSON.stringify(others.map(member)).length + others.join().length > most) {
      const first = others[0]!.slice(0, 40)
      throw tooLarge(`the further members of ${what} (${first}, …) have more than ${most} characters`, what, most)
    }
    return true
  }
}

/** An object of JSON values, as deep and as large as its limit allows. */
export function json(limit: JsonLimit): Shape {
  return (value, { what }) => {
    try {
      return jsonObject(what, value, limit) !== undefined
    } catch (error) {
      if (error instanceof AgidbError && error.code !== 'AGIDB_TOO_LARGE') return false
      throw error
    }
  }
}

/** A statement: subject, predicate, object. */
export const triple = object({ subject: name, predicate: name, object: name })

function tooLarge(message: string, what: string, limit: number): AgidbError {
  return new AgidbError('AGIDB_TOO_LARGE', message, { what, limit })
}
