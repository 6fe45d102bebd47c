import { describe, invalid } from '../api/check.js'
import type { NumberArray } from './npy.js'

/** Numbers of several stimuli: a row for each stimulus, a column for each unit, voxel or dimension of a latent. */
export interface Patterns {
  readonly rows: number
  readonly columns: number
  /** Row after row. */
  readonly values: Float64Array
}

/**
 * Patterns of rows of equal length, such as latents.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for no rows, empty ones, ones of different length, and numbers that are
 * not finite
 */
export function patternsOf(rows: readonly ArrayLike<number>[]): Patterns {
  if (!Array.isArray(rows) || rows.length === 0)
    throw invalid(`rows is ${describe(rows)}; expected an array of at least one row of numbers`, { what: 'rows' })
  const columns = rows[0]?.length
  const values = new Float64Array(rows.length * (columns ?? 0))
  rows.forEach((row: ArrayLike<number> | undefined, i) => {
    if (row?.length !== columns || columns === undefined || columns === 0)
      throw invalid(`row ${i} has ${row?.length} numbers; expected ${columns || 'at least 1'}`, {
        what: 'rows',
        row: i,
      })
    values.set(row as ArrayLike<number>, i * columns)
  })
  return checkPatterns('rows', { rows: rows.length, columns, values })
}

/**
 * The patterns in an array of two dimensions, stimuli × units.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for other shapes and for numbers that are not finite
 */
export function patternsIn(array: NumberArray): Patterns {
  const { shape, values } = array
  if (shape.length !== 2)
    throw invalid(`the array has the shape (${shape.join(', ')}); expected two dimensions, stimuli × units`, { shape })
  return checkPatterns('array', { rows: shape[0], columns: shape[1], values })
}

/**
 * The patterns of several subjects in an array of three dimensions, subjects × stimuli × units.
 *
 * @throws AgidbError as {@link patternsIn}
 */
export function patternsOfSubjects(array: NumberArray): Patterns[] {
  const { shape, values } = array
  if (shape.length !== 3) {
    const expected = 'expected three dimensions, subjects × stimuli × units'
    const message = `the array has the shape (${shape.join(', ')}); ${expected}`
    throw invalid(message, { shape })
  }
  const [subjects, rows, columns] = shape
  const size = rows * columns
  return Array.from({ length: subjects }, (_, i) =>
    checkPatterns(`subject ${i}`, { rows, columns, values: values.subarray(i * size, (i + 1) * size) }),
  )
}

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT` */
export function checkPatterns(what: string, patterns: Patterns): Patterns {
  const { rows, columns, values } = patterns ?? {}
  const whole = Number.isInteger(rows) && rows > 0 && Number.isInteger(columns) && columns > 0
  if (!whole || !(values instanceof Float64Array) || values.length !== rows * columns) {
    throw invalid(`${what} must be { rows, columns, values }, values a Float64Array of rows × columns numbers`, {
      what,
    })
  }
  const at = values.findIndex((value) => !Number.isFinite(value))
  if (at >= 0) {
    const [row, column] = [Math.floor(at / columns), at % columns]
    throw invalid(`${what} has ${values[at]} in row ${row}, column ${column}; expected finite numbers`, { row, column })
  }
  return patterns
}
