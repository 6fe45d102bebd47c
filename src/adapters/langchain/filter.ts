import { AgidbError } from '../../base/errors.js'
import { isSame } from '../same-json.js'

type Compare = (stored: unknown, given: unknown) => boolean

/** The operators of a filter of LangGraph. Sizes are compared as numbers, as its own stores do. */
const OPERATORS: Readonly<Record<string, Compare>> = {
  $eq: (stored, given) => isSame(stored, given),
  $ne: (stored, given) => !isSame(stored, given),
  $gt: (stored, given) => Number(stored) > Number(given),
  $gte: (stored, given) => Number(stored) >= Number(given),
  $lt: (stored, given) => Number(stored) < Number(given),
  $lte: (stored, given) => Number(stored) <= Number(given),
  $in: (stored, given) => Array.isArray(given) && given.some((one) => isSame(stored, one)),
  $nin: (stored, given) => !Array.isArray(given) || !given.some((one) => isSame(stored, one)),
}

/**
 * Whether the members of a value are what a filter says: a value, or operators that all hold.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for an operator that there is none of
 */
export function fits(value: Readonly<Record<string, unknown>>, filter: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    const stored = Object.hasOwn(value, name) ? value[name] : undefined
    const tests = operatorsOf(wanted)
    if (tests === undefined) return isSame(stored, wanted)
    return tests.every(([operator, given]) => comparing(operator)(stored, given))
  })
}

/** The operators of a condition; `undefined` where it is a value to compare with. */
function operatorsOf(wanted: unknown): [string, unknown][] | undefined {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return undefined
  const tests = Object.entries(wanted)
  return tests.length > 0 && tests.every(([name]) => name.startsWith('$')) ? tests : undefined
}

function comparing(operator: string): Compare {
  const compare = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined
  if (compare !== undefined) return compare
  const known = Object.keys(OPERATORS).join(', ')
  throw new AgidbError('AGIDB_INVALID_ARGUMENT', `filter has ${operator}; known are ${known}`, { operator })
}
