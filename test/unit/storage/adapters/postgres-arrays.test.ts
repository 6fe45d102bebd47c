import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arrayOf, arrayOfBytes, arrayOfTexts } from '../../../../src/storage/adapters/postgres/arrays.js'

test('bytes are base64, as Node writes it', () => {
  const values = fc.array(fc.option(fc.uint8Array({ maxLength: 40 }), { nil: undefined }))
  fc.assert(
    fc.property(values, (all) => {
      const expected = all.map((bytes) => (bytes === undefined ? 'NULL' : `"${Buffer.from(bytes).toString('base64')}"`))
      expect(arrayOfBytes(all)).toBe(`{${expected.join(',')}}`)
    }),
  )
})

test('numbers, truths and nulls stand as they are; an empty array is empty', () => {
  expect(arrayOf([1, null, true, false])).toBe('{1,NULL,true,false}')
  expect([arrayOf([]), arrayOfTexts([]), arrayOfBytes([])]).toEqual(['{}', '{}', '{}'])
})

test('texts may have any characters that an array marks with', () => {
  expect(arrayOfTexts(['a', '', '{"b",\\}', 'NULL'])).toBe(String.raw`{"a","","{\"b\",\\}","NULL"}`)
})
