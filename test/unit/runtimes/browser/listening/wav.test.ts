import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wavHeader, wavSamples } from '../../../../../src/models/audio/wav.js'
import { wavOf } from '../../../../../src/runtimes/browser/listening/wav.js'
import { runs } from '../../../../runs.js'

test('what is written as a WAV file is read as the same sound', () => {
  const sound = fc.float32Array({ min: -2, max: 2, noNaN: true, minLength: 1, maxLength: 2_000 })
  fc.assert(
    fc.property(sound, fc.constantFrom(8_000, 16_000, 48_000), (samples, rate) => {
      const bytes = wavOf(samples, rate)
      const header = wavHeader(bytes)!
      expect(header.sampleRate).toBe(rate)
      const heard = wavSamples(bytes, header)
      expect(heard).toHaveLength(samples.length)
      heard.forEach((value, i) => {
        expect(Math.abs(value - Math.max(-1, Math.min(1, samples[i])))).toBeLessThan(1 / 16_000)
      })
    }),
    { numRuns: runs() },
  )
})
