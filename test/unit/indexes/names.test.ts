import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conceptKey, conceptWords } from '../../../src/encoding/concept.js'
import type { CheckpointParts } from '../../../src/base/checkpoint-parts.js'
import { Names } from '../../../src/indexes/names.js'

const concepts = (...names: string[]) => {
  const held = new Names(conceptWords)
  names.forEach((name, slot) => held.set(slot, [conceptKey(name)]))
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

  test('after any changes equal those built afresh, also when they were saved and loaded', () => {
    const all = ['ann', 'bob', 'new york', 'york', 'e-mail', 'e mail']
    const change = fc.tuple(fc.constantFrom(0, 1, 2, 3, 70_000), fc.array(fc.constantFrom(...all), { maxLength: 5 }))
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const names = new Names(conceptWords)
        const wanted = new Map<number, string[]>()
        for (const [slot, used] of changes) {
          names.set(slot, used)
          wanted.set(slot, used)
        }
        const fresh = new Names(conceptWords)
        for (const [slot, used] of wanted) fresh.set(slot, used)
        const parts: CheckpointParts = new Map()
        names.save(parts, 'names')
        const loaded = new Names(conceptWords)
        loaded.load(parts, 'names')
        for (const held of [names, loaded]) {
          expect(held.size).toBe(fresh.size)
          expect([...held.all()].sort()).toEqual([...fresh.all()].sort())
          for (const name of all) {
            expect(held.count(name)).toBe(fresh.count(name))
            expect([...held.slots(name)].sort()).toEqual([...fresh.slots(name)].sort())
            expect(held.has(name, 3)).toBe(fresh.has(name, 3))
            expect(held.mentioned(`${name} of York`)).toEqual(fresh.mentioned(`${name} of York`))
          }
          for (const [slot, used] of wanted) expect(held.of(slot).sort()).toEqual([...new Set(used)].sort())
        }
      }),
    )
  })

  test('tell which begin and which end to be used; one that stays does neither', () => {
    const told: string[] = []
    const names = new Names(conceptWords, {
      begins: (name) => told.push(`+${name}`),
      ends: (name) => told.push(`-${name}`),
    })
    names.set(0, ['ann', 'bob'])
    names.set(1, ['ann'])
    names.set(0, ['bob', 'carol'])
    const { changes } = names
    names.set(0, ['carol', 'bob'])
    expect(names.changes).toBe(changes)
    names.set(1, [])
    expect(told).toEqual(['+ann', '+bob', '+carol', '-ann'])
    expect(names.changes).toBe(4)
  })

  test('taking the names of an episode that has none changes nothing', () => {
    const names = concepts('Ann')
    const { changes } = names
    names.set(7, [])
    expect([names.size, names.count('ann'), names.changes]).toEqual([1, 1, changes])
  })

  test('without words none is found in a text', () => {
    const names = new Names()
    names.set(0, ['ann'])
    expect([names.mentioned('ann'), names.count('ann')]).toEqual([[], 1])
  })

  test('bytes grow with uses, and the room of a use that is gone is used again', () => {
    const names = new Names(conceptWords)
    const use = (count: number) => {
      for (let slot = 0; slot < count; slot++) names.set(slot, [`name ${slot}`, 'all'])
    }
    use(2_000)
    const once = names.bytes
    for (let slot = 0; slot < 2_000; slot++) names.set(slot, [])
    const none = names.bytes
    use(2_000)
    expect(names.bytes).toBe(once)
    expect(none).toBeLessThan(once)
    use(4_000)
    expect(names.bytes).toBeGreaterThan(once)
  })
})
