import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Triple } from '../../../src/api/episode.js'
import { CleanupMemory } from '../../../src/encoding/cleanup-memory.js'
import { conceptName } from '../../../src/encoding/concept.js'
import { Records, type Role } from '../../../src/encoding/record.js'
import { DIMENSION, type Hypervector } from '../../../src/kernel/port.js'
import { kernel } from './kernel.js'

const records = new Records(kernel)
const z = (a: Hypervector, b: Hypervector) => (DIMENSION - 2 * kernel.hamming(a, b)) / Math.sqrt(DIMENSION)
const triple = (i: number): Triple => ({ subject: `person ${i}`, predicate: `verb ${i % 40}`, object: `thing ${i}` })
const triples = (from: number, count: number) => Array.from({ length: count }, (_, i) => triple(from + i))

describe('a record', () => {
  const twoOfThree: readonly (readonly Role[])[] = [
    ['subject', 'predicate'],
    ['predicate', 'object'],
    ['subject', 'object'],
  ]

  // Worst of 60 with the published encoding: 26, 17, 14 and 10 standard deviations.
  test.each([
    [1, 22],
    [2, 14],
    [3, 11],
    [5, 7],
  ])('of %i triples stands out for a cue that knows two of three roles', (count, least) => {
    let worst = Infinity
    for (let trial = 0; trial < 20; trial++) {
      const held = triples(trial * 100, count)
      const signature = records.signature(held)!
      for (const known of twoOfThree) {
        const wanted = held[trial % count]
        const cue = records.partial(Object.fromEntries(known.map((role) => [role, wanted[role]])))!
        worst = Math.min(worst, z(signature, cue))
      }
    }
    expect(worst).toBeGreaterThan(least)
  })

  test.each([1, 2, 3, 5])('of %i triples is unrelated to cues and records about others', (count) => {
    for (let trial = 0; trial < 30; trial++) {
      const signature = records.signature(triples(trial * 10, count))!
      const stranger = { subject: `stranger ${trial}`, predicate: `dance ${trial}`, object: `place ${trial}` }
      const { subject, predicate } = stranger
      const others = [
        records.partial({ subject })!,
        records.partial({ subject, predicate })!,
        records.partial(stranger)!,
        records.partialOfAny({ subject: [subject], predicate: [predicate], object: [subject] })!,
        records.partialOfAny({ subject: [subject, 'another'], predicate: [], object: [subject, 'another'] })!,
        records.signature(triples(10_020 + trial * 10, count))!,
      ]
      for (const other of others) expect(Math.abs(z(signature, other))).toBeLessThan(5)
    }
  })

  test('of two triples that share a predicate tells which subject has which object', () => {
    const visits = (...pairs: readonly (readonly [string, string])[]) =>
      records.signature(pairs.map(([subject, object]) => ({ subject, predicate: 'visits', object })))!
    const cue = records.partial({ subject: 'Sarah', object: 'Rome' })!
    const right = z(visits(['Sarah', 'Rome'], ['Tom', 'Oslo']), cue)
    expect(right - z(visits(['Sarah', 'Oslo'], ['Tom', 'Rome']), cue)).toBeGreaterThan(5)
  })

  test('tells apart two triples that exchanged their fillers', () => {
    const right = records.signature([
      { subject: 'Sarah', predicate: 'loves', object: 'Tom' },
      { subject: 'Ann', predicate: 'hates', object: 'Bob' },
    ])!
    const exchanged = records.signature([
      { subject: 'Sarah', predicate: 'hates', object: 'Tom' },
      { subject: 'Ann', predicate: 'loves', object: 'Bob' },
    ])!
    const cue = records.partial({ subject: 'Sarah', predicate: 'loves', object: 'Tom' })!
    expect(z(right, cue) - z(exchanged, cue)).toBeGreaterThan(8)
  })

  test('tells who did it from to whom it was done', () => {
    const signature = records.signature([{ subject: 'Tom', predicate: 'hires', object: 'Ann' }])!
    const right = records.partial({ subject: 'Tom', predicate: 'hires' })!
    const turned = records.partial({ object: 'Tom', predicate: 'hires' })!
    expect(z(signature, right) - z(signature, turned)).toBeGreaterThan(10)
  })

  test('folds the spelling of its fillers', () => {
    const one = records.signature([{ subject: 'New  York', predicate: 'IS', object: 'ＢＩＧ' }])
    expect(one).toEqual(records.signature([{ subject: 'new york', predicate: 'is', object: 'big' }]))
  })

  test('does not depend on the order of its triples', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(triples(0, 6), { minLength: 1 }), (some) => {
        expect(records.signature(some)).toEqual(records.signature([...some].reverse()))
      }),
      { numRuns: 20 },
    )
  })

  test('of nothing is none, as is a pattern of holes', () => {
    expect(records.signature([])).toBeUndefined()
    expect(records.partial({})).toBeUndefined()
    expect(records.partialOfAny({ subject: [], predicate: [], object: [] })).toBeUndefined()
  })
})

describe('cleanup over 10,000 concepts', () => {
  let codebook: CleanupMemory
  beforeAll(() => {
    codebook = new CleanupMemory(kernel)
    for (let i = 0; i < 5000; i++) {
      codebook.add(`person ${i}`)
      codebook.add(`thing ${i}`)
    }
  })
  afterAll(() => codebook.free())

  test('recovers the filler of a single triple', () => {
    const signature = records.signature([triple(77)])!
    const [subject] = codebook.cleanup(records.unbind(signature, 'subject'))
    const [object] = codebook.cleanup(records.unbind(signature, 'object'))
    expect([subject.name, object.name]).toEqual(['person 77', 'thing 77'])
    expect(subject.z).toBeGreaterThan(15)
  })

  test.each([2, 5, 10, 12])('recovers every subject of a record of %i triples', (count) => {
    for (let trial = 0; trial < 5; trial++) {
      const held = triples(trial * 300, count)
      const found = codebook.cleanup(records.unbind(records.signature(held)!, 'subject'), count)
      expect(found.map(({ name }) => name).sort()).toEqual(held.map(({ subject }) => subject).sort())
    }
  })

  test('finds nothing in noise', () => {
    expect(codebook.cleanup(kernel.fromName('noise'), 5, 5)).toEqual([])
  })
})

describe('a codebook', () => {
  test('counts the uses of a name under all its spellings', () => {
    const codebook = new CleanupMemory(kernel)
    codebook.add('Bawri')
    codebook.add(' BAWRI ')
    expect(codebook.size).toBe(1)
    const known = kernel.fromName('concept:bawri')
    codebook.remove('bawri')
    expect(codebook.cleanup(known)).toEqual([{ name: 'Bawri', z: expect.closeTo(Math.sqrt(DIMENSION), 6) }])
    codebook.remove('Bawri')
    expect([codebook.size, codebook.cleanup(known)]).toEqual([0, []])
    codebook.remove('Bawri')
    codebook.add('Bawri')
    expect(codebook.cleanup(known)).toHaveLength(1)
    codebook.free()
  })

  test('after any adds and removes it knows what is left, and no more', () => {
    const names = ['Ann', 'Bob', 'Café', '東京', '🎉']
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.constantFrom(...names)), { maxLength: 40 }), (steps) => {
        const codebook = new CleanupMemory(kernel)
        const left = new Map<string, number>()
        for (const [add, name] of steps) {
          const count = left.get(name) ?? 0
          left.set(name, Math.max(0, count + (add ? 1 : -1)))
          if (add) codebook.add(name)
          else codebook.remove(name)
        }
        const known = names.filter((name) => (left.get(name) ?? 0) > 0)
        expect(codebook.size).toBe(known.length)
        for (const name of names) {
          const found = codebook.cleanup(kernel.fromName(conceptName(name)), 1, 20)
          expect(found.map((cleaned) => cleaned.name)).toEqual(known.includes(name) ? [name] : [])
        }
        codebook.free()
      }),
      { numRuns: 60 },
    )
  })
})
