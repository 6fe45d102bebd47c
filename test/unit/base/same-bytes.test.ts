import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sameBytes } from '../../../src/base/same-bytes.js'

test('bytes are the same where each of them is, and two that are not there are the same', () => {
  const bytes = fc.option(fc.uint8Array({ max: 1, maxLength: 3 }), { nil: undefined })
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      expect(sameBytes(a, b)).toBe(JSON.stringify(a && [...a]) === JSON.stringify(b && [...b]))
    }),
  )
})
