import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromHex, randomHex, toHex } from '../../../src/base/hex.js'

test('bytes become two digits each', () => {
  expect(toHex(Uint8Array.of(0, 9, 16, 255))).toBe('000910ff')
  expect(toHex(new Uint8Array(0))).toBe('')
})

test('digits become the bytes again', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(fromHex(toHex(bytes))).toEqual(bytes)
    }),
  )
})

test('random bytes have as many digits, and differ', () => {
  expect(randomHex(16)).toMatch(/^[0-9a-f]{32}$/)
  expect(randomHex(16)).not.toBe(randomHex(16))
})
