import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeUtf8, encodeUtf8 } from '../../../src/base/utf8.js'

test('every valid text is read as it was written, a U+FEFF at its start included', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, marked) => {
      const whole = (marked ? '\ufeff' : '') + text
      expect(decodeUtf8(encodeUtf8(whole))).toBe(whole)
    }),
  )
})

test('bytes that are no UTF-8 are refused instead of being replaced', () => {
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]]) {
    expect(() => decodeUtf8(Uint8Array.from(bytes))).toThrow(TypeError)
  }
})

test('only readers of files and answers of others, and what shortens a cue, have a decoder of their own', () => {
  const src = new URL('../../../src/', import.meta.url)
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const own = files.filter((file) => readFileSync(new URL(file, src), 'utf8').includes('new TextDecoder('))
  expect(own.sort()).toEqual([
    'adapters/cue.ts',
    'bams/npy-header.ts',
    'base/utf8.ts',
    'config/toml.ts',
    'http/post.ts',
    'models/gliner/model.ts',
    'models/runtime.ts',
    'models/transformers/folder.ts',
    'transfer/json-lines.ts',
    'transfer/transcript/chunks.ts',
  ])
})
