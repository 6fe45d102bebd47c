import { describe, expect, it } from 'vitest'
import { statedAliases } from '../../../../src/extraction/concepts/stated-aliases.js'

describe('statedAliases', () => {
  it.each([
    ['Bombay, also known as Mumbai, is hot in May.', 'Bombay = Mumbai'],
    ['Bombay is also known as Mumbai.', 'Bombay = Mumbai'],
    ['Bombay (also known as Mumbai) is a city.', 'Bombay = Mumbai'],
    ['Robert Smith aka Bob is here.', 'Robert Smith = Bob'],
    ['Robert a.k.a. Bob is here.', 'Robert = Bob'],
    ['Yesterday I met Robert, called Bob by his friends.', 'Robert = Bob'],
    ['Robert, nicknamed “Bob”, came too.', 'Robert = Bob'],
    ['The city of Constantinople, formerly known as Byzantium, fell.', 'Constantinople = Byzantium'],
    ['Mel is short for Melanie.', 'Melanie = Mel'],
    ["Melanie's nickname is Mel.", 'Melanie = Mel'],
    ['Melanie goes by Mel.', 'Melanie = Mel'],
    ['Everyone calls Robert Bob.', 'Robert = Bob'],
    ["Robert O'Neil-Smith, nicknamed 'Bob', came too.", "Robert O'Neil-Smith = Bob"],
    ["'Robert' goes by 'Bob'.", 'Robert = Bob'],
  ])('finds in "%s" that %s', (text, pairs) => {
    expect(shown(statedAliases(text))).toBe(pairs)
  })

  it.each([
    ['Everyone calls me Mel.', 'Melanie = Mel'],
    ['Hi, I am new here. My friends call me Mel!', 'Melanie = Mel'],
    ['Please call me Mel.', 'Melanie = Mel'],
    ['Call me Mel.', 'Melanie = Mel'],
    ['My nickname is Mel', 'Melanie = Mel'],
    ['I go by Mel these days.', 'Melanie = Mel'],
  ])('takes "%s" as the other name of the speaker', (text, pairs) => {
    expect(shown(statedAliases(text, 'Melanie'))).toBe(pairs)
    expect(statedAliases(text)).toEqual([])
  })

  it.each([
    'Is Bombay also known as Mumbai?',
    "Please don't call me Mel.",
    'Bombay is not known as Madras.',
    'Call me tomorrow.',
    'Call me Monday.',
    'They called Robert yesterday.',
    'He called Robert Smith by phone.',
    'The river is known as a good place to fish.',
    'Melanie, also known as Melanie, came.',
    '',
  ])('finds no other name in "%s"', (text) => {
    expect(statedAliases(text, 'Tom')).toEqual([])
  })

  it.each(['GATTACA0', 'A.', "A'b-"])('reads a long run of "%s" in time that grows with its length', (unit) => {
    const started = performance.now()
    expect(statedAliases(`Call it ${unit.repeat(2 ** 17 / unit.length)}`)).toEqual([])
    expect(performance.now() - started).toBeLessThan(2000) // with the square of the length, 20 seconds and more
  })
})

function shown(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map((pair) => pair.join(' = ')).join('; ')
}
