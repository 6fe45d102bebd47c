/** One measured figure. */
export interface Row {
  readonly name: string
  /** What the ratio is called where a program reads it; default the name. */
  readonly key?: string
  readonly value: number
  readonly unit: 'ms' | 's' | 'MB' | '/s' | '×'
  /** Against the section's base row, measured in the same run; below 1 is less. */
  readonly ratio?: number
}

/** Figures that were measured side by side. */
export interface Section {
  readonly title: string
  /** How many items, where the same is measured of more and fewer. */
  readonly count?: number
  /** Where and how, where the same is measured in several ways. */
  readonly setting?: string
  readonly rows: readonly Row[]
}

/** The value below which a share `q` of the values lies. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]
}
