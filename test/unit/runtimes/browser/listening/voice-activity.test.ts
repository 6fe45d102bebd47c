import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Utterance, VoiceActivity } from '../../../../../src/runtimes/browser/listening/voice-activity.js'
import { runs } from '../../../../runs.js'

const RATE = 16_000
const LONGEST = 10_000

/** Noise that is the same in each run. */
function hiss(seconds: number, amplitude: number, rate = RATE): Float32Array {
  let state = 1
  return Float32Array.from({ length: seconds * rate }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (amplitude * state) / 2 ** 31
  })
}

/** The same samples with a tone from one second to another. */
function withTone(samples: Float32Array, from: number, to: number, { pitch = 220, amplitude = 0.2, rate = RATE } = {}) {
  return samples.map((sample, i) =>
    i >= from * rate && i < to * rate ? sample + amplitude * Math.sin((2 * Math.PI * pitch * i) / rate) : sample,
  )
}

function heard(samples: Float32Array, { cuts = [] as readonly number[], longest = LONGEST, rate = RATE } = {}) {
  const activity = new VoiceActivity(rate, longest)
  const found: Utterance[] = []
  let from = 0
  for (const cut of [...cuts, samples.length]) {
    found.push(...activity.push(samples.subarray(from, cut)))
    from = cut
  }
  const last = activity.end()
  return last === undefined ? found : [...found, last]
}

/** Where sounds begin and end, in seconds. */
const spans = (found: readonly Utterance[], rate = RATE) =>
  found.map(({ from, samples }) => [from / rate, (from + samples.length) / rate])

describe('a sound is heard', () => {
  test.each([8_000, 16_000, 44_100, 48_000])('where a tone stands out from noise, at %i samples a second', (rate) => {
    const noise = hiss(6, 0.005, rate)
    const spoken = withTone(withTone(noise, 1, 1.8, { rate }), 4, 4.5, { rate })
    const found = spans(heard(spoken, { rate }), rate)
    expect(found).toHaveLength(2)
    for (const [i, [from, to]] of [
      [1, 1.8],
      [4, 4.5],
    ].entries()) {
      expect(found[i][0]).toBeGreaterThan(from - 0.25)
      expect(found[i][0]).toBeLessThanOrEqual(from)
      expect(found[i][1]).toBeGreaterThanOrEqual(to)
      expect(found[i][1]).toBeLessThan(to + 0.55)
    }
  })

  test('as one where its pauses are short', () => {
    const syllables = [1, 1.4, 1.8, 2.2].reduce((all, at) => withTone(all, at, at + 0.15), hiss(4, 0.005))
    expect(heard(syllables)).toHaveLength(1)
  })

  test('in parts where it goes on longer than a frame may', () => {
    // Swells, or it would be a hum.
    const long = hiss(8, 0.002).map((sample, i) => {
      const time = i / RATE
      return time < 1 || time > 7 ? sample : sample + 0.2 * Math.sin(time * 5) ** 2 * Math.sin(1_400 * time)
    })
    const found = heard(long, { longest: 2_000 })
    expect(found.length).toBeGreaterThanOrEqual(3)
    for (const { samples } of found) expect(samples.length).toBeLessThanOrEqual(2 * RATE)
  })
})

describe('nothing is heard', () => {
  test.each([
    ['silence', new Float32Array(5 * RATE)],
    ['noise, however loud', hiss(5, 0.2)],
    ['a constant that is not zero', new Float32Array(5 * RATE).fill(0.3)],
    ['a click', withTone(hiss(5, 0.005), 2, 2.02)],
    [
      'what is quieter than 60 decibels under full scale',
      withTone(new Float32Array(5 * RATE), 1, 2, { amplitude: 0.0005 }),
    ],
  ])('in %s', (_, samples) => {
    expect(heard(samples)).toEqual([])
  })

  test('of a hum after a while', () => {
    const found = heard(withTone(hiss(60, 0.002), 2, 60, { pitch: 50, amplitude: 0.05 }))
    expect(spans(found).at(-1)![1]).toBeLessThan(20)
  })

  test('of a hiss that a tone of the same level would not be', () => {
    const quiet = hiss(6, 0.003)
    const burst = hiss(6, 0.02)
    const hissing = quiet.map((sample, i) => (i > 2 * RATE && i < 3 * RATE ? burst[i] : sample))
    const level = Math.sqrt(burst.reduce((sum, x) => sum + x * x, 0) / burst.length)
    expect(heard(hissing)).toEqual([])
    expect(heard(withTone(quiet, 2, 3, { amplitude: level * Math.SQRT2 }))).toHaveLength(1)
  })
})

/** Noise and tones of any levels. */
const sounds = fc
  .array(fc.record({ ms: fc.integer({ min: 5, max: 900 }), amplitude: fc.double({ min: 0, max: 1, noNaN: true }) }), {
    maxLength: 12,
  })
  .map((parts) =>
    Float32Array.from(
      parts.flatMap(({ ms, amplitude }) =>
        Array.from({ length: (ms * RATE) / 1_000 }, (_, i) => amplitude ** 3 * Math.sin(i * 0.09 + Math.sin(i * i))),
      ),
    ),
  )

describe('whatever the samples', () => {
  test('the sounds are parts of them, in order, none longer than it may be', () => {
    fc.assert(
      fc.property(sounds, fc.integer({ min: 1_000, max: 3_000 }), (samples, longest) => {
        let end = 0
        for (const { from, samples: own } of heard(samples, { longest })) {
          expect(from).toBeGreaterThanOrEqual(end)
          expect(own).toEqual(samples.slice(from, from + own.length))
          expect(own.length).toBeLessThanOrEqual((longest * RATE) / 1_000)
          end = from + own.length
        }
        expect(end).toBeLessThanOrEqual(samples.length)
      }),
      { numRuns: runs() },
    )
  })

  test('the sounds are the same, however they are cut into pieces', () => {
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 })
    fc.assert(
      fc.property(sounds, cuts, (samples, shares) => {
        const at = shares.map((share) => Math.floor(share * samples.length)).sort((a, b) => a - b)
        expect(heard(samples, { cuts: at })).toEqual(heard(samples))
      }),
      { numRuns: runs() },
    )
  })
})
