import type { Model, Tree } from '../../api/ranker.js'

/**
 * A model in less room: a table of thresholds for each feature, and strings in which each node of each tree has an
 * entry, one tree after the other; of a tree the root comes first, then all nodes on the left, then those on the right.
 * A digit is one character, from `(` for 0 to `~` for 86; `!` stands for 52, whose character would be a backslash. What
 * is alike stands together, since the strings are compressed on their way to a page.
 */
export interface PackedModel extends Omit<Model, 'trees'> {
  /** For each feature the thresholds that are asked for, ascending. */
  readonly thresholds: readonly (readonly number[])[]
  /** Digits of {@link AT_ONCE} nodes each, a bit a node from the highest: 1 where it has children, 0 for a leaf. */
  readonly inner: string
  /** Index into `features`. A digit a node that is no leaf. */
  readonly feature: string
  /** For each feature the indexes into its thresholds, a digit for each node that asks for it. */
  readonly threshold: readonly string[]
  /** The value in units of {@link UNIT}, plus {@link ZERO}, divided by {@link FINE}. A digit a node. */
  readonly value: string
  /**
   * The remainder of that, a digit for each leaf; of a node with children it is half of {@link FINE}. Scores are sums of
   * leaves; the other values only explain them.
   */
  readonly fine: string
}

/** What a digit counts to. */
export const DIGITS = 87
/** What values are whole multiples of: a power of two, so that nothing is rounded when they are read. */
export const UNIT = 2 ** -11
/** How many values have the same digit of `value`: with fewer the digits of `fine` are of more kinds, and take more. */
export const FINE = 32
/** What the two digits of a value say for 0. */
export const ZERO = (DIGITS * FINE) / 2
/** Nodes of which one digit of `inner` tells. */
export const AT_ONCE = 6

const FIRST = 40
const BACKSLASH = 52

/** The character of a digit, 0 to 86. */
export function digit(value: number): string {
  return value === BACKSLASH ? '!' : String.fromCharCode(FIRST + value)
}

/** The model that was packed, equal to the bit; the children of a node stand where they are first named. */
export function unpack({ thresholds, inner, feature, threshold, value, fine, ...rest }: PackedModel): Model {
  const digitAt = (text: string, at: number): number => (text[at] === '!' ? BACKSLASH : text.charCodeAt(at) - FIRST)
  const isInnerAt = (node: number): boolean =>
    ((digitAt(inner, Math.floor(node / AT_ONCE)) >> (AT_ONCE - 1 - (node % AT_ONCE))) & 1) === 1
  /** How many nodes asked for each feature so far. */
  const askedFor = thresholds.map(() => 0)
  let node = 0
  let question = 0
  let leaf = 0
  const trees: Tree[] = []
  while (node < value.length) {
    const tree = { feature: [] as number[], threshold: [] as number[], left: [] as number[], value: [] as number[] }
    let places = 1
    // The place of a node is known when its parent is read: the right child waits for all that is on the left.
    for (const waiting = [0]; waiting.length > 0; node++) {
      const place = waiting.pop()!
      const isInner = isInnerAt(node)
      const asked = isInner ? digitAt(feature, question++) : 0
      tree.feature[place] = asked
      tree.threshold[place] = isInner ? thresholds[asked][digitAt(threshold[asked], askedFor[asked]++)] : 0
      tree.left[place] = isInner ? places : 0
      const remainder = isInner ? FINE / 2 : digitAt(fine, leaf++)
      tree.value[place] = (digitAt(value, node) * FINE + remainder - ZERO) * UNIT
      if (!isInner) continue
      waiting.push(places + 1, places)
      places += 2
    }
    trees.push(tree)
  }
  return { ...rest, trees }
}
