import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RecencyWindow } from '../../../../src/api/entry.js'
import { tanh } from '../../../../src/base/hyperbolic.js'
import {
  type Accesses,
  accessed,
  NO_ACCESSES,
  relevancy,
  rolled,
} from '../../../../src/memory/documents/access-profile.js'
import { blended, blendOf, salienceOf } from '../../../../src/memory/documents/salience.js'

const YEAR = 31_536_000_000
const HOUR = 3_600_000
const DAY = 86_400_000
const share = fc.double({ min: 0, max: 1, noNaN: true })
const times = fc
  .array(fc.integer({ min: 0, max: 6 * YEAR }), { minLength: 1, maxLength: 60 })
  .map((all) => all.sort((a, b) => a - b))

function after(all: readonly number[]): Accesses {
  return all.reduce((accesses, time) => accessed(accesses, time), NO_ACCESSES)
}

describe('the profile of accesses', () => {
  test('an access moves from the hour to the day, the week, the month and the year, and stays in the total', () => {
    const start = 15_330 * DAY // the first hour of a week, a month and a year
    const counts = (elapsed: number) => rolled(accessed(NO_ACCESSES, start), start + elapsed).counts
    expect(counts(0)).toEqual([1, 0, 0, 0, 0])
    expect(counts(HOUR)).toEqual([0, 1, 0, 0, 0])
    expect(counts(DAY)).toEqual([0, 0, 1, 0, 0])
    expect(counts(8 * DAY)).toEqual([0, 0, 0, 1, 0])
    expect(counts(60 * DAY)).toEqual([0, 0, 0, 0, 1])
    expect(rolled(accessed(NO_ACCESSES, start), start + 2 * YEAR)).toMatchObject({ counts: [0, 0, 0, 0, 0], total: 1 })
  })

  test('how often it was rolled changes nothing', () => {
    fc.assert(
      fc.property(times, fc.array(fc.integer({ min: 0, max: 8 * YEAR }), { maxLength: 20 }), (all, between) => {
        const end = 8 * YEAR
        const steps = between.filter((at) => at >= all.at(-1)!).sort((a, b) => a - b)
        const once = rolled(after(all), end)
        expect(steps.reduce((accesses, at) => rolled(accesses, at), rolled(after(all), all.at(-1)!))).toMatchObject({
          total: once.total,
        })
        expect(
          rolled(
            steps.reduce((accesses, at) => rolled(accesses, at), after(all)),
            end,
          ),
        ).toEqual(once)
      }),
    )
  })

  test('no access is counted twice or lost but to the total, over simulated years', () => {
    fc.assert(
      fc.property(times, (all) => {
        const { counts, total, last } = after(all)
        expect(total).toBe(all.length)
        expect(last).toBe(all.at(-1))
        const sum = counts.reduce((one, other) => one + other, 0)
        expect(sum).toBeLessThanOrEqual(total)
        // What is younger than a year stands in some bucket.
        expect(sum).toBeGreaterThanOrEqual(
          all.filter((time) => Math.floor(time / YEAR) === Math.floor(all.at(-1)! / YEAR)).length,
        )
        expect(counts).toHaveLength(5)
      }),
    )
  })

  test('relevancy lies between 0 and 1, rises with accesses and falls with time', () => {
    fc.assert(
      fc.property(times, fc.constantFrom(undefined, 'hour', 'day', 'week', 'month', 'year'), (all, asked) => {
        const window = asked as RecencyWindow | undefined
        const accesses = after(all)
        const now = relevancy(accesses, window)
        expect(now).toBeGreaterThanOrEqual(0)
        expect(now).toBeLessThanOrEqual(1)
        expect(relevancy(accessed(accesses, accesses.at), window)).toBeGreaterThanOrEqual(now)
        expect(relevancy(rolled(accesses, accesses.at + 3 * YEAR), window)).toBeLessThanOrEqual(now)
      }),
    )
    expect(relevancy(NO_ACCESSES)).toBe(0)
    // One access an hour ago or less: tanh((8 + .1) / 10).
    expect(relevancy(accessed(NO_ACCESSES, 5))).toBeCloseTo(Math.tanh(0.81), 12)
  })
})

describe('salience', () => {
  test('is half of use, a quarter of perspectives and a quarter of relations', () => {
    fc.assert(
      fc.property(share, fc.nat(20), fc.nat(50), (used, perspectives, relations) => {
        const { composite } = salienceOf(used, perspectives, relations)
        const expected = used * 0.5 + Math.min(1, perspectives / 8) * 0.25 + Math.tanh(relations / 5) * 0.25
        expect(composite).toBeCloseTo(expected, 12)
        expect(composite).toBeGreaterThanOrEqual(0)
        expect(composite).toBeLessThanOrEqual(1)
        expect(salienceOf(used, perspectives + 1, relations + 1).composite).toBeGreaterThanOrEqual(composite)
      }),
    )
  })
})

describe('the blend', () => {
  test('is the similarity where alpha is 0', () => {
    fc.assert(
      fc.property(share, share, share, share, (similarity, recency, salience, salienceWeight) => {
        expect(blended(similarity, recency, salience, { alpha: 0, salienceWeight })).toBe(similarity)
      }),
    )
  })

  test('is the formula of its documentation, and stays between its parts', () => {
    fc.assert(
      fc.property(share, share, share, share, share, (similarity, recency, salience, alpha, salienceWeight) => {
        const score = blended(similarity, recency, salience, { alpha, salienceWeight })
        const signal = recency * (1 - salienceWeight) + salience * salienceWeight
        expect(score).toBeCloseTo(similarity * (1 - alpha) + signal * alpha, 12)
        expect(score).toBeLessThanOrEqual(Math.max(similarity, recency, salience) + 1e-12)
        expect(score).toBeGreaterThanOrEqual(Math.min(similarity, recency, salience) - 1e-12)
      }),
    )
  })

  test('takes .15 of recency by default, .3 where a window is asked for, and what a caller says', () => {
    expect(blendOf({})).toEqual({ alpha: 0.15, salienceWeight: 0.3 })
    expect(blendOf({ recencyWindow: 'day' })).toEqual({ alpha: 0.3, salienceWeight: 0.3 })
    expect(blendOf({ recencyWindow: 'day', alpha: 0, salienceWeight: 1 })).toEqual({ alpha: 0, salienceWeight: 1 })
  })
})

test('the hyperbolic tangent agrees with the runtime to twelve digits, is odd and saturates', () => {
  fc.assert(
    fc.property(fc.double({ min: -30, max: 30, noNaN: true }), (x) => {
      expect(tanh(x)).toBeCloseTo(Math.tanh(x), 12)
      expect(tanh(-x) + tanh(x)).toBe(0)
      expect(Math.abs(tanh(x))).toBeLessThanOrEqual(1)
    }),
  )
})
