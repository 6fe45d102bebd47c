import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conceptKey, conceptWords } from '../../../src/encoding/concept.js'
import { Names } from '../../../src/indexes/names.js'

const concepts = (...names: string[]) => {
  const held = new Names(conceptWords)
  names.forEach((name, slot) => held.add(slot, conceptKey(name)))
  return held
}

describe('names', () => {
  test.each<[string, string[], string, string[]]>([
    ['one', ['Sarah', 'Tom'], 'what did Sarah say?', ['sarah']],
    ['a genitive', ['Sarah'], "Sarah's place", ['sarah']],
    ['several, sorted', ['Tom', 'Ann'], 'Tom and Ann', ['ann', 'tom']],
    ['the longest', ['New York', 'York', 'New York Times'], 'the New York Times of today', ['new york times']],
    ['leftmost where they overlap', ['a b', 'b c'], 'a b c', ['a b']],
    ['spellings with the same words', ['e-mail', 'e mail'], 'an E-Mail', ['e mail', 'e-mail']],
    ['in Japanese', ['東京タワー'], '東京タワーはどこ', ['東京タワー']],
    ['in Russian', ['Москва'], 'Москва слезам не верит', ['москва']],
    ['an emoji', ['🚀'], 'launch 🚀!', ['🚀']],
    ['none', ['Sarah'], 'nobody', []],
    ['none in nothing', ['Sarah'], '…', []],
    ['no part of a word', ['Ann'], 'planning', []],
  ])('finds %s', (_, names, text, expected) => {
    expect(concepts(...names).mentioned(text)).toEqual(expected)
  })

  test('after adds and removes in any order equal those built afresh', () => {
    const use = fc.tuple(fc.nat(5), fc.constantFrom('ann', 'bob', 'new york', 'york', 'e-mail', 'e mail'))
    fc.assert(
      fc.property(fc.array(fc.tuple(use, fc.boolean(), fc.nat(20))), (steps) => {
        const names = new Names(conceptWords)
        const left: [number, string][] = []
        for (const [[slot, name], add, pick] of steps) {
          if (add || left.length === 0) {
            names.add(slot, name)
            left.push([slot, name])
          } else names.remove(...left.splice(pick % left.length, 1)[0])
        }
        const fresh = new Names(conceptWords)
        for (const [slot, name] of left) fresh.add(slot, name)
        expect(names.size).toBe(fresh.size)
        for (const name of ['ann', 'bob', 'new york', 'york', 'e-mail', 'e mail']) {
          expect(names.count(name)).toBe(fresh.count(name))
          expect([...names.slots(name)].sort()).toEqual([...fresh.slots(name)].sort())
          expect(names.has(name, 3)).toBe(fresh.has(name, 3))
          expect(names.mentioned(`${name} of York`)).toEqual(fresh.mentioned(`${name} of York`))
        }
      }),
    )
  })

  test('removing a use that is not there changes nothing', () => {
    const names = concepts('Ann')
    names.remove(7, 'ann')
    names.remove(0, 'bob')
    expect([names.size, names.count('ann')]).toEqual([1, 1])
  })
})

test('what it takes in memory goes back to what it was when uses go', () => {
  const names = new Names((text) => text.split(' '))
  const empty = names.bytes
  names.add(1, 'Ann Lee')
  const one = names.bytes
  names.add(1, 'Ann Lee') // the same use again
  expect(names.bytes).toBe(one)
  names.add(2, 'Ann Lee')
  expect(names.bytes).toBeGreaterThan(one)
  names.remove(2, 'Ann Lee')
  names.remove(1, 'Ann Lee')
  expect(names.bytes).toBe(one)
  names.remove(1, 'Ann Lee')
  expect(names.bytes).toBe(empty)
})
