import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_ONTOLOGY, Ontology } from '../../../src/encoding/ontology.js'
import { INVERSES, SYMMETRIC } from '../../../src/encoding/ontology-words.js'

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const ordered = (subject: string, predicate: string, object: string, ontology = DEFAULT_ONTOLOGY) => {
  const { isTurned: _, ...rest } = ontology.ordered(subject, predicate, object, compare)
  return rest
}

describe('Ontology', () => {
  it.each([
    ['Bob', 'child of', 'Ann', 'parent of'],
    ['Acme', 'employs', 'Tom', 'works for'],
    ['Acme', 'employed', 'Tom', 'is employed by'],
    ['Rex', 'belongs to', 'Ann', 'owns'],
    ['Rex', 'is owned by', 'Ann', 'owns'],
    ['Bawri', 'was recommended by', 'Sarah', 'recommended'],
    ['France', 'has the capital', 'Paris', 'is the capital of'],
    ['Ann', 'is married to', 'Bob', 'spouse is'],
    ['Ann', 'is friends with', 'Bob', 'is a friend of'],
  ])('takes "%s %s %s" for the inverse of "%s"', (subject, predicate, object, inverse) => {
    expect(ordered(subject, predicate, object)).toEqual(ordered(object, inverse, subject))
    expect(DEFAULT_ONTOLOGY.compare(predicate, inverse).inverse).toBe(true)
  })

  it.each([
    ['likes', 'recommended'],
    ['stands by', 'stands'],
    ['lives in', 'works in'],
    ['is a member of', 'belongs to'],
    ['parent of', 'parent of'],
  ])('takes "%s" for no inverse of "%s"', (a, b) => {
    expect(DEFAULT_ONTOLOGY.compare(a, b).inverse).toBe(false)
  })

  it('tells what is denied from what is said', () => {
    expect(DEFAULT_ONTOLOGY.of('no longer lives in')).toEqual({ ...DEFAULT_ONTOLOGY.of('resides in'), holds: false })
    expect(DEFAULT_ONTOLOGY.compare('hates', 'does not like').same).toBe(false)
    expect(DEFAULT_ONTOLOGY.compare('hates', 'hated').same).toBe(true)
    expect(DEFAULT_ONTOLOGY.compare('is a child of', 'is not a parent of')).toEqual({ same: false, inverse: false })
  })

  it('keeps the order of what has one object at a time', () => {
    expect(DEFAULT_ONTOLOGY.ordered('Tom', 'works for', 'Acme', compare)).toMatchObject({ isTurned: false })
    expect(DEFAULT_ONTOLOGY.ordered('Acme', 'employs', 'Tom', compare)).toMatchObject({
      subject: 'Tom',
      object: 'Acme',
    })
    expect(DEFAULT_ONTOLOGY.isOneAtATime('is married to')).toBe(true)
    expect(DEFAULT_ONTOLOGY.isOneAtATime('likes')).toBe(false)
  })

  it('takes what an application adds', () => {
    const own = new Ontology({
      inverse: [['supplies', 'buys from']],
      symmetric: ['allied with'],
      oneAtATime: ['team is'],
      synonyms: [['likes', 'digs', 'is into']],
    })
    expect(own.compare('supplied', 'buys from').inverse).toBe(true)
    expect(own.isSymmetric('is allied with')).toBe(true)
    expect(own.isOneAtATime('team')).toBe(true)
    expect(own.compare('enjoys', 'digs').same).toBe(true)
    expect(own.of('does not dig').holds).toBe(false)
    expect(DEFAULT_ONTOLOGY.compare('enjoys', 'digs').same).toBe(false)
    expect(DEFAULT_ONTOLOGY.isOneAtATime('team')).toBe(false)
  })

  it('orders a statement and its inverse alike, whatever the names', () => {
    const pairs = [...INVERSES, ...SYMMETRIC.map((predicate) => [predicate, predicate] as const)].filter(
      ([a, b]) => DEFAULT_ONTOLOGY.inverseOf(a) === DEFAULT_ONTOLOGY.of(b).name,
    )
    expect(pairs.length).toBeGreaterThan(50)
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...pairs), fc.string(), (subject, [predicate, inverse], object) => {
        expect(ordered(object, inverse, subject)).toEqual(ordered(subject, predicate, object))
      }),
      { seed: 17 },
    )
  })
})
