import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCodebook } from '../../../../src/encoding/codebook/node.js'
import { parseCodebook } from '../../../../src/encoding/codebook/codebook.js'
import { WordPiece, words } from '../../../../src/encoding/codebook/wordpiece.js'
import golden from '../../../golden/wordpiece.json' with { type: 'json' }

/** The vocabulary as the built codebook has it. */
async function vocabulary(): Promise<string[]> {
  const bytes = await readCodebook()
  const header = new DataView(bytes.buffer, bytes.byteOffset, 32)
  const start = 32 + 8 * header.getUint32(16, true)
  return new TextDecoder()
    .decode(bytes.subarray(start, start + header.getUint32(20, true)))
    .trimEnd()
    .split('\n')
}

const pieces = await vocabulary()
const wordPiece = new WordPiece(pieces)
const cases = golden as [string, number[]][]

test('cuts as the reference library does', () => {
  expect(cases.length).toBeGreaterThan(300)
  for (const [text, ids] of cases) expect(wordPiece.encode(text), JSON.stringify(text)).toEqual(ids)
  // Once more, from the cache.
  for (const [text, ids] of cases) expect(wordPiece.encode(text), JSON.stringify(text)).toEqual(ids)
})

test('the pieces of a text are those of its words', () => {
  const part = fc.constantFrom(
    'Houston',
    'TANK',
    "don't",
    '13',
    '\t',
    '\n',
    '\r',
    ' ',
    '\x0b',
    '\x7f',
    '\x00',
    '\x85',
    '_',
    '~',
    '[',
    '@',
    '`',
    '.',
    'é',
    'Σ',
    '東',
    '\u{1f389}',
    '\u00ad',
  )
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
      (text) => {
        expect(wordPiece.encode(text)).toEqual(words(text).flatMap((word) => wordPiece.encode(word)))
      },
    ),
    { numRuns: 500 },
  )
})

test('a codebook skips only words that the vocabulary cannot spell and single letters of other scripts', async () => {
  const codebook = parseCodebook(await readCodebook())
  const unknown = pieces.indexOf('[UNK]')
  const foreign = (id: number) => /^(##)?\p{L}$/u.test(pieces[id]) && !/\p{Script=Latin}/u.test(pieces[id])
  for (const [text, ids] of cases)
    expect(codebook.pieces(text)).toEqual(ids.filter((id) => id !== unknown && !foreign(id)))
  expect(codebook.pieces('東京 tower')).toEqual([pieces.indexOf('tower')])
  expect(cases.some(([, ids]) => ids.includes(unknown))).toBe(true)
})

describe('words', () => {
  test.each<[string, string, string[]]>([
    ['capitals and punctuation', "Don't STOP!", ['don', "'", 't', 'stop', '!']],
    ['accents, and İ without its dot', 'Café İstanbul', ['cafe', 'istanbul']],
    ['a final sigma is a sigma', 'ΟΔΟΣ', ['οδοσ']],
    ['Han characters one by one', 'ab東京', ['ab', '東', '京']],
    ['control and invisible characters are not there', 'a\u0000b\u200bc\u00add', ['abcd']],
    ['any space parts words', 'a\u00a0b\u3000c\nd', ['a', 'b', 'c', 'd']],
    ['nothing', ' \t\n', []],
  ])('%s', (_, text, expected) => {
    expect(words(text)).toEqual(expected)
  })
})

test('a vocabulary of few pieces: longest match first, or not at all', () => {
  const small = new WordPiece(['[UNK]', 'un', 'una', '##a', '##ff', '##able'])
  expect(small.encode('unaffable')).toEqual([2, 4, 5])
  expect(small.encode('una unff')).toEqual([2, 1, 4])
  // "un" and "##able" are there, but "una" is taken first and nothing goes on from it.
  expect(small.encode('unable unb')).toEqual([0, 0])
})
