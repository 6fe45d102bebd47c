import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GrowingText } from '../../../src/documents/growing-text.js'

describe('a growing text', () => {
  test('is the same as a string that is added to and trimmed', () => {
    const step = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', ' ', '\n', '|'), maxLength: 6 }),
      fc.constant(null), // trims
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const text = new GrowingText()
        let expected = ''
        for (const piece of steps) {
          if (piece === null) {
            text.trimEnd((character) => ' \n|'.includes(character))
            expected = expected.replace(/[ \n|]+$/, '')
          } else {
            text.add(piece)
            expected += piece
          }
          expect(text.toString()).toBe(expected)
          expect([text.length, text.last]).toEqual([expected.length, expected.slice(-1)])
        }
        text.clear()
        expect([text.toString(), text.length, text.last]).toEqual(['', 0, ''])
      }),
      { numRuns: 300, seed: 1 },
    )
  })
})
