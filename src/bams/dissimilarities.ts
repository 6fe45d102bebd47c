import { checkChoice, describe, invalid } from '../api/check.js'
import type { Signature } from '../api/neurosymbolic.js'
import { AgidbError } from '../base/errors.js'
import { FEWEST_STIMULI, MOST_STIMULI } from './limits.js'
import { checkPatterns, type Patterns } from './patterns.js'

/** How unlike each two of several stimuli are: a representational dissimilarity matrix, symmetric, zero on itself. */
export interface Dissimilarities {
  readonly stimuli: number
  /** Above the diagonal, row after row: of 0 and 1, 0 and 2, …, 1 and 2, … */
  readonly values: Float64Array
}

/**
 * How two patterns are compared. `correlation`: 1 − Pearson's correlation. `cosine`: 1 − cosine. `euclidean`: the mean
 * square of the differences, as of rsatoolbox.
 */
export type DissimilarityMeasure = 'correlation' | 'cosine' | 'euclidean'

const MEASURES: readonly DissimilarityMeasure[] = ['correlation', 'cosine', 'euclidean']
/** How far the two halves of a measured matrix may be apart, of its largest value. */
const ASYMMETRY = 1e-6

/**
 * How unlike the patterns of stimuli are, of a memory's latents or of responses that were measured or predicted.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for fewer than 4 stimuli and, of correlation or cosine, for a pattern
 * that has no direction; `AGIDB_TOO_LARGE` for more than 4,096 stimuli
 */
export function dissimilarities(patterns: Patterns, measure: DissimilarityMeasure): Dissimilarities {
  checkPatterns('patterns', patterns)
  checkChoice('measure', measure, MEASURES)
  const { rows, columns } = patterns
  checkStimuli(rows)
  const values = measure === 'euclidean' ? patterns.values : directions(patterns, measure)
  return pairwise(rows, (i, j) => {
    let sum = 0
    for (let a = i * columns, b = j * columns, end = a + columns; a < end; a++, b++) {
      sum += measure === 'euclidean' ? (values[a] - values[b]) ** 2 : values[a] * values[b]
    }
    return measure === 'euclidean' ? sum / columns : 1 - sum
  })
}

/** Rows of length 1, of correlation with their mean taken off. */
function directions({ rows, columns, values }: Patterns, measure: DissimilarityMeasure): Float64Array {
  const result = Float64Array.from(values)
  for (let i = 0; i < rows; i++) {
    const row = result.subarray(i * columns, (i + 1) * columns)
    const largest = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    // Scaled first, so that squares neither overflow nor vanish.
    if (largest > 0) row.forEach((value, k) => (row[k] = value / largest))
    const mean = measure === 'correlation' ? row.reduce((sum, value) => sum + value, 0) / columns : 0
    const length = Math.sqrt(row.reduce((sum, value) => sum + (value - mean) ** 2, 0))
    if (length < 1e-12) {
      const why = measure === 'correlation' ? 'is the same everywhere' : 'is zero everywhere'
      throw invalid(`the pattern of stimulus ${i} ${why}, so that it has no ${measure}`, { stimulus: i })
    }
    row.forEach((value, k) => (row[k] = (value - mean) / length))
  }
  return result
}

/**
 * How unlike signatures of a memory are: the share of their bits that differ (Hamming).
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for fewer than 4 and for ones of different length, `AGIDB_TOO_LARGE`
 */
export function signatureDissimilarities(signatures: readonly Signature[]): Dissimilarities {
  if (!Array.isArray(signatures))
    throw invalid(`signatures is ${describe(signatures)}; expected an array of Uint8Array`, { what: 'signatures' })
  checkStimuli(signatures.length)
  const bytes = (signatures[0] as Signature | undefined)?.length ?? 0
  signatures.forEach((signature: unknown, i) => {
    if (!(signature instanceof Uint8Array) || signature.length !== bytes || bytes === 0)
      throw invalid(`signature ${i} is no Uint8Array of as many bytes as the first`, { what: `signatures[${i}]` })
  })
  return pairwise(signatures.length, (i, j) => {
    const [a, b] = [signatures[i], signatures[j]]
    let bits = 0
    for (let k = 0; k < bytes; k++) bits += BITS[a[k] ^ b[k]]
    return bits / (8 * bytes)
  })
}

/** How many bits of a byte are set. */
const BITS = Uint8Array.from({ length: 256 }, (_, byte) => [...byte.toString(2)].filter((bit) => bit === '1').length)

/**
 * Dissimilarities that come as a square matrix.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` if it is not square, not symmetric, or its diagonal is not zero
 */
export function dissimilaritiesIn(matrix: Patterns): Dissimilarities {
  const { rows, columns, values } = checkPatterns('matrix', matrix)
  if (rows !== columns)
    throw invalid(`the matrix has ${rows} rows and ${columns} columns; expected as many`, { rows, columns })
  checkStimuli(rows)
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return pairwise(rows, (i, j) => {
    const [above, below] = [values[i * rows + j], values[j * rows + i]]
    if (Math.abs(above - below) > ASYMMETRY * largest)
      throw invalid(
        `the matrix has ${above} in row ${i}, column ${j} and ${below} across the diagonal; expected the same`,
      )
    if (Math.abs(values[i * rows + i]) > ASYMMETRY * largest || Math.abs(values[j * rows + j]) > ASYMMETRY * largest)
      throw invalid(`the diagonal of the matrix is not zero in row ${i} or ${j}`, { row: i })
    return (above + below) / 2
  })
}

/** The mean of several matrices of the same stimuli. */
export function meanDissimilarities(all: readonly Dissimilarities[]): Dissimilarities {
  const values = new Float64Array(all[0].values.length)
  for (const one of all) one.values.forEach((value, i) => (values[i] += value / all.length))
  return { stimuli: all[0].stimuli, values }
}

function pairwise(stimuli: number, of: (i: number, j: number) => number): Dissimilarities {
  const values = new Float64Array((stimuli * (stimuli - 1)) / 2)
  let at = 0
  for (let i = 0; i < stimuli; i++) for (let j = i + 1; j < stimuli; j++) values[at++] = of(i, j)
  return { stimuli, values }
}

function checkStimuli(stimuli: number): void {
  if (stimuli < FEWEST_STIMULI)
    throw invalid(`there are ${stimuli} stimuli; expected at least ${FEWEST_STIMULI}`, { stimuli })
  if (stimuli > MOST_STIMULI) {
    const message = `there are ${stimuli} stimuli; at most ${MOST_STIMULI} are compared`
    throw new AgidbError('AGIDB_TOO_LARGE', message, { stimuli, limit: MOST_STIMULI })
  }
}

/**
 * Checks matrices of the same stimuli.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` that names the one that is none
 */
export function checkDissimilarities(what: string, given: Dissimilarities, stimuli = given?.stimuli): void {
  const { values } = given ?? {}
  if (!Number.isInteger(given?.stimuli) || !(values instanceof Float64Array))
    throw invalid(`${what} must be { stimuli, values }, values a Float64Array; dissimilarities() makes them`, { what })
  checkStimuli(given.stimuli)
  if (given.stimuli !== stimuli)
    throw invalid(`${what} is of ${given.stimuli} stimuli; expected ${stimuli}, as of the others`, { what })
  const pairs = (stimuli * (stimuli - 1)) / 2
  if (values.length !== pairs)
    throw invalid(`${what} has ${values.length} values; expected ${pairs} for ${stimuli} stimuli`, { what })
  if (!values.every(Number.isFinite)) throw invalid(`${what} has a value that is not finite`, { what })
  if (values.every((value) => value === values[0]))
    throw invalid(`${what} has ${values[0]} for all pairs, so that there is nothing to compare`, { what })
}

/** Where the pair of two different stimuli stands among the values. */
export function pairAt(i: number, j: number, stimuli: number): number {
  const [low, high] = i < j ? [i, j] : [j, i]
  return low * stimuli - (low * (low + 1)) / 2 + high - low - 1
}
