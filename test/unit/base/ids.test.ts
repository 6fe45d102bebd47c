import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomIds, seededIds } from '../../../src/base/ids.js'

const FORM = /^ep_[0-9A-HJKMNP-TV-Z]{26}$/

describe('random ids', () => {
  test('are all different, also within a millisecond', () => {
    const make = randomIds()
    const ids = Array.from({ length: 20_000 }, () => make('ep_', 1_800_000_000_000))
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(FORM)
  })

  test('sort by the time at which they were made', () => {
    const make = randomIds()
    const time = fc.integer({ min: 0, max: 2 ** 48 })
    fc.assert(
      fc.property(time, time, (a, b) => {
        fc.pre(a < b)
        expect(make('ep_', a) < make('ep_', b)).toBe(true)
      }),
    )
  })

  test('take a time before 1970', () => {
    expect(randomIds()('ep_', -5)).toMatch(FORM)
  })
})

describe('seeded ids', () => {
  test('are a function of the seed and of how many came before', () => {
    const first = seededIds(7, 0)
    const ids = Array.from({ length: 100 }, () => first('ep_', 5))
    const second = seededIds(7, 0)
    expect(Array.from({ length: 100 }, () => second('ep_', 5))).toEqual(ids)
    expect(seededIds(7, 40)('ep_', 5)).toBe(ids[40])
    for (const id of ids) expect(id).toMatch(FORM)
  })

  test('differ between seeds and counts', () => {
    const seen = new Set<string>()
    for (const seed of [0, 1, 2, 2 ** 32 - 1]) {
      const make = seededIds(seed, 0)
      for (let i = 0; i < 2000; i++) seen.add(make('ep_', 5))
    }
    expect(seen.size).toBe(8000)
  })
})
