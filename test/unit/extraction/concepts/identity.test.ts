import { describe, expect, it } from 'vitest'
import { identityOf, isCommon, singularOf } from '../../../../src/extraction/concepts/identity.js'

describe('identityOf', () => {
  it.each([
    ['Sarah', 'sarah'],
    ['SARAH', 'sarah'],
    ['  Sarah  Connor ', 'sarah connor'],
    ['Zoë', 'zoe'],
    ['the Eiffel Tower', 'eiffel tower'],
    ['The the dog', 'dog'],
    ['an apple.', 'apple'],
    ["Sarah's", 'sarah'],
    ['Sarah’s', 'sarah'],
    ["the Smiths'", 'smiths'],
    ['“Bawri”', 'bawri'],
    ['the', 'the'],
    ['?!', '?!'],
    ['Williams', 'williams'],
  ])('gives %j the key %j', (name, key) => {
    expect(identityOf(name)).toBe(key)
  })
})

describe('singularOf', () => {
  it.each([
    ['dogs', 'dog'],
    ['black dogs', 'black dog'],
    ['cities', 'city'],
    ['boxes', 'box'],
    ['tomatoes', 'tomato'],
    ['wishes', 'wish'],
    ['children', 'child'],
    ['ties', 'tie'],
    ['dog', 'dog'],
    ['glass', 'glass'],
    ['news', 'news'],
    ['bus', 'bus'],
    ['series', 'series'],
    ['gas', 'gas'],
  ])('gives %j the singular %j', (plural, singular) => {
    expect(singularOf(plural)).toBe(singular)
  })
})

describe('isCommon', () => {
  it('tells common nouns from proper names by the first letter of the last word', () => {
    expect(['the dogs', 'Thai food'].every(isCommon)).toBe(true)
    expect(['Williams', 'the Williams', '“Bawri”'].some(isCommon)).toBe(false)
  })
})
