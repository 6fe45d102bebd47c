import { describe, expect, test } from 'vitest'
import { FUNCTIONAL_PREDICATES } from '../../../src/encoding/functional.js'
import { RELATIONS } from '../../../src/encoding/relation-synonyms.js'
import { exclude, functionalPredicates, objectKey, relationOf } from '../../../src/encoding/relation.js'

describe('A predicate', () => {
  test('names one relation in each of its phrases, and no phrase belongs to two relations.', () => {
    const names = new Set<string>()
    for (const { same, implies = [], excludes = [] } of RELATIONS) {
      const { name } = relationOf(same[0])
      expect(names).not.toContain(name)
      names.add(name)
      const reads = (phrases: readonly string[], holds: boolean, isExact: boolean) => {
        for (const phrase of phrases)
          expect([phrase, relationOf(phrase)]).toEqual([phrase, { name, holds, isKnown: true, isExact }])
      }
      reads(same, true, true)
      reads(implies, true, false)
      reads(excludes, false, false)
    }
  })

  test.each<[string, string, boolean | undefined]>([
    ['is living in', 'lives in', true],
    ['livesIn', 'lives in', true],
    ['makes her home in', 'lives in', true],
    ['no longer resides in', 'lives in', false],
    ['has stopped living in', 'lives in', false],
    ['did not stop living in', 'lives in', undefined],
    ['does not hate', 'likes', undefined],
    ['does not adore', 'likes', undefined],
    ["can't stand", 'likes', false],
    ['refuses to use', 'uses', false],
    ['favourite film is', 'favorite movie', true],
    ['Mom is', 'mother', true],
  ])('%j says of %j whether it holds: %j', (predicate, relation, holds) => {
    expect(relationOf(predicate)).toMatchObject({ name: relationOf(relation).name, holds })
  })

  test.each([
    ['stops at', 'at'],
    ['works in', 'works at'],
    ['lives at', 'lives in'],
    ['works as', 'works for'],
    ['used to live in', 'lives in'],
    ['reports to', 'manages'],
    ['died in', 'born in'],
    ['first name', 'last name'],
    ['starts at', 'ends at'],
    ['bought', 'sold'],
    ['moved from', 'moved to'],
    ['calls', 'is called by'],
  ])('%j is not %j', (a, b) => {
    expect(relationOf(a).name).not.toBe(relationOf(b).name)
  })

  test('of a relation that the table does not have is itself, said or denied.', () => {
    expect(relationOf('juggles')).toEqual({ name: 'juggl', holds: true, isKnown: false, isExact: true })
    expect(relationOf('never juggled')).toMatchObject({ name: 'juggl', holds: false })
    expect(relationOf('stopped juggling')).toMatchObject({ name: 'juggl', holds: false, isExact: false })
  })

  test('that has one object at a time has it in every phrase that means the same.', () => {
    const isFunctional = functionalPredicates()
    for (const predicate of FUNCTIONAL_PREDICATES)
      expect([predicate, isFunctional(predicate)]).toEqual([predicate, true])
    for (const predicate of ['dwells in', 'is on the payroll of', 'is priced at', 'surname is'])
      expect(isFunctional(predicate)).toBe(true)
    for (const predicate of ['enjoys', 'owns', 'speaks', 'supervises', 'is a member of'])
      expect(isFunctional(predicate)).toBe(false)
    expect(functionalPredicates(['manages'])('is the boss of')).toBe(true)
  })
})

test('Objects exclude each other unless one narrows the other, or exactly one is a time.', () => {
  for (const [a, b] of [
    ['Rome', 'Oslo'],
    ['5 pm', '6 pm'],
    ['a nurse', 'a pilot'],
    ['May 3', 'May 4'],
    ['York', 'New York'],
  ])
    expect([a, b, exclude(a, b)]).toEqual([a, b, true])
  for (const [a, b] of [
    ['Rome', 'rome.'],
    ['a nurse', 'nurse'],
    ['London', 'London, England'],
    ['London (UK)', 'London'],
    ['London', '1990'],
    ['Friday', 'the town hall'],
  ]) {
    expect([a, b, exclude(a, b)]).toEqual([a, b, false])
    expect([b, a, exclude(b, a)]).toEqual([b, a, false])
  }
  expect(objectKey('The  Town Hall!')).toBe('town hall')
  expect(objectKey('a')).toBe('a')
})
