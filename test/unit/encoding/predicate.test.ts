import { describe, expect, test } from 'vitest'
import { said } from '../../../src/encoding/predicate.js'
import { functionalPredicates } from '../../../src/encoding/relation.js'

describe('what a predicate says', () => {
  test.each([
    ['lives in', 'lived in'],
    ['lives in', 'is living in'],
    ['lives in', 'lives_in'],
    ['lives in', 'livesIn'],
    ['lives in', 'Still lives in'],
    ['is married to', 'was married to'],
    ['is the capital of', 'capital of'],
    ['likes', 'does like'],
    ['is', 'was'],
    ['has', 'had'],
  ])('%s is what %s says', (one, other) => expect(said(one)).toEqual(said(other)))

  test.each([
    ['lives in', 'lives with'],
    ['comes from', 'comes to'],
    ['is', 'has'],
    ['likes', 'dislikes'],
    ['mother', 'mother of'],
  ])('%s is not what %s says', (one, other) => expect(said(one).stems).not.toBe(said(other).stems))

  test.each([
    ['likes', 'does not like'],
    ['likes', "doesn't like"],
    ['likes', 'never liked'],
    ['lives in', 'no longer lives in'],
    ['is', "isn't"],
    ['lives in', 'does not live in any more'],
    ['can swim', "can't swim"],
    ['stand', 'cannot stand'],
  ])('%s is denied by %s', (one, other) => {
    expect(said(other)).toEqual({ ...said(one), negated: true })
    expect(said(one).negated).toBe(false)
  })

  test('what is denied twice is said', () => expect(said('never does not like')).toEqual(said('likes')))
})

describe('a functional predicate', () => {
  const isFunctional = functionalPredicates(['drives'])

  test.each([
    'lives in',
    'lived in',
    'LIVES_IN',
    'works at',
    'is married to',
    'was born in',
    'birthday',
    'is the capital of',
    'name',
    'is named',
    'age',
    'drives',
    'is driving',
  ])('%s has one object at a time', (predicate) => expect(isFunctional(predicate)).toBe(true))

  test.each(['likes', 'mother of', 'located in', 'is', 'has', 'visited', 'knows'])('%s may have several', (predicate) =>
    expect(isFunctional(predicate)).toBe(false))
})
