import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textQueries, textSignature } from '../../../src/encoding/text.js'
import { DIMENSION, type Hypervector } from '../../../src/kernel/port.js'
import { kernel } from './kernel.js'

const sign = (text: string) => textSignature(kernel, text)
/** Standard deviations above what two unrelated signatures have in common. */
const z = (a: Hypervector, b: Hypervector) => (DIMENSION - 2 * kernel.hamming(a, b)) / Math.sqrt(DIMENSION)
/** Every word weighs the same. */
const asked = (cue: string) => textQueries(kernel, cue, () => 1, 1).likeness!
const scored = (cue: string, text: string) => {
  const arena = kernel.arena()
  arena.set(0, sign(text))
  const query = asked(cue)
  const [score] = arena.score(query, Uint32Array.of(0))
  arena.free()
  return score / query.norm
}

describe('the signature of a text', () => {
  test('is a function of the text, whatever its case and form', () => {
    expect(sign('The fuel cell was lost.')).toEqual(sign('The fuel cell was lost.'))
    expect(sign('THE FUEL CELL — was lost')).toEqual(sign('the fuel cell was lost'))
    expect(sign('Cafe\u0301')).toEqual(sign('Café'))
  })

  test('is close to that of a similar text and unrelated to that of another', () => {
    const text = sign('Sarah recommended a Thai restaurant in Bandra called Bawri')
    expect(z(text, sign('Bawri is the Thai restaurant that Sarah recommends'))).toBeGreaterThan(20)
    expect(Math.abs(z(text, sign('Quarterly tax forms must reach our office before July')))).toBeLessThan(8)
  })

  test.each([
    ['The oxygen tank exploded after the stir', 'The oxigen tank explodd after the stir'],
    ['Я забыл зарядить телефон вечером', 'Я забыл зарядит телефон вечерм'],
    ['Die Sauerstoffversorgung ist ausgefallen', 'Die Sauerstofversorgung ist ausgefalen'],
    ['संगीत कार्यक्रम बहुत अच्छा था', 'संगित कार्यक्रम बहुत अच्छ था'],
  ])('bears slips of the pen: %s', (text, slipped) => {
    const own = scored(slipped, text)
    expect(own).toBeGreaterThan(15)
    expect(own).toBeGreaterThan(2 * scored(slipped, 'Quarterly tax forms must reach our office before July'))
  })

  test.each(['the and of', '???', '🎉', '茶', '…'])('%s has one of its own', (text) => {
    expect(sign(text)).toEqual(sign(text))
    expect(z(sign(text), sign(`${text} museum`))).toBeLessThan(90)
  })

  test('is unrelated for unrelated words', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 9, maxLength: 12 })
    fc.assert(
      fc.property(word, word, (a, b) => {
        const shared = [...a].some((_, i) => i + 3 <= a.length && b.includes(a.slice(i, i + 3)))
        fc.pre(!shared && a[0] !== b[0] && a.at(-1) !== b.at(-1))
        expect(Math.abs(z(sign(a), sign(b)))).toBeLessThan(7)
      }),
      { numRuns: 100 },
    )
  })
})

describe('the query of a cue', () => {
  test('weighs rare words more than frequent ones', () => {
    const idf = (term: string) => (term === 'bawri' ? 6 : 0.5)
    const query = textQueries(kernel, 'Bawri restaurant', idf, 6).likeness!
    const arena = kernel.arena()
    arena.set(0, sign('Bawri'))
    arena.set(1, sign('restaurant'))
    expect([...arena.scan(query, 2).slots]).toEqual([0, 1])
    arena.free()
  })

  test('finds by the n-grams of a word that no memory has', () => {
    const query = textQueries(kernel, 'restaurnt', () => 0, 5).likeness!
    const arena = kernel.arena()
    for (const [slot, text] of ['a museum', 'the restaurant', 'some fuel cells'].entries()) arena.set(slot, sign(text))
    const { slots, scores } = arena.scan(query, 3)
    expect(slots[0]).toBe(1)
    expect(scores[0] / query.norm).toBeGreaterThan(15)
    arena.free()
  })

  test('is nothing for a cue without a word', () => {
    expect(textQueries(kernel, '…?!', () => 1, 1)).toEqual({ likeness: undefined, order: undefined })
  })
})
