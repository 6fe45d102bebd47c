import { expect, test } from 'vitest'
import { calibrationOf } from '../../bench/recall/patterns.js'
import { nightly } from '../runs.js'

test.runIf(nightly)(
  'confidence on held-out questions is calibrated with a right or wrong pattern and without a cue',
  async () => {
    const calibration = await calibrationOf('held')
    expect(calibration.size).toBeGreaterThanOrEqual(12)
    for (const [how, { ECE }] of calibration)
      expect({ how, isCalibrated: ECE <= 0.05 }).toEqual({ how, isCalibrated: true })
    // Before the cue had a say in whether a pattern is right, this was .468.
    expect(calibration.get('cue, wrong pattern, 0.7 to 0.3')!['ECE of the best']).toBeLessThan(0.15)
    expect(calibration.get('cue, fitting pattern, 0.7 to 0.3')!.AUROC).toBeGreaterThan(0.98)
  },
  300_000,
)
