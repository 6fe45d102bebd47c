import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conceptKey, conceptWords } from '../../../src/encoding/concept.js'
import { fold, term, termCounts, tokens } from '../../../src/encoding/tokens.js'

describe('tokens', () => {
  test.each<[string, string, string[]]>([
    ['English', 'The cats sat, did they? 3.14!', ['the', 'cats', 'sat', 'did', 'they', '3', '14']],
    ['apostrophes', "O'Brien's rock'n'roll 'tis dogs'", ["o'brien's", "rock'n'roll", 'tis', 'dogs']],
    ['a typographic apostrophe', 'O’Brien’s', ["o'brien's"]],
    ['punctuation inside', 'C++ a_b x-y e-mail@example.org', ['c', 'a', 'b', 'x', 'y', 'e', 'mail', 'example', 'org']],
    ['Cyrillic', 'Привет, КАК дела?', ['привет', 'как', 'дела']],
    ['Greek', 'Καλημέρα ΚΌΣΜΕ', ['καλημερα', 'κοσμε']],
    ['accents aside', 'Café à l’hôtel Ёлка', ['cafe', 'a', 'hotel', 'елка']],
    ['elided articles', "dell'arte qu'elle o'clock", ['arte', 'elle', "o'clock"]],
    ['Arabic and Hebrew', 'مرحبا بالعالم שלום', ['مرحبا', 'بالعالم', 'שלום']],
    ['Devanagari keeps its marks', 'हिन्दी में किताब', ['हिन्दी', 'में', 'किताब']],
    ['Hangul', '안녕하세요 세계', ['안녕하세요', '세계']],
    ['Han in bigrams', '我喜欢茶', ['我喜', '喜欢', '欢茶']],
    ['one Han character', '茶', ['茶']],
    ['kana with the long vowel mark', '東京タワー', ['東京', '京タ', 'タワ', 'ワー']],
    ['Thai in bigrams', 'ภาษา', ['ภา', 'าษ', 'ษา']],
    ['Han inside Latin', 'abc東京def', ['abc', '東京', 'def']],
    ['an apostrophe before Han', 'a’b東京', ["a'b", '東京']],
    ['full width', 'Ｆｕｌｌ　ｗｉｄｔｈ', ['full', 'width']],
    ['ligatures', 'ﬁne', ['fine']],
    ['half-width kana', 'ﾀﾜｰ', ['タワ', 'ワー']],
    ['Turkish capitals', 'İstanbul', ['istanbul']],
    ['one emoji each', '🎉🚀', ['🎉', '🚀']],
    ['an emoji family by its members', '👨‍👩‍👧', ['👨', '👩', '👧']],
    ['a flag is one', '🇩🇪🇫🇷', ['🇩🇪', '🇫🇷']],
    ['skin tone aside', '👍🏽', ['👍']],
    ['variation selector aside', '❤️', ['❤']],
    ['a keycap', '1️⃣', ['1⃣']],
    ['a soft hyphen is not there', 'Donau\u00addampfschiff', ['donaudampfschiff']],
    ['a zero-width space parts words', 'foo\u200bbar', ['foo', 'bar']],
    ['nothing', ' …?! ', []],
  ])('%s', (_, text, expected) => {
    expect(tokens(text)).toEqual(expected)
  })

  test.each([
    ["We've won't can’t DIDN'T", 'we have will not can not did not'],
    ["I'm, you’re, they'll", 'I am, you are, they will'],
    ["let's", 'let us'],
  ])('contractions are spelt out: %s', (short, long) => {
    expect(tokens(short)).toEqual(tokens(long))
  })

  test('composed and decomposed spellings are the same words', () => {
    expect(tokens('cafe\u0301 A\u030angstro\u0308m')).toEqual(tokens('café Ångström'))
    expect(tokens('한국어'.normalize('NFD'))).toEqual(tokens('한국어'))
  })

  test('folding again changes nothing, and no token is empty or has a space', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        expect(fold(fold(text)).normalize('NFC')).toBe(fold(text).normalize('NFC'))
        for (const token of tokens(text)) expect(token).toMatch(/^\S+$/)
      }),
      { numRuns: 300 },
    )
  })

  test('words survive whatever stands around them', () => {
    const word = fc.constantFrom('memory', 'память', 'שלום', '안녕', 'किताब', '🎉', '🇩🇪')
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 12 }),
        fc.constantFrom(' ', '\n', ', ', ' — ', ' (', '\u00a0'),
        (words, gap) => {
          expect(tokens(words.join(gap))).toEqual(words)
        },
      ),
    )
  })
})

describe('terms', () => {
  test('English words meet in their stem', () => {
    for (const word of ['connected', 'connecting', 'connection', 'connections', "connection's"])
      expect(term(word)).toBe('connect')
  })

  test.each(['the', 'and', "didn't", "it's", 'who', 'what'])('%s is a stop word', (word) => {
    expect(term(word)).toBeUndefined()
  })

  test.each(['память', '東京', '🎉', 'café', '1969', 'b12'])('%s is its own term', (word) => {
    expect(term(word)).toBe(word)
  })

  test('are counted', () => {
    const counts = termCounts('The pump pumped; pumping pumps. Москва!')
    expect(Object.fromEntries(counts)).toEqual({ pump: 4, москва: 1 })
  })
})

describe('concepts', () => {
  test('meet over case, width and spacing', () => {
    expect(conceptKey('  New\u00a0 York ')).toBe('new york')
    expect(conceptKey('ＮＥＷ　ＹＯＲＫ')).toBe('new york')
    expect(conceptKey('New Yo\u00adrk')).toBe('new york')
  })

  test('are named in the genitive too', () => {
    expect(conceptWords("Sarah's")).toEqual(['sarah'])
    expect(conceptWords('Sarah’s')).toEqual(['sarah'])
  })
})
