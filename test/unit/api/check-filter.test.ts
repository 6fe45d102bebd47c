import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkFilter, checkNarrowing } from '../../../src/api/check-filter.js'
import { DEFAULT_LIMITS } from '../../../src/api/check.js'
import type { Filter } from '../../../src/api/filter.js'
import { AgidbError } from '../../../src/base/errors.js'
import { filters } from '../indexes/naive-filter.js'

const INVALID = 'AGIDB_INVALID_ARGUMENT'
const circle: { and: unknown[] } = { and: [] }
circle.and.push(circle, circle)
const deep = (depth: number): unknown => (depth === 0 ? {} : { not: deep(depth - 1) })

test('Each wrong part of a filter is refused with its path, and with what would be right.', () => {
  const wrong: readonly [filter: unknown, message: string, code?: string][] = [
    [undefined, 'filter is undefined; expected a filter'],
    [null, 'filter must be an object, not null'],
    [[], 'filter must be an object, not an array'],
    [{ speeker: 'Ann' }, 'filter has no option "speeker"; known are id, speaker', 'AGIDB_UNKNOWN_OPTION'],
    [{ speaker: 7 }, 'filter.speaker must be a string, not 7'],
    [{ speaker: null }, 'filter.speaker must be a string, not null'],
    [{ speaker: [] }, 'filter.speaker is an empty array; leave it out or give at least one'],
    [{ tags: ['a', ' '] }, 'filter.tags[1] is empty'],
    [{ tags: [, 'a'] }, 'filter.tags[0] must be a string, not undefined'],
    [{ at: { from: 'soon' } }, 'filter.at.from is "soon"; expected a valid Date', 'AGIDB_INVALID_TIME'],
    [{ at: { from: '2024-02-01', to: '2024-01-01' } }, 'filter.at.to is 2024-01-01T00:00:00.000Z, which is not after'],
    [{ at: '2024' }, 'filter.at must be an object'],
    [{ metadata: [] }, 'filter.metadata must be an object of conditions by path, not an array'],
    [{ metadata: { 'a\\b': 1 } }, 'filter.metadata["a\\\\b"] has a lone backslash; write a dot in a name as \\.'],
    [{ metadata: { a: NaN } }, 'filter.metadata["a"] is NaN; expected a string, a finite number'],
    [{ metadata: { a: new Date(0) } }, 'filter.metadata["a"] has no condition; expected a value'],
    [{ metadata: { a: {} } }, 'filter.metadata["a"] has no condition'],
    [
      { metadata: { a: { eq: 1 } } },
      'filter.metadata["a"] has no option "eq"; known are in, gt',
      'AGIDB_UNKNOWN_OPTION',
    ],
    [{ metadata: { a: { in: 1 } } }, 'filter.metadata["a"].in must be an array of values, not 1'],
    [{ metadata: { a: { in: [] } } }, 'filter.metadata["a"].in is an empty array'],
    [{ metadata: { a: [1, [2]] } }, 'filter.metadata["a"][1] is an array; expected a string'],
    [{ metadata: { a: { gt: true } } }, 'filter.metadata["a"].gt is true; expected a finite number or a string'],
    [{ metadata: { a: { gt: 1, gte: 2 } } }, 'filter.metadata["a"] has gt and gte; give one of them'],
    [{ metadata: { a: { gt: 1, lt: '2' } } }, 'filter.metadata["a"] compares with 1 and "2"; give two numbers'],
    [{ metadata: { a: { exists: 1 } } }, 'filter.metadata["a"].exists is 1; expected true or false'],
    [{ metadata: { a: 'x'.repeat(257) } }, 'filter.metadata["a"] has 257 characters; at most 256', 'AGIDB_TOO_LARGE'],
    [{ metadata: { a: '\ud800' } }, 'filter.metadata["a"] has half of a surrogate pair', 'AGIDB_INVALID_TEXT'],
    [{ and: {} }, 'filter.and must be an array of filters, not an object'],
    [{ or: [] }, 'filter.or is an empty array'],
    [{ or: [{}, undefined] }, 'filter.or[1] is undefined; expected a filter'],
    [
      { or: [{}, { metadata: { 'a.b': { gt: [] } } }] },
      'filter.or[1].metadata["a.b"].gt is an array; expected a finite',
    ],
    [{ and: [{ not: { or: [7] } }] }, 'filter.and[0].not.or[0] must be an object, not 7'],
    [deep(9), 'filter has filters nested deeper; at most 8 are accepted', 'AGIDB_TOO_LARGE'],
    [circle, 'filter has ', 'AGIDB_TOO_LARGE'],
    [{ or: Array.from({ length: 300 }, () => ({})) }, 'filter has more conditions; at most 256', 'AGIDB_TOO_LARGE'],
    [{ id: Array.from({ length: 10_001 }, (_, i) => `e${i}`) }, 'filter.id has 10001 names', 'AGIDB_TOO_LARGE'],
  ]
  for (const [filter, message, code = INVALID] of wrong) {
    let refusal: unknown
    try {
      checkFilter('filter', filter as Filter, DEFAULT_LIMITS)
    } catch (error) {
      refusal = error
    }
    expect(refusal, `accepted: ${message}`).toBeInstanceOf(AgidbError)
    const { code: received, message: said } = refusal as AgidbError
    expect([received, said.slice(0, message.length)]).toEqual([code, message])
  }
})

test('Any filter of known parts is accepted, and no value whatever makes the check fail without a code.', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      checkFilter('filter', filter, DEFAULT_LIMITS)
    }),
  )
  const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true })
  const parts = ['id', 'speaker', 'tags', 'at', 'expiresAt', 'metadata', 'and', 'or', 'not']
  const almost = fc.oneof(
    anything,
    fc.dictionary(fc.constantFrom(...parts), anything),
    fc.record({ metadata: fc.dictionary(fc.string(), anything) }),
    fc.record({ or: fc.array(fc.dictionary(fc.constantFrom(...parts), anything)) }),
  )
  fc.assert(
    fc.property(almost, (value) => {
      try {
        checkFilter('filter', value as Filter, DEFAULT_LIMITS)
      } catch (error) {
        expect(error).toBeInstanceOf(AgidbError)
        expect((error as AgidbError).message).toMatch(/^(a key of )?filter/)
      }
    }),
    { numRuns: 500 },
  )
})

test('One name is asked by itself, several and a filter are asked together.', () => {
  expect(checkNarrowing({ speaker: 'Ann', session: ['s1'] }, DEFAULT_LIMITS)).toEqual({ speaker: 'Ann', session: 's1' })
  expect(checkNarrowing({ speaker: ['Ann', 'Bob', 'Ann'], filter: { tags: 'red' } }, DEFAULT_LIMITS)).toEqual({
    filter: {
      kind: 'and',
      parts: [
        { kind: 'named', field: 'speaker', names: ['Ann', 'Bob'] },
        { kind: 'value', attribute: 'tags', values: ['red'] },
      ],
    },
  })
})
