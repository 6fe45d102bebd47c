import { checkKeys, checkName, checkWhole, DEFAULT_LIMITS, invalid } from '../api/check.js'
import { agreement } from './agreement.js'
import { type Attribution, attribute } from './attribution.js'
import { type Bootstrap, bootstrap } from './bootstrap.js'
import { checkComparison, type Comparison, prepared } from './compare.js'
import { checkDissimilarities, type Dissimilarities, meanDissimilarities } from './dissimilarities.js'
import { MOST_REPETITIONS } from './limits.js'
import { ceilingOf, type NoiseCeiling } from './noise-ceiling.js'
import { type PermutationTest, permutationTest } from './permutations.js'

/** The responses of a region to the stimuli, measured or predicted. */
export interface Region {
  readonly name: string
  /** A matrix of each subject, or of each repetition. */
  readonly subjects: readonly Dissimilarities[]
}

/** What `bams` compares, all of the same stimuli in the same order. */
export interface BamsInput {
  /** The matrix of each component of the memory, such as a modality. */
  readonly components: Readonly<Partial<Record<string, Dissimilarities>>>
  /** That of the whole memory. Default: the mean of the components, which for signatures is that of all their bits. */
  readonly whole?: Dissimilarities
  readonly regions: readonly Region[]
}

/** Options of `bams`. */
export interface BamsOptions {
  /** How matrices are compared. Default `spearman`. */
  readonly comparison?: Comparison
  /** Orders of the stimuli that a test tries at most, 1 to 1,000,000. Default 1,000. */
  readonly permutations?: number
  /** Draws of stimuli for the interval, 1 to 1,000,000. Default 1,000. */
  readonly bootstraps?: number
  /** Of all random numbers: 0 to 2³² − 1. The same seed gives the same report. Default 0. */
  readonly seed?: number
}

/** How a memory stands to a region. */
export interface RegionReport {
  readonly name: string
  readonly subjects: number
  /** The mean similarity of the memory to the subjects. */
  readonly similarity: number
  readonly interval: Bootstrap
  readonly test: PermutationTest
  /** The probability of the test, corrected for the number of regions (Holm 1979). */
  readonly corrected: number
  /** Absent for a single subject. */
  readonly ceiling?: NoiseCeiling
  /** Whether its subjects agree: the lower bound of the ceiling is over 0. */
  readonly reliable: boolean
  /** The similarity as a share of the upper bound, where the region is reliable. */
  readonly normalized?: number
  readonly attribution: Attribution
}

/** How a memory's representations stand to those of a brain. Plain data: `toMarkdown` and `toSvg` show it. */
export interface BamsReport {
  /** The mean of `normalized` over the regions that are reliable, 1 at best; absent where none is. */
  readonly score?: number
  readonly stimuli: number
  readonly comparison: Comparison
  readonly seed: number
  readonly components: readonly string[]
  readonly regions: readonly RegionReport[]
}

/**
 * The brain alignment of a memory's signatures or latents: how its dissimilarities of stimuli agree with those of
 * regions, which of its components explain them, and how sure that is.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`, `AGIDB_TOO_LARGE`
 */
export function bams(input: BamsInput, options: BamsOptions = {}): BamsReport {
  checkKeys('bams', options, ['comparison', 'permutations', 'bootstraps', 'seed'])
  const { comparison = 'spearman', permutations = 1_000, bootstraps = 1_000, seed = 0 } = options
  checkComparison(comparison)
  checkWhole('permutations', permutations, 1, MOST_REPETITIONS)
  checkWhole('bootstraps', bootstraps, 1, MOST_REPETITIONS)
  checkWhole('seed', seed, 0, 0xffffffff)
  const { components, whole, stimuli } = checkInput(input)
  const model = prepared(whole.values, comparison)
  const settings = { permutations, bootstraps, seed }
  const uncorrected = input.regions.map(({ name, subjects }): Omit<RegionReport, 'corrected'> => {
    const values = subjects.map((one) => one.values)
    const agrees = agreement(values, comparison)
    const similarity = agrees(model)
    const ceiling = values.length > 1 ? ceilingOf(values, comparison) : undefined
    const reliable = ceiling !== undefined && ceiling.lower > 0
    return {
      name,
      subjects: values.length,
      similarity,
      interval: bootstrap(whole.values, values, stimuli, comparison, settings),
      test: permutationTest(model, stimuli, agrees, settings),
      ...(ceiling !== undefined && { ceiling }),
      reliable,
      ...(reliable && { normalized: similarity / ceiling.upper }),
      attribution: attribute(components, values, stimuli, comparison, settings),
    }
  })
  const corrected = holm(uncorrected.map(({ test }) => test.p))
  const normalized = uncorrected.flatMap((region) => region.normalized ?? [])
  return {
    ...(normalized.length > 0 && { score: normalized.reduce((sum, one) => sum + one, 0) / normalized.length }),
    stimuli,
    comparison,
    seed,
    components: components.map(({ name }) => name),
    regions: uncorrected.map((region, i) => ({ ...region, corrected: corrected[i] })),
  }
}

interface Checked {
  readonly components: readonly { readonly name: string; readonly values: Float64Array }[]
  readonly whole: Dissimilarities
  readonly stimuli: number
}

function checkInput(input: BamsInput): Checked {
  checkKeys('the input of bams', input, ['components', 'whole', 'regions'])
  const given = Object.entries(input?.components ?? {}).filter(isGiven)
  if (given.length === 0)
    throw invalid('there is no component; expected { name: dissimilarities, … }', { what: 'components' })
  const stimuli = given[0][1]?.stimuli
  for (const [name, one] of given) checkDissimilarities(`components.${name}`, one, stimuli)
  const whole = input.whole ?? meanDissimilarities(given.map(([, one]) => one))
  checkDissimilarities('whole', whole, stimuli)
  if (!Array.isArray(input.regions) || input.regions.length === 0)
    throw invalid('there is no region; expected an array of { name, subjects }', { what: 'regions' })
  const names = new Set<string>()
  input.regions.forEach((region: Region | undefined, i) => {
    checkKeys(`regions[${i}]`, region, ['name', 'subjects'])
    checkName(`regions[${i}].name`, region?.name ?? '', DEFAULT_LIMITS)
    if (names.has(region!.name))
      throw invalid(`two regions are named ${JSON.stringify(region!.name)}`, { what: 'regions' })
    names.add(region!.name)
    if (!Array.isArray(region?.subjects) || region.subjects.length === 0)
      throw invalid(`regions[${i}].subjects must be an array of at least one matrix`, {
        what: `regions[${i}].subjects`,
      })
    region.subjects.forEach((one, j) => checkDissimilarities(`regions[${i}].subjects[${j}]`, one, stimuli))
  })
  return { components: given.map(([name, { values }]) => ({ name, values })), whole, stimuli }
}

/** A modality that a memory lacks is absent from its components. */
function isGiven(entry: [string, Dissimilarities | undefined]): entry is [string, Dissimilarities] {
  return entry[1] !== undefined
}

/** Probabilities of several tests, each corrected for those that are no smaller. */
function holm(ps: readonly number[]): number[] {
  const order = ps.map((_, i) => i).sort((a, b) => ps[a] - ps[b])
  const corrected = [...ps]
  let largest = 0
  order.forEach((i, place) => {
    largest = Math.max(largest, Math.min(1, ps[i] * (ps.length - place)))
    corrected[i] = largest
  })
  return corrected
}
