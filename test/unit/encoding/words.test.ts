import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textSignature } from '../../../src/encoding/text.js'
import { termCounts } from '../../../src/encoding/tokens.js'
import { traitsOf } from '../../../src/encoding/traits.js'
import { Words } from '../../../src/encoding/words.js'
import { kernel } from './kernel.js'

const piece = fc.constantFrom(
  'the',
  'of',
  'not',
  "don't",
  "Sarah's",
  'oxygen',
  'tanks',
  'Two',
  '1970',
  'yesterday',
  'because',
  'I',
  'your',
  'l\u2019h\u00f4tel',
  'CAF\u00c9',
  '\u03a3\u038a\u03a3',
  '\u6771\u4eac\u306f',
  '\u0928\u092e\u0938\u094d\u0924\u0947',
  '\u{1f389}',
  '\u{1f1e9}\u{1f1ea}',
  '!',
  '?',
  "'",
  '\u0301',
  '\u00ad',
  '\u200b',
  '\ufb01',
  '\u0130',
  '\u00df',
  ':',
  '-',
)
const text = fc.oneof(
  fc
    .array(fc.tuple(piece, fc.constantFrom(' ', '', ', ', '\n')), { minLength: 1, maxLength: 14 })
    .map((parts) => parts.flat().join('')),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
)

test('a text that is read gives what it gives unread, with its speaker and without', () => {
  const words = Words.of(kernel)
  fc.assert(
    fc.property(text, fc.option(text, { nil: undefined }), (text, speaker) => {
      const whole = speaker === undefined ? text : `${speaker}: ${text}`
      const reading = words.read(text, speaker)
      expect(words.terms(reading)).toEqual(termCounts(whole))
      expect(words.traits(reading, text)).toEqual(traitsOf(text))
      expect(words.signature(reading, whole)).toEqual(textSignature(kernel, whole))
    }),
    { numRuns: 300 },
  )
  words.release()
})

test('a reading outlives the words that it was made of', () => {
  const words = Words.of(kernel)
  const text = 'The fuel cell of the service module was lost'
  const reading = words.read(text)
  const signature = words.signature(reading, text)
  words.release()
  const again = words.read('of the fuel cell')
  expect(words.signature(reading, text)).toEqual(signature)
  expect(words.signature(again, 'of the fuel cell')).toEqual(textSignature(kernel, 'of the fuel cell'))
  words.release()
})

test('more words than are known at a time', () => {
  const words = Words.of(kernel)
  const textOf = (i: number) => Array.from({ length: 50 }, (_, j) => `w${(i * 37 + j) * 7919}`).join(' ')
  for (let i = 0; i < 700; i++) {
    const signature = words.signature(words.read(textOf(i)), textOf(i))
    if (i % 50 === 0) expect(signature).toEqual(textSignature(kernel, textOf(i)))
  }
  expect(words.signature(words.read(textOf(0)), textOf(0))).toEqual(textSignature(kernel, textOf(0)))
  words.release()
})
