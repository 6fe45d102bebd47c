import { COMPARED_CHARACTERS, EXPIRES_AT, isPath, METADATA, TAGS } from './attribute.js'
import { checkFlag, checkId, checkKeys, checkString, describe, invalid } from './check.js'
import type { Filter, MetadataCondition, MetadataValue } from './filter.js'
import type { Limits } from './open-options.js'
import { type Span, toSpan } from './time.js'
import { AgidbError } from '../base/errors.js'

/** A field of an episode that has a name. */
export type NamedField = 'session' | 'speaker' | 'source'

/** A side of a range. */
export interface Bound {
  readonly value: number | string
  /** Whether the value itself is outside. */
  readonly open: boolean
}

/** What a checked filter asks of an episode. */
export type FilterTree =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly FilterTree[] }
  | { readonly kind: 'not'; readonly part: FilterTree }
  | { readonly kind: 'id'; readonly ids: readonly string[] }
  | { readonly kind: 'named'; readonly field: NamedField; readonly names: readonly string[] }
  | { readonly kind: 'time'; readonly field: 'at' | 'recordedAt'; readonly span: Span }
  | { readonly kind: 'value'; readonly attribute: string; readonly values: readonly MetadataValue[] }
  /** Both sides are numbers, or both are strings. */
  | { readonly kind: 'range'; readonly attribute: string; readonly low?: Bound; readonly high?: Bound }
  | { readonly kind: 'exists'; readonly attribute: string }

const KEYS: readonly (keyof Filter)[] = [
  'id',
  'speaker',
  'session',
  'source',
  'tags',
  'at',
  'recordedAt',
  'expiresAt',
  'metadata',
  'and',
  'or',
  'not',
]
const CONDITIONS: readonly (keyof MetadataCondition)[] = ['in', 'gt', 'gte', 'lt', 'lte', 'exists']
const FIELDS: readonly NamedField[] = ['session', 'speaker', 'source']
/** How many filters may stand in each other. */
const DEPTH = 8
const MOST_CONDITIONS = 256
const MOST_VALUES = 10_000

/**
 * Checks a filter to the last part.
 *
 * @param what names it in messages.
 * @throws AgidbError that names the part which is wrong, such as `filter.or[1].metadata["due"].gt`:
 * `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`, `AGIDB_INVALID_TEXT`, `AGIDB_INVALID_TIME`; `AGIDB_TOO_LARGE` for
 * more than 256 conditions or 10,000 values, filters more than 8 deep, and values of more than 256 characters.
 */
export function checkFilter(what: string, filter: Filter, limits: Limits): FilterTree {
  return new Checking(what, limits).tree(what, filter, DEPTH)
}

/** The parts of a question that name a field: one name, several of which one is enough, or a whole filter. */
export type Narrowing = Readonly<Partial<Record<NamedField, string | readonly string[]>>> & { readonly filter?: Filter }

/** {@link Narrowing} as it is asked: single names by themselves, since these are the quickest. */
export type Narrowed = Readonly<Partial<Record<NamedField, string>>> & { readonly filter?: FilterTree }

/** @throws AgidbError as {@link checkFilter}. */
export function checkNarrowing(options: Narrowing, limits: Limits): Narrowed {
  const single: Partial<Record<NamedField, string>> = {}
  const parts: FilterTree[] = []
  for (const field of FIELDS) {
    const names = namesOf(field, options[field], limits)
    if (names?.length === 1) single[field] = names[0]
    else if (names !== undefined) parts.push({ kind: 'named', field, names })
  }
  if (options.filter !== undefined) parts.push(checkFilter('filter', options.filter, limits))
  return { ...single, ...(parts.length > 0 && { filter: parts.length === 1 ? parts[0] : { kind: 'and', parts } }) }
}

/** A name, or several, as a list. */
function namesOf(what: string, given: string | readonly string[] | undefined, limits: Limits) {
  if (given === undefined) return undefined
  if (!Array.isArray(given)) {
    checkId(what, given, limits)
    return [given as string]
  }
  checkSome(what, given)
  if (given.length > MOST_VALUES) throw tooMany(what, `${given.length} names`, MOST_VALUES)
  Array.from(given, (name, i) => checkId(`${what}[${i}]`, name, limits))
  return [...new Set(given as readonly string[])]
}

class Checking {
  readonly #what: string
  readonly #limits: Limits
  #conditions = 0
  #values = 0

  constructor(what: string, limits: Limits) {
    this.#what = what
    this.#limits = limits
  }

  tree(what: string, filter: Filter, depth: number): FilterTree {
    if (filter === undefined) throw invalid(`${what} is undefined; expected a filter, { speaker, tags, … }`, { what })
    checkKeys(what, filter, KEYS)
    if (depth === 0) throw tooMany(this.#what, 'filters nested deeper', DEPTH)
    const parts: FilterTree[] = []
    const names = (key: 'id' | 'tags' | NamedField) => this.#names(`${what}.${key}`, filter[key])
    const span = (key: 'at' | 'recordedAt' | 'expiresAt') => this.#span(`${what}.${key}`, filter[key])
    const ids = names('id')
    if (ids !== undefined) parts.push({ kind: 'id', ids })
    for (const field of FIELDS) {
      const wanted = names(field)
      if (wanted !== undefined) parts.push({ kind: 'named', field, names: wanted })
    }
    const tags = names('tags')
    if (tags !== undefined) parts.push({ kind: 'value', attribute: TAGS, values: tags })
    for (const field of ['at', 'recordedAt'] as const) {
      const within = span(field)
      if (within !== undefined) parts.push({ kind: 'time', field, span: within })
    }
    const expiry = span('expiresAt')
    if (expiry !== undefined) {
      const [low, high] = [
        { value: expiry.from, open: false },
        { value: expiry.to, open: true },
      ]
      parts.push({ kind: 'range', attribute: EXPIRES_AT, low, high })
    }
    parts.push(...this.#metadata(`${what}.metadata`, filter.metadata))
    for (const kind of ['and', 'or'] as const) {
      const several = this.#several(`${what}.${kind}`, filter[kind], depth)
      if (several !== undefined) parts.push({ kind, parts: several })
    }
    if (filter.not !== undefined) parts.push({ kind: 'not', part: this.tree(`${what}.not`, filter.not, depth - 1) })
    this.#count(parts.length)
    return parts.length === 1 ? parts[0] : { kind: 'and', parts }
  }

  #several(what: string, filters: readonly Filter[] | undefined, depth: number): FilterTree[] | undefined {
    if (filters === undefined) return undefined
    if (!Array.isArray(filters))
      throw invalid(`${what} must be an array of filters, not ${describe(filters)}`, { what })
    checkSome(what, filters)
    return Array.from(filters, (filter: Filter, i) => {
      this.#count(1)
      return this.tree(`${what}[${i}]`, filter, depth - 1)
    })
  }

  #names(what: string, given: string | readonly string[] | undefined): readonly string[] | undefined {
    const names = namesOf(what, given, this.#limits)
    this.#countValues(names?.length ?? 0)
    return names
  }

  #span(what: string, range: Filter['at']): Span | undefined {
    return toSpan(range, what)
  }

  #metadata(what: string, tests: Filter['metadata']): FilterTree[] {
    if (tests === undefined) return []
    if (typeof tests !== 'object' || tests === null || Array.isArray(tests))
      throw invalid(`${what} must be an object of conditions by path, not ${describe(tests)}`, { what })
    return Object.entries(tests).flatMap(([path, test]) => {
      const shown = `${what}[${JSON.stringify(path.slice(0, 60))}]`
      checkString(shown, path)
      if (!isPath(path))
        throw invalid(`${shown} has a lone backslash; write a dot in a name as \\. and a backslash as \\\\`, { what })
      // A path is written as the index writes the names of members.
      const attribute = `${METADATA}.${path}`
      return test === undefined ? [] : this.#test(shown, attribute, test)
    })
  }

  #test(what: string, attribute: string, test: unknown): FilterTree[] {
    this.#count(1)
    if (typeof test !== 'object' || test === null)
      return [{ kind: 'value', attribute, values: [this.#value(what, test)] }]
    if (Array.isArray(test)) return [this.#oneOf(what, attribute, test)]
    checkKeys(what, test, CONDITIONS)
    const { in: values, gt, gte, lt, lte, exists } = test as MetadataCondition
    const found: FilterTree[] = []
    if (values !== undefined) {
      if (!Array.isArray(values))
        throw invalid(`${what}.in must be an array of values, not ${describe(values)}`, { what: `${what}.in` })
      found.push(this.#oneOf(`${what}.in`, attribute, values))
    }
    const low = this.#bound(what, { gt, gte })
    const high = this.#bound(what, { lt, lte })
    if (low !== undefined && high !== undefined && typeof low.value !== typeof high.value)
      throw invalid(
        `${what} compares with ${describe(low.value)} and ${describe(high.value)}; give two numbers or two strings`,
        {
          what,
        },
      )
    if (low !== undefined || high !== undefined)
      found.push({ kind: 'range', attribute, ...(low && { low }), ...(high && { high }) })
    checkFlag(`${what}.exists`, exists)
    if (exists === true) found.push({ kind: 'exists', attribute })
    if (exists === false) found.push({ kind: 'not', part: { kind: 'exists', attribute } })
    if (found.length === 0)
      throw invalid(
        `${what} has no condition; expected a value, an array of values, or some of ${CONDITIONS.join(', ')}`,
        {
          what,
        },
      )
    return found
  }

  #oneOf(what: string, attribute: string, values: readonly unknown[]): FilterTree {
    checkSome(what, values)
    this.#countValues(values.length)
    return { kind: 'value', attribute, values: Array.from(values, (value, i) => this.#value(`${what}[${i}]`, value)) }
  }

  /** One side of a range: of two conditions on the same side one alone can be given. */
  #bound(what: string, sides: Partial<Record<'gt' | 'gte' | 'lt' | 'lte', unknown>>): Bound | undefined {
    const given = Object.entries(sides).filter(([, value]) => value !== undefined)
    if (given.length === 0) return undefined
    if (given.length === 2) throw invalid(`${what} has ${given[0][0]} and ${given[1][0]}; give one of them`, { what })
    const [side, value] = given[0]
    if (typeof value !== 'number' && typeof value !== 'string')
      throw invalid(`${what}.${side} is ${describe(value)}; expected a finite number or a string`, {
        what: `${what}.${side}`,
      })
    return { value: this.#value(`${what}.${side}`, value) as number | string, open: side === 'gt' || side === 'lt' }
  }

  #value(what: string, value: unknown): MetadataValue {
    if (typeof value === 'string') {
      checkString(what, value)
      if (value.length > COMPARED_CHARACTERS) throw tooMany(what, `${value.length} characters`, COMPARED_CHARACTERS)
      return value
    }
    if (typeof value === 'boolean' || value === null) return value
    if (typeof value === 'number' && Number.isFinite(value)) return value + 0
    throw invalid(`${what} is ${describe(value)}; expected a string, a finite number, true, false or null`, { what })
  }

  #count(more: number): void {
    this.#conditions += more
    if (this.#conditions > MOST_CONDITIONS) throw tooMany(this.#what, 'more conditions', MOST_CONDITIONS)
  }

  #countValues(more: number): void {
    this.#values += more
    if (this.#values > MOST_VALUES) throw tooMany(this.#what, 'more values', MOST_VALUES)
  }
}

/** An empty list is refused: it could mean that nothing is found, or that everything is. */
function checkSome(what: string, list: readonly unknown[]): void {
  if (list.length === 0) throw invalid(`${what} is an empty array; leave it out or give at least one`, { what })
}

function tooMany(what: string, has: string, limit: number): AgidbError {
  return new AgidbError('AGIDB_TOO_LARGE', `${what} has ${has}; at most ${limit} are accepted`, { what, limit })
}
