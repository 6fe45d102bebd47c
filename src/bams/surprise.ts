import { checkChoice, checkKeys, checkNumber, invalid } from '../api/check.js'
import { isModality } from '../api/encoder.js'
import type { Modality, SurprisePair, SurpriseProfile } from '../api/sensory.js'
import { curveAt } from '../base/curve.js'
import { nonNegativeFit } from './non-negative-fit.js'

/** The surprise of a frame by modality, each 0 to 1. */
export type ModalitySurprise = Readonly<Partial<Record<Modality, number>>>

/** How surprises of modalities are combined: each 0 to 1, together 1. */
export type SurpriseWeights = Readonly<Partial<Record<Modality, number>>>

/** What agidb makes of a moment by modality, and an external measure of surprise. */
export interface SurpriseSample {
  readonly surprise: ModalitySurprise
  readonly external: number
}

/** Weights of modalities, and what `fitSurpriseProfile` takes. */
export interface FittedWeights {
  readonly weights: SurpriseWeights
  /** The combined surprise of each sample beside the external measure. */
  readonly pairs: readonly SurprisePair[]
}

const MODALITIES: readonly Modality[] = ['text', 'image', 'audio', 'video']
const LARGEST = 1e300

/**
 * Finds how much each modality counts for an external measure of surprise: the least squares with an intercept among
 * weights that are not negative. Of a measure that falls where surprises rise all modalities get the same weight.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for fewer than 20 samples, samples of different modalities, and numbers
 * out of range
 */
export function fitSurpriseWeights(samples: readonly SurpriseSample[]): FittedWeights {
  const senses = checkSamples(samples)
  const columns = senses.map((sense) => Float64Array.from(samples, ({ surprise }) => surprise[sense]!))
  const largest = samples.reduce((most, { external }) => Math.max(most, Math.abs(external)), 0) || 1
  const fitted = nonNegativeFit(
    columns,
    Float64Array.from(samples, ({ external }) => external / largest),
  )
  const sum = fitted.reduce((total, weight) => total + weight, 0)
  const weights: Partial<Record<Modality, number>> = {}
  senses.forEach((sense, i) => (weights[sense] = sum > 0 ? fitted[i] / sum : 1 / senses.length))
  const pairs = samples.map(({ surprise, external }) => ({ surprise: combinedSurprise(surprise, weights), external }))
  return { weights, pairs }
}

/**
 * The surprise of a moment: the mean of its modalities by their weights. Those that it lacks do not count.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` where it has no modality with a weight
 */
export function combinedSurprise(surprise: ModalitySurprise, weights: SurpriseWeights): number {
  checkSurprise('surprise', surprise)
  checkSurprise('weights', weights)
  const modalities = new Set([...MODALITIES, ...Object.keys(surprise).sort()])
  const present = [...modalities].filter((sense) => surprise[sense] !== undefined && (weights[sense] ?? 0) > 0)
  if (present.length === 0) throw invalid('the surprise has no modality that has a weight', { what: 'surprise' })
  const total = present.reduce((sum, sense) => sum + weights[sense]!, 0)
  return Math.min(1, present.reduce((sum, sense) => sum + weights[sense]! * surprise[sense]!, 0) / total)
}

/**
 * A surprise on the scale of a profile that `fitSurpriseProfile` made: what the external measure is expected to be.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for numbers out of range
 */
export function calibratedSurprise(profile: SurpriseProfile, surprise: number): number {
  checkNumber('surprise', surprise, 0, 1)
  const { surprise: at, expected } = profile ?? {}
  if (!Array.isArray(at) || !Array.isArray(expected) || at.length === 0 || at.length !== expected.length)
    throw invalid('profile must be what fitSurpriseProfile made', { what: 'profile' })
  return curveAt(at, expected, surprise)
}

function checkSurprise(what: string, given: ModalitySurprise): void {
  if (given === undefined) throw invalid(`${what} is missing; expected { text, image, … }`, { what })
  checkKeys(what, given, [...MODALITIES, ...Object.keys(given ?? {}).filter(isModality)])
  for (const [sense, value] of Object.entries(given)) checkNumber(`${what}.${sense}`, value, 0, 1)
}

function checkSamples(samples: readonly SurpriseSample[]): Modality[] {
  if (!Array.isArray(samples) || samples.length < 20)
    throw invalid('samples must be an array of at least 20 { surprise, external }', { what: 'samples' })
  const senses = Object.keys(samples[0]?.surprise ?? {}) as Modality[]
  if (senses.length === 0) throw invalid('samples[0].surprise has no modality', { what: 'samples[0].surprise' })
  for (const sense of senses) if (!isModality(sense)) checkChoice('samples[0].surprise', sense, MODALITIES)
  // A copy has no holes, which `forEach` would pass over.
  Array.from<SurpriseSample | undefined>(samples).forEach((sample, i) => {
    checkSurprise(`samples[${i}].surprise`, sample?.surprise ?? {})
    for (const sense of senses) checkNumber(`samples[${i}].surprise.${sense}`, sample?.surprise?.[sense], 0, 1)
    if (Object.keys(sample!.surprise).length !== senses.length)
      throw invalid(`samples[${i}] has other modalities than samples[0]`, { what: `samples[${i}]` })
    checkNumber(`samples[${i}].external`, sample?.external, -LARGEST, LARGEST)
  })
  return senses
}
