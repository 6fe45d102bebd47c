/** Figures side by side, a column a kind of figure. */
export interface Table {
  readonly title: string
  /** What it is about, for programs. */
  readonly subject?: Readonly<Record<string, string | number>>
  readonly columns: readonly string[]
  readonly rows: readonly TableRow[]
  /** What is to be known to read it. */
  readonly notes?: readonly string[]
}

export interface TableRow {
  readonly name: string
  /** By column; what is missing was not measured. */
  readonly cells: Readonly<Record<string, number | string | undefined>>
  /** Why there are no figures. */
  readonly failure?: string
}

/** A table in aligned columns. */
export function tabular({ title, columns, rows, notes = [] }: Table): string {
  const lines = [
    ['', ...columns],
    ...rows.map(({ name, cells, failure }) => [
      name,
      ...(failure === undefined ? columns.map((column) => cell(cells[column])) : []),
    ]),
  ]
  const widths = ['', ...columns].map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)))
  const aligned = lines.map((line, i) => {
    const text = line.map((part, j) => (j === 0 ? part.padEnd(widths[j]) : part.padStart(widths[j]))).join('  ')
    const failure = rows[i - 1]?.failure
    return `  ${failure === undefined ? text : `${text}  (${failure})`}`
  })
  return [title, ...aligned, ...notes.map((note) => `  ${note}`)].join('\n')
}

/** Three digits that tell. */
export function cell(value: number | string | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '–'
  if (typeof value === 'string') return value
  if (Math.abs(value) >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString('en')
  return value.toFixed(Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3)
}
