import type { Model, Tree } from '../../api/ranker.js'

/**
 * A model in less room: a table of thresholds for each feature, and strings in which each node of each tree has an
 * entry, one tree after the other; of a tree the root comes first, then all nodes on the left, then those on the right.
 * A digit is one character, from `(` for 0 to `~` for 86; `!` stands for 52, whose character would be a backslash.
 */
export interface PackedModel extends Omit<Model, 'trees'> {
  /** For each feature the thresholds that are asked for, ascending. */
  readonly thresholds: readonly (readonly number[])[]
  /** 1 for a node that has children, 0 for a leaf. */
  readonly inner: string
  /** Index into `features`. A digit a node that is no leaf. */
  readonly feature: string
  /** Index into the thresholds of that feature. A digit a node that is no leaf. */
  readonly threshold: string
  /** The value in units of {@link UNIT}, plus {@link ZERO}. Two digits a node, the higher first. */
  readonly value: string
}

/** What a digit counts to. */
export const DIGITS = 87
/** What values are whole multiples of: a power of two, so that nothing is rounded when they are read. */
export const UNIT = 2 ** -11
/** What two digits say for a value of 0. */
export const ZERO = (DIGITS * DIGITS - 1) / 2

const FIRST = 40
const BACKSLASH = 52

/** The character of a digit, 0 to 86. */
export function digit(value: number): string {
  return value === BACKSLASH ? '!' : String.fromCharCode(FIRST + value)
}

/** The model that was packed, equal to the bit; the children of a node stand where they are first named. */
export function unpack({ thresholds, inner, feature, threshold, value, ...rest }: PackedModel): Model {
  const digitAt = (text: string, at: number): number => (text[at] === '!' ? BACKSLASH : text.charCodeAt(at) - FIRST)
  let node = 0
  let question = 0
  const trees: Tree[] = []
  while (node < inner.length) {
    const tree = { feature: [] as number[], threshold: [] as number[], left: [] as number[], value: [] as number[] }
    let places = 1
    // The place of a node is known when its parent is read: the right child waits for all that is on the left.
    for (const waiting = [0]; waiting.length > 0; node++) {
      const place = waiting.pop()!
      const isInner = inner[node] === '1'
      const asked = isInner ? digitAt(feature, question) : 0
      tree.feature[place] = asked
      tree.threshold[place] = isInner ? thresholds[asked][digitAt(threshold, question++)] : 0
      tree.left[place] = isInner ? places : 0
      tree.value[place] = (digitAt(value, 2 * node) * DIGITS + digitAt(value, 2 * node + 1) - ZERO) * UNIT
      if (!isInner) continue
      waiting.push(places + 1, places)
      places += 2
    }
    trees.push(tree)
  }
  return { ...rest, trees }
}
