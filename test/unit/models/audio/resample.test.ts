import { describe, expect, test } from 'vitest'
import { resampled } from '../../../../src/models/audio/resample.js'

const sine = (hertz: number, rate: number) =>
  Float32Array.from({ length: rate / 4 }, (_, i) => Math.sin((2 * Math.PI * hertz * i) / rate))
/** The root mean square away from the ends, in decibels. */
const loudness = (samples: Float32Array) => {
  const inner = samples.subarray(1_000, -1_000)
  return 10 * Math.log10(inner.reduce((sum, value) => sum + value * value, 0) / inner.length)
}

describe('resampling', () => {
  test.each([
    [44_100, 16_000],
    [48_000, 16_000],
    [8_000, 16_000],
    [22_050, 16_000],
    [16_000, 44_100],
    [11_025, 16_001],
  ])('from %i to %i keeps tones as they are', (from, to) => {
    for (const hertz of [50, 1_000, 0.42 * Math.min(from, to)]) {
      const expected = sine(hertz, to)
      const made = resampled(sine(hertz, from), from, to)
      const length = Math.min(expected.length, made.length)
      expect(Math.abs(made.length - expected.length)).toBeLessThanOrEqual(4)
      const error = expected.subarray(0, length).map((value, i) => value - made[i])
      expect(loudness(error)).toBeLessThan(-75)
    }
  })

  test('takes away what the lower rate cannot hold', () => {
    for (const hertz of [8_100, 9_000, 12_000, 20_000])
      expect(loudness(resampled(sine(hertz, 44_100), 44_100, 16_000))).toBeLessThan(-75)
  })

  test('changes nothing where the rates are the same', () => {
    const samples = sine(300, 16_000)
    expect(resampled(samples, 16_000, 16_000)).toBe(samples)
  })
})
