/** Bins of a feature, at most: a byte, and enough to tell what trees tell. */
const BINS = 64

/** A table of features in bins, column by column. */
export interface Binned {
  readonly rows: number
  readonly columns: number
  /** Number of the bin, `columns × rows`. */
  readonly bins: Uint8Array
  /** Upper bounds of each column's bins; the last bin has none. */
  readonly bounds: readonly Float64Array[]
}

/**
 * Cuts each column at its quantiles.
 *
 * @param digits significant digits of the bounds; more where a few values lie too near for that. Default: as many as a
 * number has.
 */
export function binned(values: Float64Array, rows: number, columns: number, digits?: number): Binned {
  const bins = new Uint8Array(rows * columns)
  const bounds: Float64Array[] = []
  const step = Math.max(1, Math.floor(rows / 50_000))
  for (let column = 0; column < columns; column++) {
    const sample: number[] = []
    for (let row = 0; row < rows; row += step) sample.push(values[row * columns + column])
    const cuts = quantiles(Float64Array.from(sample).sort(), digits)
    bounds.push(cuts)
    for (let row = 0; row < rows; row++) bins[column * rows + row] = binOf(cuts, values[row * columns + column])
  }
  return { rows, columns, bins, bounds }
}

function quantiles(sorted: Float64Array, digits?: number): Float64Array {
  const cuts: number[] = []
  const distinct = [...new Set(sorted)]
  if (distinct.length <= BINS) {
    for (let i = 0; i + 1 < distinct.length; i++) {
      const middle = (distinct[i] + distinct[i + 1]) / 2
      const short = ofDigits(middle, digits)
      cuts.push(distinct[i] <= short && short < distinct[i + 1] ? short : middle)
    }
  } else {
    for (let bin = 1; bin < BINS; bin++) {
      const cut = ofDigits(sorted[Math.floor((bin * sorted.length) / BINS)], digits)
      if (cut < sorted[sorted.length - 1] && (cuts.length === 0 || cut > cuts[cuts.length - 1])) cuts.push(cut)
    }
  }
  return Float64Array.from(cuts)
}

/** The nearest number of so many significant digits. */
function ofDigits(value: number, digits?: number): number {
  return digits === undefined ? value : Number(value.toPrecision(digits))
}

function binOf(cuts: Float64Array, value: number): number {
  let low = 0
  let high = cuts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (value <= cuts[middle]) high = middle
    else low = middle + 1
  }
  return low
}
