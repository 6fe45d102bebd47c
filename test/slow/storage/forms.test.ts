import { expect, test } from 'vitest'
import { holds } from '../../bytes/forms.js'
import { unsnappy } from '../../bytes/snappy.js'

const MARKER = 'märker-42'

test.each<[string, Buffer]>([
  ['UTF-8', Buffer.from(`a ${MARKER} b`)],
  ['Latin-1, as V8 writes it', Buffer.from(`a ${MARKER} b`, 'latin1')],
  ['UTF-16', Buffer.from(`a ${MARKER} b`, 'utf16le')],
  ['an escape of JSON', Buffer.from('"m\\u00e4rker-42"')],
  ['a part of an address', Buffer.from(`?q=${encodeURIComponent(MARKER)}`)],
  ['hexadecimal digits', Buffer.from(Buffer.from(`x${MARKER}`).toString('hex'))],
  ['base64 from a multiple of three on', Buffer.from(Buffer.from(`abc${MARKER}x`).toString('base64'))],
  ['base64 from one byte later on', Buffer.from(Buffer.from(`abcd${MARKER}x`).toString('base64'))],
  ['base64 from two bytes later on', Buffer.from(Buffer.from(`abcde${MARKER}x`).toString('base64url'))],
])('a marker is found in %s', (_, bytes) => {
  expect(holds(bytes, MARKER)).toBe(true)
  expect(holds(bytes, 'mörker-42')).toBe(false)
})

test('a block of Snappy is decompressed, with copies that overlap', () => {
  // 12 bytes: the literal "ab", then a copy of 10 from 2 bytes back.
  const block = Uint8Array.of(12, 1 << 2, 0x61, 0x62, ((10 - 4) << 2) | 1, 2)
  expect(new TextDecoder().decode(unsnappy(block))).toBe('abababababab')
  expect(unsnappy(block.subarray(0, 4))).toBeUndefined()
})
