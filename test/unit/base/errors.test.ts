import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AgidbError, fromWire, toWire } from '../../../src/base/errors.js'

describe('an error on the wire', () => {
  test('keeps code, message and details through a structured clone', () => {
    const details = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string())))
    fc.assert(
      fc.property(fc.string(), details, (message, facts) => {
        const back = fromWire(structuredClone(toWire(new AgidbError('AGIDB_NOT_FOUND', message, facts))))
        expect(back).toBeInstanceOf(AgidbError)
        expect([back.code, back.message, back.details, back.name]).toEqual([
          'AGIDB_NOT_FOUND',
          message,
          facts,
          'AgidbError',
        ])
      }),
    )
  })

  test.each<[string, unknown, string]>([
    ['a TypeError', new TypeError('no such thing'), 'TypeError: no such thing'],
    ['a string', 'broken', 'broken'],
    ['nothing', undefined, 'undefined'],
  ])('%s becomes a defect of agidb itself', (_, thrown, message) => {
    const wire = structuredClone(toWire(thrown))
    expect([wire.code, wire.message]).toEqual(['AGIDB_INTERNAL', message])
  })

  test('keeps its cause where it stays in the thread', () => {
    const cause = new Error('disk')
    expect(new AgidbError('AGIDB_STORAGE', 'failed', {}, { cause }).cause).toBe(cause)
  })
})
