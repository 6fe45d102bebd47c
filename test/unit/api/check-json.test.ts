import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonObject } from '../../../src/api/check-json.js'
import type { JsonObject } from '../../../src/api/json.js'
import { AgidbError } from '../../../src/base/errors.js'

const LIMIT = { jsonBytes: 1_000, depth: 3 }
const circle: Record<string, unknown> = {}
circle['inner'] = { circle }

/** The code and the message of a refusal. */
function refusal(value: unknown): { readonly code: string; readonly message: string } {
  try {
    jsonObject('metadata', value, LIMIT)
  } catch (error) {
    if (error instanceof AgidbError) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error('it was accepted')
}

test('What is not JSON is refused, and the message names the part that is wrong.', () => {
  const wrong: readonly [value: unknown, part: string, code?: string][] = [
    [null, 'metadata must be an object'],
    ['text', 'metadata must be an object'],
    [[1], 'metadata must be an object'],
    [{ a: undefined }, 'metadata.a is undefined'],
    [{ a: { 'due date': NaN } }, 'metadata.a["due date"] is NaN'],
    [{ a: [1, Infinity] }, 'metadata.a[1] is Infinity'],
    [{ a: [, 1] }, 'metadata.a[0] is undefined'],
    [{ a: () => 1 }, 'metadata.a is a function'],
    [{ a: 1n }, 'metadata.a is a bigint'],
    [{ a: new Date(0) }, 'metadata.a is an instance of a class'],
    [new Map(), 'metadata is an instance of a class'],
    [{ [Symbol('a')]: 1 }, 'metadata is an instance of a class'],
    [circle, 'metadata.inner.circle is an object that it stands in itself'],
    [JSON.parse('{"a": {"__proto__": 1}}'), 'metadata.a has a key "__proto__"'],
    [{ constructor: 1 }, 'metadata has a key "constructor"'],
    [{ a: '\ud800' }, 'metadata.a has half of a surrogate pair', 'AGIDB_INVALID_TEXT'],
    [{ '\udc00': 1 }, 'a key of metadata has half of a surrogate pair', 'AGIDB_INVALID_TEXT'],
    [{ a: { b: { c: {} } } }, 'metadata is nested deeper than 3 at metadata.a.b.c', 'AGIDB_TOO_LARGE'],
    [{ a: 'x'.repeat(1_001) }, 'metadata has more bytes', 'AGIDB_TOO_LARGE'],
    [{ a: 'é'.repeat(600) }, 'metadata has 1208 bytes as JSON; at most 1000', 'AGIDB_TOO_LARGE'],
    [{ a: Array.from({ length: 1e6 }, () => 0) }, 'metadata has more bytes', 'AGIDB_TOO_LARGE'],
  ]
  for (const [value, part, code = 'AGIDB_INVALID_ARGUMENT'] of wrong) {
    const { code: received, message } = refusal(value)
    expect([received, message.slice(0, part.length)]).toEqual([code, part])
  }
})

test('An object of JSON values is copied as JSON would give it back.', () => {
  const json = fc.object({
    maxDepth: 2,
    maxKeys: 4,
    values: [fc.string({ unit: 'grapheme' }), fc.double(), fc.boolean()],
  })
  fc.assert(
    fc.property(json, (value) => {
      fc.pre(JSON.stringify(value) !== undefined)
      const parsed = JSON.parse(JSON.stringify(value).replace(/-0([,}\]])/g, '0$1')) as JsonObject
      fc.pre(
        JSON.stringify(parsed).length < 900 && !/"(__proto__|constructor|prototype)":/.test(JSON.stringify(parsed)),
      )
      const copy = jsonObject('metadata', parsed, LIMIT)
      expect(copy).toEqual(parsed)
      expect(copy).not.toBe(parsed)
      expect(JSON.stringify(copy)).toBe(JSON.stringify(parsed))
    }),
  )
})
