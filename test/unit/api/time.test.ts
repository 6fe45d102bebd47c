import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AgidbError } from '../../../src/base/errors.js'
import { toIso, toMillis } from '../../../src/api/time.js'

const DAY = 86_400_000
const millis = fc.oneof(
  fc.integer({ min: -8.64e15, max: 8.64e15 }),
  fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }),
)

describe('a time', () => {
  test('comes back from ISO 8601, from a Date and, since 1980, from itself', () => {
    fc.assert(
      fc.property(millis, (time) => {
        expect(toMillis(toIso(time), 'at')).toBe(time)
        expect(toMillis(new Date(time), 'at')).toBe(time)
        if (time >= Date.UTC(1980)) expect(toMillis(time, 'at')).toBe(time)
      }),
      { numRuns: 500 },
    )
  })

  test('means the same in every zone', () => {
    const offset = fc.integer({ min: -14 * 60, max: 14 * 60 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), offset, fc.constantFrom(':', ''), (time, minutes, colon) => {
        const local = new Date(time + minutes * 60_000).toISOString().slice(0, -1)
        const part = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, '0')
        const zone = `${minutes < 0 ? '-' : '+'}${part(minutes / 60)}${colon}${part(minutes % 60)}`
        expect(toMillis(local + zone, 'at')).toBe(time)
      }),
    )
  })

  test.each([
    ['2026-05-01', '2026-05-01T00:00:00.000Z'],
    ['2026-05-01T19:00', '2026-05-01T19:00:00.000Z'],
    ['2026-05-01 19:00:30', '2026-05-01T19:00:30.000Z'],
    ['2026-05-01t19:00:30z', '2026-05-01T19:00:30.000Z'],
    ['2026-05-01T19:00:00.5Z', '2026-05-01T19:00:00.500Z'],
    ['2026-05-01T19:00:00,123456Z', '2026-05-01T19:00:00.123Z'],
    ['2026-05-01T19:00:00+02:00', '2026-05-01T17:00:00.000Z'],
    ['2026-05-01T19:00:00-0330', '2026-05-01T22:30:00.000Z'],
    ['  2026-05-01T19:00:00Z ', '2026-05-01T19:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['-000044-03-15', '-000044-03-15T00:00:00.000Z'],
    ['+010000-01-01T00:00:00Z', '+010000-01-01T00:00:00.000Z'],
    ['0000-02-29', '0000-02-29T00:00:00.000Z'],
  ])('%s is %s', (written, iso) => {
    expect(toIso(toMillis(written, 'at'))).toBe(iso)
  })

  test('is cut to the millisecond', () => {
    expect(toMillis(Date.UTC(2026) + 1.9, 'at')).toBe(Date.UTC(2026) + 1)
  })

  test.each<[unknown]>([
    ['2026-02-30'],
    ['2026-02-29'],
    ['1900-02-29'],
    ['2026-04-31'],
    ['2026-13-01'],
    ['2026-00-10'],
    ['2026-01-00'],
    ['2026-01-32'],
    ['2026-05-01T25:00Z'],
    ['2026-05-01T19:60Z'],
    ['2026-05-01T19:00:60Z'],
    ['2026-05-01T19:00:00+25:00'],
    ['-000000-01-01'],
    ['2026-5-1'],
    ['01.05.2026'],
    ['5/1/2026'],
    ['yesterday'],
    ['2026'],
    ['2026-05'],
    ['20260501'],
    ['T19:00'],
    [''],
    [' '],
    ['1777662000000'],
    ['2026-05-01T19:00:00Z garbage'],
    [NaN],
    [Infinity],
    [-Infinity],
    [8.64e15 + 1],
    [new Date(NaN)],
    ['+275760-09-14'],
    [null],
    [undefined],
    [true],
    [{}],
    [[]],
    [10n],
    [Symbol('time')],
  ])('%s is refused', (written) => {
    try {
      toMillis(written as string, 'items[3].at')
    } catch (error) {
      expect(error).toBeInstanceOf(AgidbError)
      expect((error as AgidbError).code).toBe('AGIDB_INVALID_TIME')
      expect((error as AgidbError).message).toMatch(/^items\[3\]\.at is .*expected.*ISO 8601/s)
      return
    }
    expect.unreachable('it was accepted')
  })

  test('no calendar date that does not exist is taken for another', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9999 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 31 }),
        (year, month, day) => {
          const digits = (value: number, count: number) => String(value).padStart(count, '0')
          const text = `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`
          const lengths = [
            31,
            (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28,
            31,
            30,
            31,
            30,
            31,
            31,
            30,
            31,
            30,
            31,
          ]
          if (day > lengths[month - 1]) expect(() => toMillis(text, 'at')).toThrow(AgidbError)
          else expect(toIso(toMillis(text, 'at')).slice(0, 10)).toBe(text)
        },
      ),
      { numRuns: 1000 },
    )
    expect(toMillis('2024-03-01', 'at') - toMillis('2024-02-29', 'at')).toBe(DAY)
  })
})
