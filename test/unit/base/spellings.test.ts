import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Spellings } from '../../../src/base/spellings.js'

const unit = fc.constantFrom('a', 'B', 'z', '0', "'", 'é', 'É', '[', '{', '@', '`', '東', '\u{1f389}', ' ')
const word = fc.array(unit, { maxLength: 4 }).map((units) => units.join(''))
/** Capital letters of ASCII alone become small. */
const small = (word: string) => word.replace(/[A-Z]/g, (capital) => capital.toLowerCase())

test('finds what a map would find, wherever in a text the word stands', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ before: word, word, after: word, clear: fc.nat(40) }), { maxLength: 80 }),
      (steps) => {
        const spellings = new Spellings<number>()
        const map = new Map<string, number>()
        steps.forEach(({ before, word, after, clear }, i) => {
          const found = spellings.find(before + word + after, before.length, before.length + word.length)
          expect(found).toBe(map.get(small(word)))
          expect(spellings.find(word)).toBe(found)
          if (found === undefined) {
            spellings.add(small(word), i)
            map.set(small(word), i)
          }
          if (clear === 0) {
            spellings.clear()
            map.clear()
          }
          expect(spellings.size).toBe(map.size)
        })
      },
    ),
  )
})

test('grows', () => {
  const spellings = new Spellings<number>()
  const words = Array.from({ length: 5000 }, (_, i) => `word${i * 7919}`)
  words.forEach((word, i) => spellings.add(word, i))
  expect(words.map((word) => spellings.find(word.toUpperCase()))).toEqual(words.map((_, i) => i))
  expect(spellings.find('word1')).toBeUndefined()
  expect(spellings.bytes).toBeGreaterThan(5000 * 64)
})
