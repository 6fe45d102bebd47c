import type { Model, Tree } from '../../api/ranker.js'

/**
 * A model in less room: a table for each kind of number, and strings in which each node of each tree, one tree after
 * the other, has an entry. A digit is one character, from `(` for 0 to `~` for 86; `!` stands for 52, whose character
 * would be a backslash.
 */
export interface PackedModel extends Omit<Model, 'trees'> {
  /** For each feature the thresholds that are asked for, ascending. */
  readonly thresholds: readonly (readonly number[])[]
  /** The powers of ten that values have. */
  readonly powers: readonly number[]
  /** How many nodes each tree has. A digit each. */
  readonly sizes: string
  /** Half of the left child, rounded up: left children have odd numbers. 0 at a leaf. A digit a node. */
  readonly left: string
  /** Index into `features`. A digit a node that is no leaf. */
  readonly feature: string
  /** Index into the thresholds of that feature. A digit a node that is no leaf. */
  readonly threshold: string
  /** Twice the index into `powers`, and 1 more for a negative value. A digit a node. */
  readonly power: string
  /** The value without sign, as a whole number of units of its power. Three digits a node, the highest first. */
  readonly mantissa: string
}

/** What a digit counts to. */
export const DIGITS = 87

const FIRST = 40
const BACKSLASH = 52

/** The character of a digit, 0 to 86. */
export function digit(value: number): string {
  return value === BACKSLASH ? '!' : String.fromCharCode(FIRST + value)
}

/** The model that was packed, equal to the bit. */
export function unpack({
  thresholds,
  powers,
  sizes,
  left,
  feature,
  threshold,
  power,
  mantissa,
  ...rest
}: PackedModel): Model {
  const digitAt = (text: string, at: number): number => (text[at] === '!' ? BACKSLASH : text.charCodeAt(at) - FIRST)
  let node = 0
  let inner = 0
  const trees = Array.from(sizes, (_, tree): Tree => {
    const columns = { feature: [] as number[], threshold: [] as number[], left: [] as number[], value: [] as number[] }
    for (let end = node + digitAt(sizes, tree); node < end; node++) {
      const half = digitAt(left, node)
      const asked = half === 0 ? 0 : digitAt(feature, inner)
      columns.feature.push(asked)
      columns.threshold.push(half === 0 ? 0 : thresholds[asked][digitAt(threshold, inner++)])
      columns.left.push(half === 0 ? 0 : 2 * half - 1)
      const units =
        (digitAt(mantissa, 3 * node) * DIGITS + digitAt(mantissa, 3 * node + 1)) * DIGITS +
        digitAt(mantissa, 3 * node + 2)
      const scale = digitAt(power, node)
      // From its decimal digits, as JSON has it: products of powers of ten are rounded.
      columns.value.push(Number(`${scale % 2 === 1 ? '-' : ''}${units}e${powers[scale >> 1]}`))
    }
    return columns
  })
  return { ...rest, trees }
}
