import { expect, test } from 'vitest'
import type { CheckpointParts } from '../../../src/base/checkpoint-parts.js'
import { Extracted } from '../../../src/indexes/extracted.js'

const reading = (given: number, version = '1') => ({ extractor: 'rules', version, given })

test('Statements are found alone where an extractor has read the text and the caller gave none.', () => {
  const extracted = new Extracted()
  extracted.set(1, reading(0))
  extracted.set(2, reading(1))
  expect([1, 2, 3].map((slot) => extracted.isFoundAlone(slot))).toEqual([true, false, false])
  expect([1, 2, 3].map((slot) => extracted.isRead(slot))).toEqual([true, true, false])
})

test('What another version has read, and what is removed, is told as it is now.', () => {
  const extracted = new Extracted()
  extracted.set(1, reading(0))
  extracted.set(1, reading(2, '2'))
  expect(extracted.isFoundAlone(1)).toBe(false)
  expect(extracted.count(reading(0))).toBe(0)
  extracted.set(1, reading(0, '2'))
  expect(extracted.isFoundAlone(1)).toBe(true)
  extracted.set(1, undefined)
  expect([extracted.isFoundAlone(1), extracted.isRead(1)]).toEqual([false, false])
})

test('A checkpoint keeps which statements were found alone.', () => {
  const extracted = new Extracted()
  extracted.set(1, reading(0))
  extracted.set(40, reading(3))
  const parts: CheckpointParts = new Map()
  extracted.save(parts, 'extracted')
  const loaded = new Extracted()
  loaded.load(parts, 'extracted')
  expect([1, 40].map((slot) => loaded.isFoundAlone(slot))).toEqual([true, false])
  expect(loaded.has(40, reading(3))).toBe(true)
})
