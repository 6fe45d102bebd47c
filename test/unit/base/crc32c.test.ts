import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { crc32c } from '../../../src/base/crc32c.js'

/** The definition, bit by bit. */
function bitwise(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

test('known values (RFC 3720, B.4)', () => {
  expect(crc32c(new TextEncoder().encode('123456789'))).toBe(0xe3069283)
  expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa)
  expect(crc32c(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43)
  expect(crc32c(Uint8Array.from({ length: 32 }, (_, index) => index))).toBe(0x46dd794e)
  expect(crc32c(new Uint8Array(0))).toBe(0)
})

test('any part of any bytes agrees with the definition', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(100), fc.nat(100), (bytes, a, b) => {
      const start = Math.min(a, b, bytes.length)
      const end = Math.min(Math.max(a, b), bytes.length)
      expect(crc32c(bytes, start, end)).toBe(bitwise(bytes.subarray(start, end)))
    }),
  )
})

test('where numbers lie with their highest byte first it is the same', async () => {
  vi.resetModules()
  // One as such a machine has it, looked at byte by byte.
  vi.spyOn(Uint32Array, 'of').mockReturnValueOnce(new Uint32Array(Uint8Array.of(0, 0, 0, 1).buffer))
  const other: { crc32c: typeof crc32c } = await import('../../../src/base/crc32c.js')
  vi.restoreAllMocks()
  expect(other.crc32c).not.toBe(crc32c)
  for (const length of [0, 3, 9, 40]) {
    const bytes = Uint8Array.from({ length }, (_, index) => 7 * index)
    expect(other.crc32c(bytes, length >> 2)).toBe(bitwise(bytes.subarray(length >> 2)))
  }
})
