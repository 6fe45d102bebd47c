/** A row: its name and its cells, by column. A cell that is missing or NaN becomes a dash. */
export type Row = readonly [name: string, cells: Readonly<Record<string, number | string | undefined>>]

/** Lines of text with aligned columns: text as it is, shares with three digits, times with one. */
export function table(columns: readonly string[], rows: readonly Row[]): string {
  const head = ['', ...columns.map(heading)]
  const body = rows.map(([name, cells]) => [name, ...columns.map((column) => cell(column, cells[column]))])
  const widths = head.map((_, i) => Math.max(...[head, ...body].map((line) => line[i].length)))
  return [head, ...body]
    .map((line) =>
      line
        .map((text, i) => (i === 0 ? text.padEnd(widths[i]) : text.padStart(widths[i])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function heading(column: string): string {
  return column.replace(/^recallMs(P\d+)$/, (_, quantile: string) => `${quantile.toLowerCase()} ms`)
}

function cell(column: string, value: number | string | undefined): string {
  if (typeof value === 'string') return value
  if (value === undefined || Number.isNaN(value)) return '–'
  if (column.startsWith('recallMs')) return value.toFixed(1)
  return value.toFixed(3).replace(/^0\./, '.')
}
