import { describe, expect, test } from 'vitest'
import type { SurprisePair } from '../../../../src/api/sensory.js'
import { calibrated, fitSurpriseProfile } from '../../../../src/memory/sensory/surprise-profile.js'
import { openMemory } from '../../engine/open.js'

/** Numbers from 0 to 1 that look random: a linear congruential generator (Numerical Recipes). */
function random(seed: number): () => number {
  let state = seed
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32
}

/** The truth: nothing up to 0.3, then ever more, all from 0.7 on. */
const truth = (surprise: number) => Math.max(0, Math.min(1, (surprise - 0.3) / 0.4))

/** A series of which the truth is known, with noise, on a scale of its own. */
function series(length: number, seed: number, noise = 0.1): SurprisePair[] {
  const next = random(seed)
  return Array.from({ length }, () => {
    const surprise = next()
    return { surprise, external: 40 * (truth(surprise) + noise * (next() + next() - 1)) - 7 }
  })
}

describe('fitSurpriseProfile', () => {
  test('finds a monotone curve again, and the threshold on it', () => {
    const { profile, scale, crossValidated } = fitSurpriseProfile(series(2000, 1), { quantile: 0.5 })
    for (let surprise = 0; surprise <= 1; surprise += 0.01) {
      const expected = scale.zero + calibrated(profile, surprise) * (scale.one - scale.zero)
      expect(Math.abs(expected - (40 * truth(surprise) - 7))).toBeLessThan(40 * 0.06)
    }
    // Half of the surprises are over 0.5, and those have more outside as well.
    const at = [...Array(1001).keys()]
      .map((i) => i / 1000)
      .find((surprise) => calibrated(profile, surprise) > profile.threshold)!
    expect(Math.abs(at - 0.5)).toBeLessThan(0.03)
    expect(crossValidated.skill).toBeGreaterThan(0.95)
    expect(crossValidated.balancedAccuracy).toBeGreaterThan(0.9)
    expect(Math.abs(crossValidated.error * (scale.one - scale.zero) - (40 * 0.1) / Math.sqrt(6))).toBeLessThan(0.2)
  })

  test('moves the threshold with the quantile', () => {
    const pairs = series(2000, 2, 0.02)
    const at = (quantile: number) => {
      const { profile } = fitSurpriseProfile(pairs, { quantile })
      return [...Array(1001).keys()]
        .map((i) => i / 1000)
        .find((surprise) => calibrated(profile, surprise) > profile.threshold)!
    }
    for (const quantile of [0.4, 0.5, 0.6]) expect(Math.abs(at(quantile) - quantile)).toBeLessThan(0.03)
  })

  test('sets a threshold that most of the high ones exceed although one surprising frame is low', () => {
    const isHigh = (i: number) => i > 70 && i !== 95
    const pairs = Array.from({ length: 100 }, (_, i) => ({ surprise: i / 100, external: isHigh(i) ? 10 : 0 }))
    const { profile } = fitSurpriseProfile(pairs, { quantile: 0.7 })
    const over = pairs.filter(({ surprise }) => calibrated(profile, surprise) > profile.threshold)
    expect(over).toEqual(pairs.slice(71))
  })

  test('says so where there is nothing to find', () => {
    const pairs = series(2000, 3)
    const shuffled = pairs.map(({ surprise }, i) => ({
      surprise,
      external: pairs[(i * 7 + 3) % pairs.length].external,
    }))
    const { crossValidated } = fitSurpriseProfile(shuffled)
    expect(crossValidated.skill).toBeLessThan(0.02)
    expect(Math.abs(crossValidated.balancedAccuracy - 0.5)).toBeLessThan(0.05)
    expect(crossValidated.error).toBeGreaterThan(0.98 * crossValidated.errorOfMean)
  })

  test('says so where the measure falls with surprise, by a level line', () => {
    const pairs = series(400, 4).map(({ surprise, external }) => ({ surprise: 1 - surprise, external }))
    const { profile, crossValidated } = fitSurpriseProfile(pairs)
    expect(profile.expected.at(-1)! - profile.expected[0]).toBeLessThan(0.2)
    expect(crossValidated.skill).toBeLessThan(0.05)
  })

  test('pools what is out of order, and equal surprises', () => {
    const values = [
      [0.1, 0],
      [0.2, 3],
      [0.3, 1],
      [0.4, 2],
      [0.5, 9],
      [0.5, 11],
      [0.6, 20],
    ]
    const pairs = values.flatMap(([surprise, external]) => Array.from({ length: 4 }, () => ({ surprise, external })))
    const {
      profile: { surprise, expected },
      scale,
    } = fitSurpriseProfile(pairs)
    expect(scale).toEqual({ zero: 0, one: 20 })
    expect(surprise.map((value) => Math.round(value * 1e9) / 1e9)).toEqual([0.1, 0.3, 0.5, 0.6])
    expect(expected.map((value) => Math.round(value * 1e9) / 1e9)).toEqual([0, 0.1, 0.5, 1])
  })

  test('gives what open takes, whatever the series', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const next = random(seed)
      const pairs = Array.from({ length: 25 }, () => ({
        surprise: Math.round(next() * 10) / 10,
        external: Math.round(next() * 3),
      }))
      const { profile } = fitSurpriseProfile(pairs, { folds: 3 })
      const db = await openMemory({ surpriseProfile: profile })
      expect(await db.surpriseScoreBrainCalibrated({ modality: 'text', text: 'The oxygen tank exploded.' })).toBe(
        profile.expected.at(-1),
      )
      await db.close()
    }
  })

  const good = series(30, 5)
  test.each<[string, unknown, unknown, string]>([
    ['no series', undefined, undefined, 'AGIDB_INVALID_ARGUMENT'],
    ['a short series', good.slice(0, 19), undefined, 'AGIDB_INVALID_ARGUMENT'],
    ['fewer than two a fold', good, { folds: 16 }, 'AGIDB_INVALID_ARGUMENT'],
    ['a hole', [...good, undefined], undefined, 'AGIDB_INVALID_ARGUMENT'],
    ['a surprise over 1', [...good, { surprise: 1.5, external: 0 }], undefined, 'AGIDB_INVALID_ARGUMENT'],
    ['a measure that is none', [...good, { surprise: 0.5, external: NaN }], undefined, 'AGIDB_INVALID_ARGUMENT'],
    ['an unknown key', [...good, { surprise: 0.5, external: 1, weight: 1 }], undefined, 'AGIDB_UNKNOWN_OPTION'],
    [
      'the same surprise everywhere',
      good.map(({ external }) => ({ surprise: 0.5, external })),
      undefined,
      'AGIDB_INVALID_ARGUMENT',
    ],
    [
      'the same measure everywhere',
      good.map(({ surprise }) => ({ surprise, external: 3 })),
      undefined,
      'AGIDB_INVALID_ARGUMENT',
    ],
    ['a quantile of 1', good, { quantile: 1 }, 'AGIDB_INVALID_ARGUMENT'],
    ['one fold', good, { folds: 1 }, 'AGIDB_INVALID_ARGUMENT'],
    ['an unknown option', good, { fold: 5 }, 'AGIDB_UNKNOWN_OPTION'],
  ])('refuses %s', (_, pairs, options, code) => {
    expect(() => fitSurpriseProfile(pairs as never, options as never)).toThrow(expect.objectContaining({ code }))
  })
})
