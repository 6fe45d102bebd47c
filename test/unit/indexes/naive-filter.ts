import fc from 'fast-check'
import type { Episode } from '../../../src/api/episode.js'
import type { Filter, MetadataCondition, MetadataTest } from '../../../src/api/filter.js'
import type { JsonObject, JsonValue } from '../../../src/api/json.js'

/** Whether an episode passes a filter, by the definition of each part. */
export function passes(episode: Episode, filter: Filter): boolean {
  const { id, speaker, session, source, tags = [], at, recordedAt, expiresAt, metadata = {} } = episode
  const isOne = (values: readonly (string | undefined)[], given: string | readonly string[] | undefined) =>
    given === undefined || values.some((value) => value !== undefined && [given].flat().includes(value))
  const isWithin = (time: string | undefined, range: Filter['at']) =>
    range === undefined ||
    (time !== undefined &&
      (range.from === undefined || Date.parse(time) >= Date.parse(String(range.from))) &&
      (range.to === undefined || Date.parse(time) < Date.parse(String(range.to))))
  return (
    isOne([id], filter.id) &&
    isOne([speaker], filter.speaker) &&
    isOne([session], filter.session) &&
    isOne([source], filter.source) &&
    isOne(tags, filter.tags) &&
    isWithin(at, filter.at) &&
    isWithin(recordedAt, filter.recordedAt) &&
    isWithin(expiresAt, filter.expiresAt) &&
    Object.entries(filter.metadata ?? {}).every(([path, test]) => holds(metadata, path, test)) &&
    (filter.and ?? []).every((part) => passes(episode, part)) &&
    (filter.or === undefined || filter.or.some((part) => passes(episode, part))) &&
    (filter.not === undefined || !passes(episode, filter.not))
  )
}

function holds(metadata: JsonObject, path: string, test: MetadataTest): boolean {
  const names = path.match(/(?:[^.\\]|\\.)+|(?<=^|\.)(?=\.|$)/gs)!.map((name) => name.replace(/\\(.)/gs, '$1'))
  const found = namesIn(metadata, names)
  const values = found.flatMap(flat)
  if (Array.isArray(test)) return values.some((value) => test.includes(value as never))
  if (typeof test !== 'object' || test === null) return values.includes(test as never)
  const { in: some, exists, ...sides } = test as MetadataCondition
  return (
    (some === undefined || values.some((value) => some.includes(value as never))) &&
    (exists === undefined || exists === found.length > 0) &&
    (Object.keys(sides).length === 0 || values.some((value) => isBetween(value, sides)))
  )
}

/** The values that stand at a path, through arrays of objects too. */
function namesIn(value: JsonValue, [name, ...rest]: readonly string[]): JsonValue[] {
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => namesIn(item, [name!, ...rest]))
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name!)) return []
  const member = (value as JsonObject)[name!]!
  return rest.length === 0 ? [member] : namesIn(member, rest)
}

function flat(value: JsonValue): JsonValue[] {
  return Array.isArray(value) ? value.flatMap(flat) : [value]
}

function isBetween(value: JsonValue, sides: Omit<MetadataCondition, 'in' | 'exists'>): boolean {
  return Object.entries(sides).every(([side, bound]) => {
    if (typeof value !== typeof bound) return false
    if (side === 'gt') return value! > bound
    if (side === 'gte') return value! >= bound
    return side === 'lt' ? value! < bound : value! <= bound
  })
}

const SPEAKERS = ['Ann', 'Bob', 'Cem']
const SESSIONS = ['s1', 's2']
const SOURCES = ['chat', 'mail']
const TAGS = ['red', 'blue', 'Blue']
const TEXTS = ['', 'a', 'b', 'ab', 'é', 'x'.repeat(256), '2024-05-01']
const NUMBERS = [-1, 0, 0.5, 2, 10]
const KEYS = ['a', 'b', 'a.b', 'c\\d', '']
const PATHS = ['a', 'b', 'a.b', 'a\\.b', 'c\\\\d', '', 'a.a', 'b.a']
const DAYS = [0, 1, 2, 3, 4]

/** Midnight of a day. */
export const day = (days: number) => new Date(Date.UTC(2024, 0, 1) + days * 86_400_000).toISOString()

const scalar = fc.constantFrom<(string | number | boolean | null)[]>(...TEXTS, ...NUMBERS, true, false, null)
const json: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.oneof(scalar, fc.constantFrom('x'.repeat(300), 'x'.repeat(257))),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 3 }),
  ),
})).value

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

/** What an observation may have that a filter can ask for. Without what is absent. */
export const attributes = fc
  .record({
    speaker: maybe(fc.constantFrom(...SPEAKERS)),
    session: maybe(fc.constantFrom(...SESSIONS)),
    source: maybe(fc.constantFrom(...SOURCES)),
    at: fc.constantFrom(...DAYS.map(day)),
    tags: maybe(fc.subarray(TAGS, { minLength: 1 })),
    metadata: maybe(fc.dictionary(fc.constantFrom(...KEYS), json, { maxKeys: 3 })),
    expiresAt: maybe(fc.constantFrom(...DAYS.map(day))),
  })
  .map((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as typeof given)

const oneOrMore = (names: readonly string[]) =>
  fc.oneof(fc.constantFrom(...names, 'nobody'), fc.subarray([...names, 'nobody'], { minLength: 1 }))
const range = fc.constantFrom({}, { from: day(1) }, { to: day(3) }, { from: day(1), to: day(2) })
const sides = (value: fc.Arbitrary<string | number>) =>
  fc.oneof(
    fc.record({ gt: value }),
    fc.record({ lte: value }),
    fc.record({ gte: value, lt: value }),
    fc.record({ gt: value, lte: value }),
  )
const test = fc.oneof(
  scalar,
  fc.array(scalar, { minLength: 1, maxLength: 3 }),
  fc.record({ in: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
  fc.record({ exists: fc.boolean() }),
  sides(fc.constantFrom(...NUMBERS)),
  sides(fc.constantFrom(...TEXTS)),
) as fc.Arbitrary<MetadataTest>

/** Filters of up to three parts each, `depth` deep. */
function filtersOf(depth: number): fc.Arbitrary<Filter> {
  const parts: Record<string, fc.Arbitrary<unknown>> = {
    id: oneOrMore(['e0', 'e1', 'e2']),
    speaker: oneOrMore(SPEAKERS),
    session: oneOrMore(SESSIONS),
    source: oneOrMore(SOURCES),
    tags: oneOrMore(TAGS),
    at: range,
    recordedAt: range,
    expiresAt: range,
    metadata: fc.dictionary(fc.constantFrom(...PATHS), test, { maxKeys: 2 }),
  }
  if (depth > 0) {
    const inner = filtersOf(depth - 1)
    parts['and'] = fc.array(inner, { minLength: 1, maxLength: 2 })
    parts['or'] = fc.array(inner, { minLength: 1, maxLength: 3 })
    parts['not'] = inner
  }
  return fc
    .subarray(Object.keys(parts), { maxLength: 2 })
    .chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, parts[key]])))) as fc.Arbitrary<Filter>
}

/** Filters that ask for what {@link attributes} has. Ids are `e0`, `e1`, and so on. */
export const filters = filtersOf(2)
