import fc from 'fast-check'
import { expect, test } from 'vitest'
import { greatest, least } from '../../../src/base/extremes.js'

test('the least and the greatest of some numbers are those of Math.min and Math.max', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true })), (values) => {
      expect(least(values) === Math.min(...values)).toBe(true)
      expect(greatest(values) === Math.max(...values)).toBe(true)
    }),
  )
})

test('those of a million numbers are found', () => {
  const values = Array.from({ length: 1_000_000 }, (_, i) => (i * 7919) % 1_000_003)
  expect(least(values)).toBe(0)
  expect(greatest(new Set(values))).toBeGreaterThan(999_990)
})
