import type { Tree } from '../api/ranker.js'
import type { Binned } from './bins.js'

/** How trees grow. */
export interface TreeOptions {
  readonly leaves: number
  /** Rows of a leaf, at least. */
  readonly leafRows: number
  /** L2 penalty on what a leaf answers. */
  readonly penalty: number
  /** Factor on what a leaf answers. */
  readonly rate: number
}

/** A node that may still be split. */
interface Leaf {
  readonly node: number
  readonly rows: Int32Array
  readonly histogram: Float64Array
  readonly gradient: number
  readonly hessian: number
  readonly split?: Split
}

interface Split {
  readonly gain: number
  readonly column: number
  readonly bin: number
}

const STRIDE = 3
const BINS = 64

/**
 * Grows a tree leaf by leaf, the most gainful split first, on first and second derivatives of the loss (Friedman 2001;
 * Chen and Guestrin 2016), with a histogram for each column and the larger sibling's got by subtraction (Ke et al.
 * 2017).
 *
 * @param rows the rows to learn from.
 * @param columns the columns that may be asked.
 */
export function growTree(
  table: Binned,
  rows: Int32Array,
  columns: Int32Array,
  gradients: Float64Array,
  hessians: Float64Array,
  options: TreeOptions,
): Tree {
  const feature: number[] = []
  const threshold: number[] = []
  const left: number[] = []
  const value: number[] = []
  const answer = (gradient: number, hessian: number) => (-options.rate * gradient) / (hessian + options.penalty)
  const addNode = (gradient: number, hessian: number) => {
    feature.push(0)
    threshold.push(0)
    left.push(0)
    return value.push(answer(gradient, hessian)) - 1
  }
  const leafOf = (
    rows: Int32Array,
    histogram: Float64Array,
    gradient: number,
    hessian: number,
    node = addNode(gradient, hessian),
  ): Leaf => ({
    node,
    rows,
    histogram,
    gradient,
    hessian,
    split: bestSplit(histogram, columns, gradient, hessian, rows.length, options),
  })

  let gradient = 0
  let hessian = 0
  for (const row of rows) {
    gradient += gradients[row]
    hessian += hessians[row]
  }
  const open: Leaf[] = [leafOf(rows, histogramOf(table, rows, columns, gradients, hessians), gradient, hessian)]
  for (let leaves = 1; leaves < options.leaves; leaves++) {
    let at = -1
    open.forEach(({ split }, i) => {
      if (split !== undefined && (at < 0 || split.gain > open[at].split!.gain)) at = i
    })
    if (at < 0) break
    const [leaf] = open.splice(at, 1)
    const { column, bin } = leaf.split!
    const [lower, upper] = divide(table, leaf.rows, column, bin)
    const small = lower.length <= upper.length ? lower : upper
    const smallHistogram = histogramOf(table, small, columns, gradients, hessians)
    const largeHistogram = leaf.histogram.map((sum, i) => sum - smallHistogram[i])
    const [lowerHistogram, upperHistogram] =
      small === lower ? [smallHistogram, largeHistogram] : [largeHistogram, smallHistogram]
    let lowerGradient = 0
    let lowerHessian = 0
    for (const row of lower) {
      lowerGradient += gradients[row]
      lowerHessian += hessians[row]
    }
    feature[leaf.node] = column
    threshold[leaf.node] = table.bounds[column][bin]
    open.push(leafOf(lower, lowerHistogram, lowerGradient, lowerHessian))
    left[leaf.node] = value.length - 1
    open.push(leafOf(upper, upperHistogram, leaf.gradient - lowerGradient, leaf.hessian - lowerHessian))
  }
  return { feature, threshold, left, value }
}

/** Sums of gradient, hessian and rows for each bin of each column. */
function histogramOf(
  { bins, rows: height }: Binned,
  rows: Int32Array,
  columns: Int32Array,
  gradients: Float64Array,
  hessians: Float64Array,
): Float64Array {
  const histogram = new Float64Array(columns.length * BINS * STRIDE)
  for (let i = 0; i < columns.length; i++) {
    const column = columns[i] * height
    const base = i * BINS
    for (let j = 0; j < rows.length; j++) {
      const row = rows[j]
      const at = (base + bins[column + row]) * STRIDE
      histogram[at] += gradients[row]
      histogram[at + 1] += hessians[row]
      histogram[at + 2]++
    }
  }
  return histogram
}

function bestSplit(
  histogram: Float64Array,
  columns: Int32Array,
  gradient: number,
  hessian: number,
  rows: number,
  { leafRows, penalty }: TreeOptions,
): Split | undefined {
  const worth = (g: number, h: number) => (g * g) / (h + penalty)
  const whole = worth(gradient, hessian)
  let best: Split | undefined
  for (let i = 0; i < columns.length; i++) {
    let g = 0
    let h = 0
    let count = 0
    for (let bin = 0; bin < BINS - 1; bin++) {
      const at = (i * BINS + bin) * STRIDE
      if (histogram[at + 2] < 0.5) continue
      g += histogram[at]
      h += histogram[at + 1]
      count += histogram[at + 2]
      if (count < leafRows) continue
      if (rows - count < leafRows) break
      const gain = worth(g, h) + worth(gradient - g, hessian - h) - whole
      if (gain > 1e-9 && (best === undefined || gain > best.gain)) best = { gain, column: columns[i], bin }
    }
  }
  return best
}

function divide(
  { bins, rows: height }: Binned,
  rows: Int32Array,
  column: number,
  bin: number,
): [Int32Array, Int32Array] {
  const lower = new Int32Array(rows.length)
  const upper = new Int32Array(rows.length)
  let low = 0
  let high = 0
  for (const row of rows) {
    if (bins[column * height + row] <= bin) lower[low++] = row
    else upper[high++] = row
  }
  return [lower.slice(0, low), upper.slice(0, high)]
}
