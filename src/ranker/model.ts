/**
 * A regression tree in arrays, one entry a node, the root first. A value goes left if it is not above the threshold;
 * the right child stands beside the left one. `value` is what the tree would answer if it ended there, so that the
 * step from a node to its child is what the feature asked there contributes.
 */
export interface Tree {
  readonly feature: readonly number[]
  readonly threshold: readonly number[]
  /** The left child; 0 at a leaf. */
  readonly left: readonly number[]
  readonly value: readonly number[]
}

/** A logistic curve over features and over what the trees answer: how likely a candidate is to be right. */
export interface Calibration {
  /** Names of {@link CALIBRATED}. */
  readonly inputs: readonly string[]
  readonly weights: readonly number[]
  readonly intercept: number
}

/** Boosted trees over named features. */
export interface Model {
  /** The columns that `Tree.feature` counts, by name. */
  readonly features: readonly string[]
  readonly trees: readonly Tree[]
  /** Factor that puts what the trees answer on the scale of the unlearned fusion, so that other signals weigh as much beside either. */
  readonly scale: number
  readonly calibration: Calibration
}

/** What the trees make of one row. */
export function evaluate({ trees, scale }: Model, row: Float64Array): number {
  let sum = 0
  for (const tree of trees) {
    let node = 0
    for (let next = tree.left[0]; next !== 0; next = tree.left[node]) {
      node = row[tree.feature[node]] <= tree.threshold[node] ? next : next + 1
    }
    sum += tree.value[node]
  }
  return sum * scale
}

/** What each feature contributes to {@link evaluate} (Saabas 2014); with `rest`, what the roots give, they add up to it. */
export function contributions({ features, trees, scale }: Model, row: Float64Array): { readonly byFeature: Float64Array; readonly rest: number } {
  const byFeature = new Float64Array(features.length)
  let rest = 0
  for (const tree of trees) {
    let node = 0
    rest += tree.value[0]
    for (let next = tree.left[0]; next !== 0; next = tree.left[node]) {
      const asked = tree.feature[node]
      const child = row[asked] <= tree.threshold[node] ? next : next + 1
      byFeature[asked] += (tree.value[child] - tree.value[node]) * scale
      node = child
    }
  }
  return { byFeature, rest: rest * scale }
}

/** The logistic function. */
export function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x))
}
