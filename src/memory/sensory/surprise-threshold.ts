import { checkKeys, checkNumber, invalid } from '../../api/check.js'
import type { SurpriseProfile } from '../../api/sensory.js'

/**
 * The surprise over which a frame is remembered, unless `open` says otherwise: chosen on the Apollo 13 transcript, see
 * `docs/floors.md`.
 */
export const SURPRISE_THRESHOLD = 0.6
/**
 * The goal relevance over which a frame is remembered: of texts that have nothing to do with a goal fewer than 1 in 100
 * have more.
 */
export const GOAL_THRESHOLD = 0.1

/** Where a value stands between what chance gives and the most that there can be: 0 to 1, the corrected scale. */
export function corrected(value: number, chance: number, most: number): number {
  if (!(most > chance)) return 0
  return Math.max(0, Math.min(1, (value - chance) / (most - chance)))
}

/**
 * Checks the options of `open` that are about surprise.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`
 */
export function checkSurpriseOptions(threshold: unknown, profile: unknown): void {
  if (threshold !== undefined) checkNumber('surpriseThreshold', threshold, 0, 1)
  if (profile === undefined) return
  checkKeys('surpriseProfile', profile, ['surprise', 'expected', 'threshold'])
  const { surprise, expected, threshold: over } = profile as SurpriseProfile
  checkNumber('surpriseProfile.threshold', over, 0, 1)
  for (const [name, values] of Object.entries({ surprise, expected })) {
    const what = `surpriseProfile.${name}`
    if (!Array.isArray(values) || values.length < 2)
      throw invalid(`${what} must be an array of at least 2 numbers`, { what })
    values.forEach((value, i) => checkNumber(`${what}[${i}]`, value, 0, 1))
  }
  if (surprise.length !== expected.length) {
    throw invalid(
      `surpriseProfile has ${surprise.length} surprises and ${expected.length} expected values; there must be as many`,
      { what: 'surpriseProfile' },
    )
  }
  for (let i = 1; i < surprise.length; i++) {
    if (!(surprise[i] > surprise[i - 1]))
      throw invalid(`surpriseProfile.surprise must ascend, and does not at ${i}`, { what: 'surpriseProfile.surprise' })
    if (!(expected[i] >= expected[i - 1]))
      throw invalid(`surpriseProfile.expected must not descend, and does at ${i}`, { what: 'surpriseProfile.expected' })
  }
}
